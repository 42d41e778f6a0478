// Package check finds out whether a service is the one that the provider needs. It makes the provider's own calls and
// reports, call by call, what was expected, what was received, and what will not work because of the difference.
//
//	check.go     a run: which calls, in which order, and how it ends
//	flags.go     the flags of the command line
//	report.go    the lines of the report, as text and as JSON
//	missing.go   what the provider needs of an answer: without it a call is "missing"
//	reads.go     the reads that the provider depends on
//	life.go      the life of one machine, only on request
//	life_steps.go
//	             its steps, and what is cleaned up afterwards
//	reach.go     the look before each request that changes the machine
//	unusable.go  sentences for a service that cannot be used at all
package check
