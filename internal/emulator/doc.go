// Package emulator is the service itself, in memory, over net/http: every call
// of api.md with its refusals, for people without an account and for tests.
//
// It shares no type with the client on purpose: a wrong JSON tag would be
// mirrored on both sides and pass.
//
// # File map
//
//	emulator.go    Options, New, the way of a request through faults, latency and store
//	routes.go      the table of calls, as in api.md
//	answer.go      answers, refusals and their bodies
//	form.go        request bodies: partial, typed, unknown attributes dropped
//	world.go       the seeded world, and every default that the service chooses
//	store.go       the data and its indexes
//	session.go account.go group.go virtual_machine.go create.go update.go
//	specification.go power.go signal.go reimage.go disc.go address.go vlan.go
//	definitions.go one noun or verb each
//	wire.go        the JSON objects of the answers
//	machine.go journal.go faults.go backdoor.go transport.go
//	               what tests use
//	serve.go       the server behind the -emulator flag; banner.go what it prints
//
// # Time
//
// Nothing runs in the background. A machine carries the transition that is due
// next, and every request first settles what is due by now. So a fake clock,
// Advance, and testing/synctest all work, and nothing leaks.
//
// # What the service's documents leave open
//
// Where api.md marks a behaviour as assumed, the emulator takes the stricter
// reading if that uncovers mistakes of a client, and says so where it does.
package emulator
