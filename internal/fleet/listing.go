package fleet

import (
	"context"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

const (
	// firstByID is how many machines, and how many names, a process looks up one by one before it lists a group.
	firstByID = 20

	// slowListing is how long to wait for a listing before reading machines by ID instead. The size of a group is
	// unknown before it is listed.
	slowListing = 3 * time.Second

	// wellUsed is the maximum number of machines in a listing for each wanted one with which the listing is still worth
	// repeating.
	wellUsed = 250
)

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

// list requests a listing of the group, and notifies the group's waits when it arrives. The caller holds the lock.
func (f *Fleet) list(ctx context.Context, g *knownGroup) *listing {
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

// listing returns a listing that answers for the machine, for the caller to await. It returns nil if no listing is
// worth its cost, or if the one under way may be older than a write. The caller holds the lock.
func (f *Fleet) listing(ctx context.Context, g *knownGroup, k *knownMachine) *listing {
	l := g.latest
	switch {
	case l == nil:
		l = f.list(ctx, g)
	case !l.isDone():
		if l.order < k.written {
			return nil
		}
	case !l.isOld() && (l.err != nil || l.order > k.read): // it has not answered for the machine yet
	default:
		l.want(k)
		if l.order < k.written && !l.isOld() || !l.mayBeRepeated(l.wanted) {
			return nil
		}
		l = f.list(ctx, g)
	}
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
