// Package e2e contains the tests of the provider as a whole, and no other code.
//
// Begin with testdata/stories: twenty stories of what users do and see (TestStories).
//
// The tests are in these families:
//
//	story_*_test.go      the stories, and what happens in them
//	sweep_*_test.go      every fault at every request (TestFaults), and what else network, service and terminal can do:
//	                     cli, creates, interrupt, load, secrets, session, writers
//	rules_*_test.go      rules that most nouns have (TestRules), with the table in DESIGN.md, and rules of one noun or a few (TestRulesOfFew)
//	others_*_test.go     what somebody else does between two requests (TestOthers)
//	scale_*_test.go      what many machines cost: requests of whole commands, and how soon an apply notices that its
//	                     machines are on; what the CLI costs beside them is measured by internal/bench
//	mistakes_*_test.go   typical mistakes, and what the provider says about them: mistakes.md
//
// The core of the sweep is TestFaults: each request of each operation, as listed by the journal of a healthy run, meets
// each fault, once or permanently. After that, a second apply without faults must create what the configuration
// specifies: no machine is orphaned, created twice or lost, no disc of the configuration is purged, no secret
// is shown, and the error of the first apply names the machine, the call and what to do.
//
// In TestOthers, somebody else switches, moves, deletes, renames or attaches something, hides the account or revokes
// the session, in each gap between two requests.
//
// `go test` runs a sample of both. `make sweep` runs one of four shards, by the number of the commit, and the weekly
// workflow runs all of them, with more draws. Each of these files of TestOthers has one table:
//
//	others_operation_test.go  what Terraform does
//	others_gap_test.go        when somebody else makes a change
//	others_step_test.go       what somebody else changes
//	others_promise_test.go    what the provider promises in spite of that
//	others_expected_test.go   cases in which a promise cannot be kept
//
// The acceptance tests, which use the service only through the provider, are in package stories.
package e2e
