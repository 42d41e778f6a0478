package fleet

import (
	"context"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// listing is one list of machines, requested or arrived, that many callers
// share.
type listing struct {
	started   uint64         // everything this process had written by then is in it
	read      map[int64]bool // machines that were read since shortly before it started
	used      int            // reads and looks that it answers
	callers   int            // who waits for it to arrive
	missed    int            // machines that it lacks and that a wait read by id
	asked     time.Time
	cancel    context.CancelFunc
	abandoned bool // cancelled, because nobody waited any more

	done     chan struct{} // closed on arrival; what follows does not change after it
	arrived  time.Time
	machines map[int64]cloudserver.VirtualMachine
	names    map[string]int64 // only of a listing of the names
	err      error
}

// start requests a listing. What it returns is handed to arrived, with the lock,
// before anybody else sees it. The caller holds the lock, and joins.
func (f *Fleet) start(
	ctx context.Context, ask func(context.Context) ([]cloudserver.VirtualMachine, error), arrived func(*listing),
) *listing {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	l := &listing{started: f.tick(), read: map[int64]bool{}, asked: time.Now(), cancel: cancel, done: make(chan struct{})}
	go func() {
		defer cancel()
		machines, err := ask(ctx)
		f.mu.Lock()
		defer f.mu.Unlock()
		defer close(l.done)
		l.arrived, l.err = time.Now(), err
		l.machines = make(map[int64]cloudserver.VirtualMachine, len(machines))
		for _, machine := range machines {
			l.machines[machine.ID] = machine
		}
		arrived(l)
	}()
	return l
}

// list requests a listing of the group for reads and waits. The caller holds the
// lock, and joins.
func (f *Fleet) list(ctx context.Context, g *group) *listing {
	l := f.start(ctx, func(ctx context.Context) ([]cloudserver.VirtualMachine, error) {
		return f.api.VirtualMachines(ctx, g.key.account, g.key.element)
	}, func(l *listing) {
		if l.err == nil {
			g.size, g.took = len(l.machines), l.arrived.Sub(l.asked)
			g.tell(l)
		}
	})
	l.read, g.latest, g.wanted = g.wanted, l, map[int64]bool{}
	return l
}

// usable reports whether there is a listing, requested or arrived.
func (l *listing) usable() bool { return l != nil && !l.abandoned }

// failed reports whether the listing has arrived as an error. That says nothing
// about any machine, so each is read by id.
func (l *listing) failed() bool {
	return l.usable() && l.isDone() && l.err != nil
}

// answers reports whether a read of the machine may share the listing: while it
// is under way, and, once for each machine, for a while after. The caller holds
// the lock.
func (l *listing) answers(id int64) bool {
	return !l.isDone() || l.err == nil && !l.read[id] && l.isFresh()
}

// isFresh reports whether the listing arrived less than a minute ago.
func (l *listing) isFresh() bool {
	return l.isDone() && time.Since(l.arrived) < keepListing
}

// isDone reports whether the listing has arrived.
func (l *listing) isDone() bool { return isClosed(l.done) }

// join makes the caller one of those for whom the listing goes on. The caller
// has to await it. The caller holds the lock.
func (l *listing) join(id int64) *listing {
	l.callers++
	l.use(id)
	return l
}

// use notes that the listing answers for the machine. The caller holds the lock.
func (l *listing) use(id int64) {
	l.used++
	l.read[id] = true
}

// await waits until a listing that the caller has joined arrives. It is cancelled
// when the last caller gives up.
func (f *Fleet) await(ctx context.Context, l *listing) error {
	select {
	case <-l.done:
		return l.err
	case <-ctx.Done():
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if l.callers--; l.callers == 0 && !l.isDone() {
		l.abandoned = true
		l.cancel()
	}
	return ctx.Err()
}

// machine returns a copy of the machine as listed, nil if it is not. The listing
// has arrived.
func (l *listing) machine(id int64) *cloudserver.VirtualMachine {
	machine, ok := l.machines[id]
	if !ok {
		return nil
	}
	return &machine
}
