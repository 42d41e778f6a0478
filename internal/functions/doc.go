// Package functions has the provider's functions: what a configuration computes
// without the service. They need no provider block.
//
//	megabytes.go       a size with a unit, converted to the service's megabytes
//	parse_hostname.go  the parts of a machine's hostname
//	import_id.go       the ID that imports a machine
package functions
