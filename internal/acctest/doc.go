// Package acctest is what the tests of all packages share. It is imported by
// tests only.
//
//   - Main, ProtoV6ProviderFactories, UnitTest: tests through the real CLI,
//     which never see a developer's own configuration and never download.
//   - StartEmulator: the service, in this process, with its journal turned
//     into checks: Calls, ExpectCalls, PlansWithoutCalls, CheckDestroyed.
//   - Driver: a provider in this process, driven over its protocol as
//     Terraform drives it, in about a millisecond an operation, without
//     sockets where the provider has none, so that it runs in a synctest
//     bubble. What core would call a bug of the provider fails the test.
//
// The driver by file: schema, config and values turn Go maps into typed
// values; propose, plan_valid and compatible are core's three rules about
// them; driver, plan, apply, read, import and data_source are the operations;
// object and diagnostics are what tests assert on.
package acctest
