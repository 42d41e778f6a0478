// Package scale holds the tests of what many machines cost: the requests of whole commands, and how soon an apply notices
// that its machines are on. It has no code beside its tests. What the CLI costs beside them is measured by internal/bench.
//
//	group_test.go      machines in one group, driven as Terraform drives them
//	requests_test.go   requests by command
//	simulated_test.go  waiting for machines, in simulated time; internal/bench prints its figures
//	profile_test.go    benchmarks for CPU and memory profiles
package scale
