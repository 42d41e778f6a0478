// Package fleet turns many reads and waits of single virtual machines into few
// API calls. Terraform asks for one machine at a time; the service can answer
// for a whole group at once (API.md §3).
//
//	fleet.go    the fleet, what it knows of a group, what was written
//	read.go     one machine: by its id, or from a listing of its group
//	listing.go  one listing, shared by all who can use it
//	list.go     a whole group
//	name.go     who holds a name
//	wait.go     until a machine is ready, or gone
//	look.go     one look of a wait
//	watch.go    who waits, and which listing is news to them
//	pace.go     when a wait looks
//	errors.go   a wait that ended without its machine
//
// # Reads
//
// The first reads in a group go by id, so that one machine costs one small
// request; the next asks for a listing, which the others share. The listing is
// kept for those that follow: a refresh comes in waves of ten, and is one moment
// in time to its user. Four things keep that honest. A listing tells nothing
// about what this process wrote to the group, or to the machine, since it was
// asked for. It answers for each machine once: whoever asks again wants to know
// whether something has changed. It is forgotten after a minute. And a machine
// that it does not show is asked for by id before it is believed gone: it may
// have been moved, or be too young to be described.
//
// A listing that few of its machines were wanted from was dearer than asking for
// those by id, so the next one is put off, the longer the bigger the group.
//
// # Waits
//
// A wait looks at its machine at a pace of its own. While at least three wait in
// a group, a look is a listing, which is news to all of them and moves their own
// next looks away; so a hundred machines cost hardly more requests than one. Where
// machines are ready at once, listings would follow each other without a pause:
// they keep a distance of twice what one takes, so that each serves many.
//
// # Shared calls
//
// A listing runs apart from the callers that share it: it goes on while one of
// them waits, whoever else gives up, and is cancelled with the last. Its error
// reaches each of them, and is not kept. Every call has the client's own limits
// on time and retries, so none hangs.
//
// What counts as earlier or later is decided by a counter, not by the time of
// day: two things in one instant still have an order.
package fleet
