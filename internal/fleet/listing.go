package fleet

import (
	"context"
	"errors"
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

// groupKey is a group as addressed in a path. One group may have two keys, its name and its ID, so writes are noted for
// each machine and not for the group.
type groupKey struct {
	account, element string
	names            bool // for listings of names, which include soft-deleted machines
}

// knownGroup is what this process knows about one group.
type knownGroup struct {
	key     groupKey
	latest  *listing      // the last one requested; nil: none
	arrived *listing      // the last one that arrived without an error
	news    chan struct{} // closed when the next one arrives
	waiting int           // number of waits that do not look by ID
	most    int           // the largest number of them at a time
	begun   int           // number of those that began since the last listing was requested
}

// listing is one list of machines that many callers share.
type listing struct {
	*call[listed]
	order  uint64 // it contains everything that this process wrote before
	wanted int    // number of machines, or names, wanted since it was requested
}

// listed are the machines of a listing. A machine or a name that appears more than once is not used: one entry may be
// old.
type listed struct {
	byID     map[int64]cloudserver.ListedMachine // those that appear once
	holders  map[string]int64                    // by name: the machine's ID, or inDoubt
	repeated map[int64]bool
}

// inDoubt is the holder of a name that appears for several machines, or for a machine that appears more than once.
const inDoubt = -1

// index returns the machines of a listing by ID and by name.
func index(machines []cloudserver.ListedMachine) listed {
	all := listed{
		byID:     make(map[int64]cloudserver.ListedMachine, len(machines)),
		holders:  make(map[string]int64, len(machines)),
		repeated: map[int64]bool{},
	}
	for _, machine := range machines {
		if _, again := all.byID[machine.ID]; again {
			all.repeated[machine.ID] = true
		}
		all.byID[machine.ID] = machine
	}
	for _, machine := range machines {
		holder := machine.ID
		if _, again := all.holders[machine.Name]; again || all.repeated[holder] {
			holder = inDoubt
		}
		all.holders[machine.Name] = holder
	}
	for id := range all.repeated {
		delete(all.byID, id)
	}
	return all
}

// goesByID reports whether the machine is read by ID: it is one of the first, or its group is unknown. The caller holds
// the lock.
func (f *Fleet) goesByID(m Machine) bool {
	k := f.machine(m.ID)
	if !k.byID && f.first < firstByID {
		k.byID = true
		f.first++
	}
	return k.byID || m.Account == "" || m.group() == ""
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
	l := &listing{order: f.tick(), call: share(ctx, func(ctx context.Context) (listed, error) {
		machines, err := f.api.ListVirtualMachines(ctx, g.key.account, g.key.element, options...)
		return index(machines), err
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
// worth its cost, or if the one in progress may be older than a write. The caller holds the lock.
func (f *Fleet) listing(ctx context.Context, g *knownGroup, k *knownMachine) *listing {
	l := g.latest
	switch {
	case l == nil:
		l = f.list(ctx, g)
	case !l.isDone() && l.order < k.written:
		return nil
	case !l.isDone(), !l.isOld() && (l.err != nil || l.order > k.read):
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
// one was neither much too large nor, within the last minute, too slow. The caller holds the lock.
func (l *listing) mayBeRepeated(wanted int) bool {
	if l.err != nil || l.arrived.Sub(l.asked) >= slowListing {
		return l.isOld()
	}
	return l.size() <= wellUsed*wanted
}

// size returns how many machines the listing shows. It has arrived.
func (l *listing) size() int { return len(l.value.byID) + len(l.value.repeated) }

// awaitBriefly waits for a listing, unless it is slow; then it continues for later callers. The result is empty if the
// listing does not help. The error is the end of the caller's context, or a refusal of the credentials.
func (f *Fleet) awaitBriefly(ctx context.Context, l *listing) (listed, error) {
	brief, cancel := context.WithDeadline(ctx, l.asked.Add(slowListing))
	defer cancel()
	all, err := l.await(brief)
	switch held := f.api.Throttled(); {
	case err == nil, cloudserver.IsUnauthorized(err):
		return all, err
	case errors.Is(ctx.Err(), context.DeadlineExceeded) && held != nil:
		return listed{}, &heldError{held, ctx.Err()}
	case ctx.Err() != nil:
		return listed{}, ctx.Err()
	}
	return listed{}, nil
}

// heldError is the end of a caller's context while the service holds up all requests.
type heldError struct{ why, ended error }

// Error explains why all requests are held.
func (e *heldError) Error() string { return "timed out; " + e.why.Error() }

// Unwrap returns the context's error.
func (e *heldError) Unwrap() error { return e.ended }

// from returns the machine as the listing shows it. The machine is read by ID if l is nil, or if the listing lacks it,
// shows it more than once or with a credential, or failed. If a young machine is not listed yet, the error is errNotListed.
func (f *Fleet) from(ctx context.Context, l *listing, m Machine, isYoung bool) (*cloudserver.VirtualMachine, error) {
	if l != nil {
		all, err := f.awaitBriefly(ctx, l)
		machine, isListed := all.byID[m.ID]
		switch {
		case err != nil:
			return nil, err
		case isListed:
			if vm, ok := machine.VirtualMachine(); ok {
				return m.admit(ctx, vm, l.asked)
			}
		case all.byID != nil && isYoung && !all.repeated[m.ID]:
			return nil, errNotListed
		}
	}
	return f.Look(ctx, m)
}

// Look reads the machine by its ID, now.
func (f *Fleet) Look(
	ctx context.Context, m Machine, options ...cloudserver.ReadOption,
) (*cloudserver.VirtualMachine, error) {
	asked := time.Now()
	vm, err := f.api.VirtualMachine(ctx, m.ID, options...)
	if err != nil {
		return nil, err
	}
	return m.admit(ctx, vm, asked)
}

// admit returns the machine that an answer describes, or an error if it is not known to be this one. Every answer about a
// machine passes here.
func (m Machine) admit(
	ctx context.Context, vm *cloudserver.VirtualMachine, asked time.Time,
) (*cloudserver.VirtualMachine, error) {
	if err := m.Origin.Admit(ctx, vm, asked); err != nil {
		return nil, err
	}
	return vm, nil
}

// Read returns the machine as the service has it now, or as shown in a listing that is still valid (see the package
// comment). If the machine does not exist, it returns the client's not-found error, and if it cannot be described yet,
// [cloudserver.ErrNotDescribed].
func (f *Fleet) Read(ctx context.Context, m Machine) (*cloudserver.VirtualMachine, error) {
	f.mu.Lock()
	k := f.machine(m.ID)
	var l *listing
	if !f.goesByID(m) {
		l = f.listing(ctx, f.group(groupKey{m.Account, m.group(), false}), k)
	}
	k.read = f.tick()
	f.mu.Unlock()
	return f.from(ctx, l, m, false)
}
