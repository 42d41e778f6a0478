// Package fleet turns many reads and waits of single virtual machines into few
// API calls, and finds out which address a write may use. Terraform asks for one
// machine at a time; the service can answer for a group at once (API.md §3).
//
//	fleet.go          the fleet, and what it knows of each machine
//	listing.go        one machine, by its id or from a listing that many share
//	shared_call.go    a request that many callers share; answers that are remembered
//	wait.go           waits until a machine is ready
//	names.go          who holds a name
//	write_address.go  the address that only the machine itself answers to
//	directory.go      the accounts and groups, and which path leads to one alone
//
// There are six rules.
//
//  1. The first twenty machines that a process reads or waits for go by ID, always
//     and at once (firstByID). After that a group is listed when one of its machines
//     is wanted, and the listing answers for the others.
//  2. A listing answers for each machine once: who asks again wants to know whether
//     something has changed. It does not answer for a machine that this process has
//     written to since it was requested, nor after a minute (keep). What it
//     does not show is read by ID before it is believed gone: it may have been
//     moved, or be too young to be described. What it shows twice is read by ID,
//     because one of the two is from before. The names of new machines are asked
//     for in the same way, with a count of their own.
//  3. A listing that fails, or takes longer than three seconds (slowListing), says
//     nothing: machines are read by ID, and it is tried again after a minute. One
//     that shows more than 250 machines for each one that is wanted (wellUsed) is
//     used, and not repeated while that is so.
//  4. A wait looks after 0.1 s, 0.2 s more, 0.4 s more, up to every 3 s
//     (cloudserver.PauseAfter). While fewer than four machines, those twenty not
//     counted, are waited for in a group (listFrom), each looks by ID. From four on
//     one look of all is a listing, and all waits learn from it: it counts
//     as a look of theirs. The fourth that has begun to wait since the last listing
//     looks at once.
//  5. A shared call runs apart from its callers, who may give up. It has the client's
//     own limits on time and retries, so none hangs.
//  6. What happened first is decided by a counter, not by the time of day: two
//     events in one instant still have an order.
//
// So one machine, or twenty in a group of 9,000, costs what it would without a
// fleet, and a thousand cost a few dozen requests beside those that change them.
package fleet
