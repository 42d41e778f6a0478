// Package functions offers the provider's functions: what a configuration
// computes without the service. They need no provider block.
//
//	megabytes.go       a size with a unit, in the megabytes that the service counts
//	parse_hostname.go  what a host name of the service says
//	import_id.go       the id that imports a machine
package functions
