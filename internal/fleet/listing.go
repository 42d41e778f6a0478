package fleet

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// listing is one listing of a group, under way or arrived, that many callers
// share.
type listing struct {
	group   *group
	started uint64         // everything this process had written by then is in it
	told    map[int64]bool // machines that were read since shortly before it started
	used    int            // reads and looks that it answered, or will
	callers int            // who waits for it to arrive
	missed  int            // machines that it lacked and that a wait asked for by id
	asked   time.Time
	cancel  context.CancelFunc

	done     chan struct{} // closed on arrival; what follows does not change after it
	arrived  time.Time
	machines map[int64]cloudserver.VirtualMachine
	hidden   bool // the service does not list this group to us
	err      error
}

// list asks for a new listing of the group. The caller holds the lock, and
// joins.
func (f *Fleet) list(ctx context.Context, g *group) *listing {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	l := &listing{group: g, started: f.tick(), told: g.straight, asked: time.Now(), cancel: cancel, done: make(chan struct{})}
	g.latest, g.straight = l, map[int64]bool{}
	go func() {
		defer cancel()
		machines, err := f.api.VirtualMachines(ctx, g.key.account, g.key.name)
		f.arrive(l, machines, err)
	}()
	return l
}

// arrive fills in the listing and tells everybody.
func (f *Fleet) arrive(l *listing, machines []cloudserver.VirtualMachine, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer close(l.done)
	l.arrived = time.Now()
	if l.hidden = isHidden(err); !l.hidden {
		l.err = err
	}
	l.machines = make(map[int64]cloudserver.VirtualMachine, len(machines))
	for _, machine := range machines {
		l.machines[machine.ID] = machine
	}
	switch {
	case l.err != nil:
		l.forget()
	case !l.hidden:
		l.group.size, l.group.took = len(machines), l.arrived.Sub(l.asked)
		l.group.tell(l)
	}
}

// forget keeps further callers from joining. The caller holds the lock.
func (l *listing) forget() {
	if l.group.latest == l {
		l.group.latest = nil
	}
}

// isHidden reports whether a group cannot be listed although its machines may
// be readable: it was renamed or deleted, or may not be seen as a whole. That
// says nothing about any machine, so each is asked for by id.
func isHidden(err error) bool {
	status := cloudserver.StatusCode(err)
	return status == http.StatusNotFound || status == http.StatusForbidden || errors.Is(err, cloudserver.ErrNotDescribed)
}

// answers reports whether a read of the machine may share the listing: while it
// is under way, and, once for each machine, for a while after. The caller holds
// the lock.
func (l *listing) answers(id int64) bool {
	return !l.isDone() || !l.told[id] && l.isFresh()
}

// isFresh reports whether the listing arrived lately.
func (l *listing) isFresh() bool {
	return l.isDone() && time.Since(l.arrived) < keepListing
}

// isDone reports whether the listing has arrived.
func (l *listing) isDone() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

// join makes the caller one of those for whom the listing goes on. It has to
// await it. The caller holds the lock.
func (l *listing) join(id int64) *listing {
	l.callers++
	l.use(id)
	return l
}

// use notes that the listing answers for the machine. The caller holds the lock.
func (l *listing) use(id int64) {
	l.used++
	l.told[id] = true
}

// await is the caller's wait for a listing that it joined. The last one to give
// up cancels it.
func (f *Fleet) await(ctx context.Context, l *listing) error {
	select {
	case <-l.done:
		return l.err
	case <-ctx.Done():
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if l.callers--; l.callers == 0 && !l.isDone() {
		l.cancel()
		l.forget()
		if l.group.names == l {
			l.group.names = nil
		}
	}
	return ctx.Err()
}

// machine is a copy of the machine as listed, nil if it is not. The listing has
// arrived.
func (l *listing) machine(id int64) *cloudserver.VirtualMachine {
	machine, ok := l.machines[id]
	if !ok {
		return nil
	}
	return &machine
}
