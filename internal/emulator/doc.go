// Package emulator is the service itself, in memory, over net/http: every call of API.md with its refusals, for people
// without an account and for tests.
//
// It shares no type with the client on purpose: a wrong JSON tag would be mirrored on both sides and pass.
//
// # File map
//
//	emulator.go options.go    New, and the way of a request through rate limit, faults, latency and service
//	routes.go                 the table of calls
//	commit.go                 changes that are saved, or undone
//	answer.go encode.go       answers, refusals, problems; how they are sent
//	form.go                   request bodies: partial, typed, unknown attributes dropped
//	store.go background.go    the data, and what happens to it by itself
//	world.go                  the default world and the limits
//	world_dump.go world_load.go world_schema.go world.schema.json
//	                          the world as JSON: seeds, dumps and saved states
//	session.go user.go account.go group.go virtual_machine.go create.go create_claim.go
//	update.go specification.go power.go power_count.go guests.go signal.go reimage.go disc.go disc_move.go backup.go
//	address.go vlan.go definitions.go rate_limit.go
//	                          one noun or verb each
//	wire.go wire_disc.go      the JSON objects of the answers
//	machine.go                a machine, as tests and worlds see it
//	journal.go journal_redact.go
//	                          the requests so far, without session ids and keys
//	view.go                   the world as people see it
//	fault.go                  injected faults
//	snapshot.go               worlds that are kept
//	backdoor.go backdoor_account.go backdoor_disc.go transport.go
//	                          what tests use
//
// Package console, below this one, is the server behind the -emulator flag: its page, its control paths and its flags.
// Package shape has the forms of answers that API.md leaves open, and package variants services that use such freedoms.
//
// # Time
//
// Nothing runs in the background. A machine has the transition that is due next, and every request first lets everything
// happen that is due by now. So a fake clock, Advance and testing/synctest all work, and nothing leaks.
//
// # Open questions of the API
//
// Where API.md marks a behaviour as assumed, the emulator is as strict as that allows, because this uncovers mistakes of a
// client; Options choose other behaviours.
package emulator
