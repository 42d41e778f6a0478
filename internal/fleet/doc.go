// Package fleet combines the reads and waits of many virtual machines into few requests. Terraform asks for one machine
// at a time; the service can answer for a whole group (API.md §3).
//
// The first twenty machines of a process are read by ID. After that, one listing of a group answers for all of its
// machines, each once. It also knows the accounts and groups, and what a 404 means.
package fleet
