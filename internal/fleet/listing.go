package fleet

import (
	"context"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// A machine is read by its ID, or in a listing of its group, which serves all callers that want one of its machines.
// But a listing also has the machines that nobody wants, and how many there are is unknown before it arrives. These
// limits keep one machine in a group of thousands as cheap as a read by ID, and a thousand as cheap as a few listings.
// They are estimates: no service was measured.
const (
	// firstByID is how many machines of a process are read by ID before a group is listed for further ones. Most
	// configurations have no more. It is also the number of names that are looked up one by one.
	firstByID = 20

	// listFrom is how many waits in a group look with one listing. It is lower than firstByID, because a wait looks many
	// times.
	listFrom = 4

	// slowListing is how long a caller waits for a listing before it reads its machine by ID instead. A listing that took
	// longer, or failed, is repeated only after a minute (keep).
	slowListing = 3 * time.Second

	// wellUsed is how many machines a listing may have for each one that is wanted. One with more answers as well, but is
	// not repeated.
	wellUsed = 250
)

// A listing may be a minute old (keep), but it must not be older than what this process knows of the machine. So one
// clock orders the reads and writes of each machine, and the listings:
//
//   - A listing from before a write to the machine does not answer for it: it may show the machine as it was.
//   - A listing from before the last read of the machine does not answer for it: a caller that reads again wants to know
//     what has changed since.
//
// A machine that a listing lacks is read by ID: it may have been moved, or be too new.

// groupKey identifies what is listed of a group.
type groupKey struct {
	account, group string // path elements
	names          bool   // names alone, soft-deleted machines included
}

// listingKey returns the key of the listing that shows a machine.
func (l Location) listingKey() groupKey {
	return groupKey{account: l.Account, group: cloudserver.IDText(l.GroupID)}
}

// knownGroup is what this process knows about one group.
type knownGroup struct {
	key     groupKey
	latest  *listing      // the last one requested; nil: none
	arrived *listing      // the last one that arrived without an error
	news    chan struct{} // closed when the next one arrives
	waiting int           // number of waits that do not look by ID
	begun   int           // number of those that began since the last listing was requested
}

// listing is one list of machines that many callers share.
type listing struct {
	*call[machines]
	order  uint64 // it contains everything that this process wrote before
	wanted int    // number of machines, or names, wanted since it was requested
}

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

// group returns what is known of a group. The caller holds the lock.
func (f *Fleet) group(key groupKey) *knownGroup {
	g, ok := f.groups[key]
	if !ok {
		g = &knownGroup{key: key, news: make(chan struct{})}
		f.groups[key] = g
	}
	return g
}

// requestListing requests a listing of the group, and notifies the group's waits when it arrives. The caller holds the
// lock.
func (f *Fleet) requestListing(ctx context.Context, g *knownGroup) *listing {
	var options []cloudserver.ReadOption
	if g.key.names {
		options = []cloudserver.ReadOption{cloudserver.IncludeDeleted, cloudserver.WithoutOverview}
	}
	l := &listing{order: f.tick(), call: share(ctx, func(ctx context.Context) (machines, error) {
		found, err := f.api.VirtualMachines(ctx, g.key.account, g.key.group, options...)
		all := make(machines, len(found))
		for i := range found {
			all[found[i].ID] = &found[i]
		}
		return all, err
	})}
	g.latest, g.begun = l, 0
	go func() {
		<-l.done
		f.mu.Lock()
		defer f.mu.Unlock()
		if l.err == nil {
			g.arrived = l
			close(g.news)
			g.news = make(chan struct{})
		}
	}()
	return l
}

// listingForRead returns a listing that answers for the machine, for the caller to await. It returns nil if the machine
// is to be read by ID. The caller holds the lock.
func (f *Fleet) listingForRead(ctx context.Context, g *knownGroup, k *knownMachine) *listing {
	l := g.latest
	if l == nil {
		l = f.requestListing(ctx, g)
	}
	l.want(k)
	switch {
	case l.order < k.written && !l.isOld(): // otherwise each of a thousand writes could cause a listing
		return nil
	case !l.isDone():
		return l
	case l.err != nil && !l.isOld(): // awaitBriefly decides by the error
		return l
	case l.order > k.read && !l.isOld(): // it has not answered for the machine yet
		return l
	case !l.mayBeRepeated(l.wanted):
		return nil
	}
	l = f.requestListing(ctx, g)
	l.want(k)
	return l
}

// want counts the machine as wanted from the listing, once. The caller holds the lock.
func (l *listing) want(k *knownMachine) {
	if k.counted != l.order {
		k.counted = l.order
		l.wanted++
	}
}

// mayBeRepeated reports whether another listing is likely to cost less than reading the wanted machines by ID: the last
// one was neither much too large nor, within the last minute, too slow.
func (l *listing) mayBeRepeated(wanted int) bool {
	if l.err != nil || l.arrived.Sub(l.asked) >= slowListing {
		return l.isOld()
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
	brief, cancel := context.WithDeadline(ctx, l.asked.Add(slowListing))
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
