// Package machine carries out single operations on one virtual machine (API.md §3, §4): it changes it, stops and starts
// it, installs an image, adds and purges discs, deletes it, and restores its power after a failure. Updates, deletes and
// actions are made of them. It knows no plans, states or configurations.
package machine
