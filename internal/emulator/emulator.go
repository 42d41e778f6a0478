package emulator

import (
	"sync"
	"time"
)

// Emulator is the service. It is an http.Handler, safe for concurrent use.
type Emulator struct {
	options Options
	table   []route

	mu       sync.Mutex // guards all fields below
	store    *store
	changes  int // counts changes of the state
	offset   time.Duration
	journal  journal
	faults   []*armed
	lastID   int             // of the armed faults
	others   []WorldFault    // counts of faults that belong to other processes
	creating map[string]bool // paths of groups with a vm_create in progress
	second   int64           // of the rate limit
	requests int             // in that second
	watcher  func()          // of Watch
}

// New returns a service with one account, two groups and one user.
func New(options Options) *Emulator {
	if options.Vendor == "" {
		options.Vendor = "example"
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	e := &Emulator{options: options, table: routes(), store: newStore(options), creating: map[string]bool{}}
	e.armOwn()
	return e
}

// Advance moves the emulator's clock forward. What is due by then happens, in the order of time.
func (e *Emulator) Advance(d time.Duration) { e.SetClock(e.Now().Add(d)) }

// SetClock sets the emulator's clock, which continues from there. Setting it back undoes nothing.
func (e *Emulator) SetClock(to time.Time) { e.setOffset(to.Sub(e.options.Now())) }

// setOffset sets how far the emulator's clock is ahead of Options.Now.
func (e *Emulator) setOffset(offset time.Duration) {
	e.mu.Lock()
	e.offset, e.changes = offset, e.changes+1
	e.mu.Unlock()
	e.changed()
}

// ResetClock makes the emulator's clock follow Options.Now again.
func (e *Emulator) ResetClock() { e.setOffset(0) }

// Now returns the emulator's own time.
func (e *Emulator) Now() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.now()
}

// now returns the emulator's own time. The caller holds the lock.
func (e *Emulator) now() time.Time { return e.options.Now().Add(e.offset) }

// update calls f with the store, after everything that is due by now has happened.
func (e *Emulator) update(f func(*store)) {
	defer e.changed()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.changes++
	e.store.runDue(e.now())
	f(e.store)
	e.store.record(e.now(), cause{by: ByStaff})
}
