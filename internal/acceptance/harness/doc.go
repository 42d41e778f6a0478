// SPDX-License-Identifier: MPL-2.0

// Package harness is what the acceptance tests share.
//
//	main.go      before and after the tests: the service, the question, an interrupt, the report
//	service.go   the service under test: the one that CLOUDSERVER_* names, or an emulator
//	choices.go   what of the service the tests use (ACC_*)
//	habits.go    emulators with other habits than the usual one
//	test.go      a test: its names, its steps, the clauses of API.md that they prove
//	protocol.go  what an older CLI cannot do: actions, lists and identities over the provider's protocol
//	gate.go      an end to all requests of the tests
//	sweep.go     removes what tests have created
//	report.go    the report, without secrets
//
// It knows the service through the provider and its client alone.
package harness
