// SPDX-License-Identifier: MPL-2.0

package inventory

import (
	"context"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// A listing of a group serves all callers that want one of its machines. But it also has the machines that nobody wants,
// and how many there are is unknown before it arrives. These limits keep one machine in a group of thousands as cheap as
// a read by ID, and a thousand as cheap as a few listings. They are estimates: no service was measured.
const (
	// firstByID is how many machines of a process are read by ID before a group is listed for further ones. Most
	// configurations have no more. It is also the number of names that are looked up one by one.
	firstByID = 20

	// listFrom is how many waits in a group look with one listing. It is lower than firstByID, because a wait looks many
	// times.
	listFrom = 4

	// slowListing is how long a caller waits for a listing before it reads its machine by ID instead. A listing that took
	// longer, or failed, is repeated only after a minute.
	slowListing = 3 * time.Second

	// wellUsed is how many machines a listing may have for each one that is wanted. One with more answers as well, but is
	// not repeated.
	wellUsed = 250
)

// groupKey identifies a group by the elements of its path.
type groupKey struct{ account, group string }

func (l Location) groupKey() groupKey { return groupKey{l.Account, cloudserver.IDText(l.GroupID)} }

// listings are those of one group.
type listings struct {
	inventory *Inventory
	key       groupKey
	last      *listing
	requested chan struct{}  // closed when the next one is requested
	wanted    map[int64]bool // machines that were asked for
	waits     int            // number of waits that do not look by ID
	joined    int            // number of those that began since the last listing was requested
}

// listing is a shared request whose answer has all machines of a group.
type listing struct{ *shared[machines] }

// machines are the machines of a listing, by their ID.
type machines map[int64]*cloudserver.VirtualMachine

// withID returns the machine with the ID, for the caller to keep, or nil.
func (m machines) withID(id int64) *cloudserver.VirtualMachine {
	if m[id] == nil {
		return nil
	}
	own := *m[id]
	return &own
}

// named returns the machine with the name, or nil.
func (m machines) named(name string) *cloudserver.VirtualMachine {
	for _, vm := range m {
		if vm.Name == name {
			return vm
		}
	}
	return nil
}

// group returns the listings of a group. The caller holds the lock.
func (v *Inventory) group(key groupKey) *listings {
	g, ok := v.listings[key]
	if !ok {
		g = &listings{inventory: v, key: key, requested: make(chan struct{}), wanted: map[int64]bool{}}
		v.listings[key] = g
	}
	return g
}

// request requests a listing, and notifies the group's waits. The caller holds the lock.
func (g *listings) request(ctx context.Context) *listing {
	g.last = &listing{begin(ctx, g.inventory.now(), func(ctx context.Context) (machines, error) {
		return g.inventory.list(ctx, g.key.account, g.key.group)
	})}
	g.joined = 0
	close(g.requested)
	g.requested = make(chan struct{})
	return g.last
}

// list returns the machines of a group.
func (v *Inventory) list(
	ctx context.Context, account, group string, options ...cloudserver.ReadOption,
) (machines, error) {
	found, err := v.api.VirtualMachines(ctx, account, group, options...)
	all := make(machines, len(found))
	for i := range found {
		all[found[i].ID] = &found[i]
	}
	return all, err
}

// forOne returns a listing that answers for one machine, or nil if it is to be read by ID. A machine that this process
// wrote to since the last listing is not worth another one within a minute: each of a thousand writes could cause one.
// The caller holds the lock.
func (g *listings) forOne(ctx context.Context, wanted int64, after, written time.Time) *listing {
	g.wanted[wanted] = true
	switch l := g.last; {
	case l == nil:
		return g.request(ctx)
	case l.counts(after):
		return l
	case !l.isOld() && written.After(l.began), !l.isWorthRepeating(len(g.wanted)):
		return nil
	}
	return g.request(ctx)
}

// counts reports whether the listing answers a question that was asked at the given time. It may be nil.
func (l *listing) counts(after time.Time) bool { return l != nil && l.shared.counts(after) }

// isOld reports whether the listing was requested more than a minute ago.
func (l *listing) isOld() bool { return time.Since(l.began) >= maxAge }

// isWorthRepeating reports whether another listing is likely to cost less than reading the wanted machines by ID.
func (l *listing) isWorthRepeating(wanted int) bool {
	switch {
	case !l.isDone():
		return false
	case l.err != nil, l.ended.Sub(l.began) >= slowListing:
		return time.Since(l.ended) >= maxAge
	}
	return len(l.value) <= wellUsed*wanted
}

// awaitBriefly waits for a listing, unless it is slow; then it continues for later callers. The result is nil if the
// listing is nil, slow or has failed, so that machines have to be read by ID. The error is the end of the caller's
// context, or a refusal of the credentials.
func (l *listing) awaitBriefly(ctx context.Context) (machines, error) {
	if l == nil {
		return nil, nil
	}
	brief, cancel := context.WithDeadline(ctx, l.began.Add(slowListing))
	defer cancel()
	all, err := l.await(brief)
	switch {
	case err == nil:
		return all, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case cloudserver.IsUnauthorized(err):
		return nil, err
	}
	return nil, nil
}
