package fleet

import (
	"context"
	"math"
	"time"
)

const (
	// straightFirst is how many reads in an account go by id at once, so that a
	// small configuration waits for nothing.
	straightFirst = 2

	// wellUsed is the smallest part of a listing, one in so many machines, that
	// has to be wanted for the listing to be cheaper than reads by id.
	wellUsed = 10

	// keepListing is how long after its arrival a listing answers further reads.
	// A refresh shows its user one moment in time, and a thousand machines take
	// less than this. Counted from the arrival, so that a slow service is not
	// asked more often for being slow.
	keepListing = time.Minute
)

// listingForRead returns a listing that may answer for the machine, nil when the
// machine is to be read by id.
func (f *Fleet) listingForRead(ctx context.Context, m Machine) (*listing, error) {
	if m.Account == "" || m.group() == "" {
		return nil, nil
	}
	l, more := f.joinOrGather(ctx, m)
	if more == nil {
		return l, nil
	}
	select {
	case <-more:
		return f.joinOrGoStraight(m), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// joinOrGather returns a listing for the machine, or a channel to wait on until
// it is decided whether there will be one. Both are nil when the machine is to
// be read by id.
func (f *Fleet) joinOrGather(ctx context.Context, m Machine) (*listing, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if l := f.current(m); l != nil {
		return l.join(m.ID), nil
	}
	g, a := f.group(m.Account, m.group()), f.account(m.Account)
	if !g.wanted[m.ID] {
		g.wanted[m.ID] = false
	}
	switch {
	case len(g.wanted) >= g.worth(a):
		return f.list(ctx, g).join(m.ID), nil
	case g.latest.usable() || a.all.failed() || len(a.straight) < straightFirst:
		f.readStraight(a, g, m.ID)
		return nil, nil
	default:
		return nil, f.gather(ctx, a, g, m.ID)
	}
}

// joinOrGoStraight returns a listing for the machine, nil when it is to be read
// by id.
func (f *Fleet) joinOrGoStraight(m Machine) *listing {
	f.mu.Lock()
	defer f.mu.Unlock()
	if l := f.current(m); l != nil {
		return l.join(m.ID)
	}
	f.readStraight(f.account(m.Account), f.group(m.Account, m.group()), m.ID)
	return nil
}

// current returns a listing, of the group or of the account, that answers for the
// machine. The caller holds the lock.
func (f *Fleet) current(m Machine) *listing {
	g := f.group(m.Account, m.group())
	for _, l := range []*listing{g.latest, f.account(m.Account).all} {
		if l.usable() && l.started > max(g.written, f.writes[m.ID].at) && l.answers(m.ID) {
			return l
		}
	}
	return nil
}

// readStraight notes a read by id. What it shows is newer than the latest
// listings, which therefore have nothing more to tell about the machine. The
// caller holds the lock.
func (f *Fleet) readStraight(a *account, g *group, id int64) {
	a.straight[id], g.wanted[id] = true, true
	for _, l := range []*listing{g.latest, a.all} {
		if l != nil {
			l.read[id] = true
		}
	}
}

// worth returns how many machines have to be wanted for a listing of the group
// to cost less than reading them by id.
func (g *group) worth(a *account) int {
	switch l := g.latest; {
	case !l.usable() && a.all.failed(): // machines of several groups are wanted
		return straightFirst + 1
	case !l.usable():
		return worthListing
	case l.failed() && time.Since(l.arrived) < keepListing:
		return math.MaxInt
	case g.size > wellUsed*l.used:
		return max(worthListing, g.size/wellUsed)
	case l.failed(), l.started < g.written:
		return worthListing
	default:
		return 1 // it has only grown old
	}
}
