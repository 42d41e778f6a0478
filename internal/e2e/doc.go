// Package e2e contains the tests of the provider as a whole, and no other code.
//
// Begin with testdata/stories: twenty stories of what users do and see (TestStories).
//
// The tests are in these families:
//
//	story_*_test.go      the stories, and what happens in them
//	sweep_*_test.go,     tasks that are disturbed: every fault at every request (TestFaults), and what somebody else does
//	others_*_test.go     between two requests (TestOthers)
//	rules_*_test.go      rules that most nouns have (TestRules), with the table in DESIGN.md, and rules of one noun or a few (TestRulesOfFew)
//	scale_*_test.go      what many machines cost: requests of whole commands, and how soon an apply notices that its
//	                     machines are on; what the CLI costs beside them is measured by internal/bench
//	mistakes_*_test.go   typical mistakes, and what the provider says about them: mistakes.md
//
// The others are about what network, service and terminal can do: cli, creates, interrupt, load, secrets, session,
// writers.
//
// TestFaults and TestOthers are one engine. A case is a task at a service that others use as well (scene), with a
// disturbance at a place: a request that fails, once or from then on, or a step that somebody else takes before a
// request, before a process, or during a wait. After that, the task is run again without it. Both runs are judged by
// the same promises, which see the service, the state, the plan and the messages. A message is known by its kind
// (kinds_test.go), not by its sentences. Each of these files has one table:
//
//	sweep_operation_test.go   what Terraform does, in both tests
//	others_operation_test.go  what it does besides in TestOthers
//	sweep_fault_test.go       how a request fails
//	others_step_test.go       what somebody else changes
//	others_gap_test.go        the places
//	others_promise_test.go    what the provider promises in spite of that
//	others_expected_test.go   cases in which a promise cannot be kept
//
// `go test` runs a sample of both. `make sweep` runs one of thirty-two shards, by the number of the commit, and the weekly
// workflow runs all of them, with more draws. A finding prints the command that repeats its case.
//
// The acceptance tests, which use the service only through the provider, are in package stories.
package e2e
