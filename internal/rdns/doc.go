// Package rdns manages the reverse DNS names of addresses (API.md §5): the resource and the data source
// cloudserver_rdns.
//
//	schema.go       the resource's schema, and what a hostname is
//	resource.go     what names use of the provider; create, read, update, delete
//	account.go      whose account an address is in, and what became of it
//	import.go       import, and what a state says of its object
//	data_source.go  the name that an address has
//	list.go         the list resource
package rdns
