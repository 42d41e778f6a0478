// Package fleet combines many reads and waits of single virtual machines into few API calls, and finds out which
// address a write may use. Terraform asks for one machine at a time, but the service can answer for a group at once
// (API.md §3).
//
//	fleet.go          the fleet, and what it knows of each machine
//	listing.go        one machine, by its id or from a listing that many share
//	shared_call.go    a request that many callers share; answers that are remembered
//	wait.go           waits until a machine is ready
//	wait_for.go       the same for what another answer than the machine's shows
//	names.go          which machine has a name
//	write_address.go  the path that leads only to the machine itself
//	directory.go      the accounts and groups, and which path leads only to one of them
//	proof.go          what a 404 means, which depends on whether the account is visible
//	domains.go        the domains of machines and accounts, as the service reported them
//	second.go         the second path to a machine or a group, which must deny it as well
//
// There are six rules.
//
//  1. The first twenty machines that a process reads or waits for are read by ID,
//     always and at once (firstByID). After that a group is listed when one of its
//     machines is wanted, and the listing answers for the others.
//  2. A listing answers for each machine once, because a second caller wants to know
//     whether something has changed. It does not answer for a machine that this
//     process has written to since it was requested, nor after a minute (keep). A
//     machine that it does not show is read by ID before it is believed gone: it may
//     have been moved, or be too young to be described. One that it shows twice is
//     read by ID, because one of the two entries is old. Names of new machines are
//     looked up in the same way, with a count of their own.
//  3. If a listing fails, or takes longer than three seconds (slowListing), machines
//     are read by ID, and the next listing is tried after a minute. A listing that
//     shows more than 250 machines for each one that is wanted (wellUsed) is used,
//     but not repeated while that is so.
//  4. A wait looks at once, after 0.2 s, after another 0.4 s, and so on, up to every
//     3 s (cloudserver.PauseAfter). One that may share a listing first looks after
//     0.2 s (joining). While fewer than four machines in a group are waited for
//     (listFrom), not counting those twenty, each is read by ID. From four on, all
//     waits look with one listing, which counts as a look of each. The fourth wait
//     that begins after a listing looks at once. A wait also looks at once in a
//     group so large that a listing would cost more than the reads it replaces.
//  5. A shared call is independent of its callers, who may give up. The client's own
//     limits on time and retries apply, so none hangs.
//  6. The order of events is decided by a counter, not by the time of day: two events
//     at the same instant still have an order.
//
// So one machine, or twenty in a group of 9,000, costs what it would without a
// fleet, and a thousand cost a few dozen requests, not counting those that change
// them.
package fleet
