// Package e2e contains the tests of the provider as a whole, and no other code. Begin with testdata/stories, which
// TestStories runs: they show what users do and see.
//
// Most tests drive the provider over its protocol in this process, in simulated time. Those that need a workspace
// (cli_test.go) run the real CLI with the real provider, which is built once. Each of them says in a comment what the
// driver cannot show.
//
// The acceptance tests, which use the service only through the provider, are in package stories.
package e2e
