// Package rdns manages the reverse DNS names of addresses (API.md §5): the
// resource cloudserver_rdns.
//
//	schema.go    the resource's schema
//	hostname.go  the validator of a name, and when two names are the same
//	resource.go  create, read, update, delete, import, and moves of the state
package rdns
