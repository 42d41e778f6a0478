// Package stories holds the acceptance tests: lives of all resources through the real CLI, against the service that
// CLOUDSERVER_ENDPOINT and the other variables name if TF_ACC is set, and otherwise against an emulator in this process.
// They know the service through the provider and its client alone, and all that they create has a name that begins with
// "tfacc-".
//
// `make testacc` runs them. What a crash left in an account is removed by
//
//	make testacc SWEEP=ACCOUNT
package stories
