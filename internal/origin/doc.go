// Package origin decides whose object an answer describes. The address of a service may lead to another one from any
// request on, for example after a failover, and that one has other objects under the same IDs. Services are
// distinguished by their cluster domain, which is the end of every hostname (API.md §8.1).
//
//	domain.go   the domain of a hostname, and the only place that compares two of them
//	machine.go  what is known of a machine, with which every answer about it is compared
package origin
