// Package e2e holds the tests of the provider as a whole. It has no code beside
// its tests.
//
// Four families share it, each with a prefix or a name of its own:
//
//	sweep_*_test.go      every fault at every request (TestFaults), and what else network, service and terminal can do:
//	                     cli, creates, interrupt, load, secrets, session, writers
//	others_*_test.go     what somebody else does between two requests (TestOthers)
//	scale_*_test.go      what many machines cost: requests of whole commands, and how soon an apply notices that its
//	                     machines are on; what the CLI costs beside them is measured by internal/bench
//	mistakes_*_test.go   typical mistakes, and what the provider says about them: mistakes.md
//
// The core of the sweep is TestFaults: each request of each operation, as listed by the journal of a healthy run, meets
// each fault, once or permanently. After that, a second apply with a healthy service must bring about what the
// configuration specifies: no machine is orphaned, doubled or lost, no disc of the configuration is purged, no secret
// is shown, and the error of the first apply names the machine, the call and what to do. `go test` runs a sample; `make
// sweep` runs everything.
//
// TestOthers is its third axis: somebody else switches, moves, deletes, renames or
// attaches something, hides the account or revokes the session, in each gap between
// two requests. `make sweep` runs half of it, `make sweep-others`, weekly, everything.
// Its tables say what there is, each in a file:
//
//	others_operation_test.go  what Terraform does
//	others_gap_test.go        when somebody else moves
//	others_step_test.go       what somebody else does
//	others_promise_test.go    what holds all the same
//	others_expected_test.go   what is known not to hold yet
//
// The acceptance tests, which know the service through the provider alone, are
// in the package stories below this one.
package e2e
