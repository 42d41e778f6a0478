package fleet

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

const (
	// keepListing is how long after its arrival a listing answers, or is not
	// repeated if it failed. A refresh shows its user one moment in time, and a
	// thousand machines take less than this.
	keepListing = time.Minute

	// slowListing is how long a listing is waited for before machines are read by
	// id instead. The size of a group is not known before it was listed.
	slowListing = 3 * time.Second

	// wellUsed is how many machines a listing may show for each one that is wanted
	// and still be worth repeating.
	wellUsed = 100

	// sameMoment is how long a listing of a whole group waits for others that want
	// it, too, before it is requested.
	sameMoment = 5 * time.Millisecond
)

// errSlow is a listing that takes longer than reads wait for one.
var errSlow = errors.New("the listing takes too long")

// listing is one list of machines, requested or arrived, that many callers
// share.
type listing struct {
	started   uint64         // everything this process had written by then is in it
	seen      map[int64]bool // machines that it has no more to tell about; true: wanted since it was requested
	wanted    int            // machines that were wanted since it was requested
	callers   int            // who waits for it to arrive
	asked     time.Time
	cancel    context.CancelFunc
	abandoned bool // cancelled, because nobody waited any more

	done     chan struct{} // closed on arrival; what follows does not change after it
	arrived  time.Time
	machines map[int64]cloudserver.VirtualMachine
	names    map[string]int64 // only of a listing of the names
	err      error
}

// start requests a listing, apart from its callers. What it returns is handed to
// arrived, with the lock, before anybody else sees it. The caller holds the lock,
// and joins.
func (f *Fleet) start(
	ctx context.Context, ask func(context.Context) ([]cloudserver.VirtualMachine, error), arrived func(*listing),
) *listing {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	l := &listing{started: f.tick(), seen: map[int64]bool{}, asked: time.Now(), cancel: cancel, done: make(chan struct{})}
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

// list requests a listing of the group for reads and waits. What was read by id
// since the one before is not answered from it: who reads it again wants to know whether
// it has changed. The caller holds the lock, and joins.
func (f *Fleet) list(ctx context.Context, g *group) *listing {
	l := f.start(ctx, func(ctx context.Context) ([]cloudserver.VirtualMachine, error) {
		return f.api.VirtualMachines(ctx, g.key.account, g.key.element)
	}, func(l *listing) {
		if l.err == nil {
			g.tell(l)
		}
	})
	for id := range g.byID {
		l.seen[id] = false
	}
	g.latest, g.byID = l, map[int64]bool{}
	return l
}

// List returns all machines of the group as they are now, soft-deleted ones
// excepted, sorted by id. Callers that ask in the same moment share a listing: it
// is requested after all of them have asked, so that it shows what was changed
// before, by whatever process. Reads of single machines are answered from it
// afterwards.
func (f *Fleet) List(ctx context.Context, account, element string) ([]cloudserver.VirtualMachine, error) {
	asked := f.Now()
	if err := cloudserver.Pause(ctx, sameMoment); err != nil {
		return nil, err
	}
	l := f.listingSince(ctx, account, element, asked)
	if err := f.await(ctx, l, nil); err != nil {
		return nil, err
	}
	byID := func(a, b cloudserver.VirtualMachine) int { return cmp.Compare(a.ID, b.ID) }
	return slices.SortedFunc(maps.Values(l.machines), byID), nil
}

// listingSince returns the listing of the group that was requested after the
// moment, or requests one.
func (f *Fleet) listingSince(ctx context.Context, account, element string, moment Moment) *listing {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.group(account, element).latest
	if !l.usable() || l.started <= uint64(moment) {
		l = f.list(ctx, f.group(account, element))
	}
	l.callers++
	return l
}

// usable reports whether there is a listing, requested or arrived.
func (l *listing) usable() bool { return l != nil && !l.abandoned }

// answers reports whether a read of the machine may share the listing: while it
// is under way, and, once for each machine, for a minute after. The caller holds
// the lock.
func (l *listing) answers(id int64) bool {
	_, seen := l.seen[id]
	return !l.isDone() || l.err == nil && !seen && l.isFresh()
}

// mayBeRepeated reports whether another listing is likely to cost less than reads
// of so many machines by id: none is under way, and the last was not far too
// large. One that failed, or was slow, is tried again after a minute. The caller
// holds the lock.
func (l *listing) mayBeRepeated(wanted int) bool {
	switch {
	case !l.usable():
		return true
	case !l.isDone():
		return false
	case l.err != nil, l.arrived.Sub(l.asked) >= slowListing:
		return !l.isFresh()
	}
	return len(l.machines) <= wellUsed*wanted
}

// isFresh reports whether the listing arrived less than a minute ago.
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

// join makes the caller one of those for whom the listing goes on. The caller
// has to await it. The caller holds the lock.
func (l *listing) join(id int64) *listing {
	l.callers++
	l.use(id)
	return l
}

// use notes that the machine was wanted, and that the listing has no more to tell
// about it. The caller holds the lock.
func (l *listing) use(id int64) {
	if !l.seen[id] {
		l.wanted++
	}
	l.seen[id] = true
}

// awaitBriefly is await for a read or a look, which a slow listing is not worth
// waiting for. The listing goes on for those that come later.
func (f *Fleet) awaitBriefly(ctx context.Context, l *listing) error {
	slow := time.NewTimer(time.Until(l.asked.Add(slowListing)))
	defer slow.Stop()
	return f.await(ctx, l, slow.C)
}

// await waits until a listing that the caller has joined arrives, or is slow. It
// is cancelled when the last caller gives up.
func (f *Fleet) await(ctx context.Context, l *listing, slow <-chan time.Time) error {
	if l.isDone() {
		return l.err
	}
	select {
	case <-l.done:
		return l.err
	case <-slow:
		return errSlow
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
