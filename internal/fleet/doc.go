// Package fleet turns many reads and waits of single virtual machines into few
// API calls, and finds out which address a write may use. Terraform asks for one
// machine at a time; the service can answer for a whole group, or a whole
// account, at once (API.md §3).
//
//	fleet.go          the fleet, what it knows of a group, what was written
//	read.go           one machine: by its id, or from a listing
//	account.go        reads that wait for each other, and the listing of an account
//	listing.go        one listing, shared by many callers
//	listing_choice.go whether a machine is read by id, or from which listing
//	list.go           a whole group
//	write_address.go  the address that only the machine itself answers to
//	names.go          the listing of a group's names, for write_address.go and holder.go
//	holder.go         who holds a name, and which machines are tracked
//	planned_names.go  names that this run plans: taken twice, exchanged, freed
//	wait.go           waits until a machine is ready
//	look.go           one look of a wait
//	watch.go          who waits, and which listing is news to them
//	pace.go           when a wait looks
//	errors.go         a wait that timed out; a machine without a safe address
//
// # Reads
//
// The first reads in an account go by id, so that one machine costs one small
// request. A further one waits 25 ms for others. If six machines or more are
// wanted by then, their group is listed, or, if they are in three groups or more,
// their account. Otherwise they are read by id: five machines of a group of 9,000
// cost five small requests. Where more are wanted, but the listing takes longer
// than three seconds, the reads go by id as well.
//
// A listing is kept for the reads that follow: a refresh comes in waves of ten,
// and is one moment in time to its user. Four rules keep that honest. A listing
// does not answer for what this process has written, to the group or to the
// machine, since it was requested. It answers for each machine once: who asks
// again wants to know whether something has changed. It is dropped after a
// minute. And a machine that it does not show is read by id before it is taken
// for gone: it may have been moved, or be too young to be described.
//
// After a listing that few of its machines were wanted from, the next one is put
// off until one machine in ten is wanted. A listing that fails says nothing about
// any machine: for a minute, all are read by id.
//
// # Waits
//
// A wait looks at its machine at a pace of its own. While at least three wait in
// a group, a look is a listing, which is news to all of them and moves their own
// next looks away; so a hundred machines cost hardly more requests than one.
// Where machines are ready at once, listings would follow each other without a
// pause: they keep a distance of twice what one takes, and of 150 ms while fewer
// wait than ever did, so that each serves many.
//
// Measured with 1,000 machines that are ready at once, ten at a time and 50 ms
// latency: shared listings take 1.1 requests per machine, and single looks 2.0.
// Listings cost more: 1.8 s of CPU instead of 1.0 s, and on a busy machine 19 s
// instead of 14 s in all. Requests were chosen: what a machine takes to boot hides
// that difference in practice, and many services limit requests. Without the pace
// that a group learns, the same apply takes 143 s instead of 13 s in simulated
// time.
//
// # Shared calls
//
// A listing runs apart from the callers that share it: it goes on while one of
// them waits, and is cancelled when the last one gives up. Every call
// has the client's own limits on time and retries, so none hangs.
//
// What counts as earlier or later is decided by a counter, not by the time of
// day: two events in one instant still have an order.
package fleet
