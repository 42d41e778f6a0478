// Package emulator implements the service itself, in memory, over net/http: every call of API.md with its refusals, for
// users without an account and for tests.
//
// It shares no type with the client on purpose: otherwise a wrong JSON tag would be on both sides, and tests would
// pass.
//
// Package console, below this one, is the server behind the command emulator: its page, its control paths and its flags.
// Package guest lets machines answer over TCP. Package shape has the forms of answers that API.md leaves open, and
// package variants services that use such freedoms.
//
// # Time
//
// Nothing runs in the background. A machine has its next transition, and every request first carries out everything
// that is due by now. So a fake clock, Advance and testing/synctest all work, and nothing leaks.
//
// # Open questions of the API
//
// Where API.md marks a behaviour as assumed, the emulator is as strict as possible, because that uncovers mistakes of
// clients. Options select other behaviours.
package emulator
