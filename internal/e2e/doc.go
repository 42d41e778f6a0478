// SPDX-License-Identifier: MPL-2.0

// Package e2e contains the tests of the provider as a whole, and no other code. Begin with testdata/stories, which
// TestStories runs: they show what users do and see.
//
// Most tests drive the provider over its protocol in this process, in simulated time. Those that need a workspace
// (cli_test.go) run the real CLI with the real provider, which is built once. Each of them says in a comment what the
// driver cannot show.
//
// These are tables that a new noun, fault or form of the API joins with a row:
//
//	nouns_test.go           the nouns: what each needs, and what the service and the state have of it
//	contract_test.go        what every noun promises
//	unknown_values_test.go  values that are unknown at plan
//	faults_test.go          writes that fail, with the faults of fault_list_test.go
//	requests_test.go        exact request counts
//	forms_test.go           forms of the API (acctest.Forms)
//
// The acceptance tests, which prove any service through the real CLI, are in package acceptance.
package e2e
