package emulator

import (
	"sync"
	"time"
)

// Emulator is the service. It is an http.Handler, safe for concurrent use.
type Emulator struct {
	options Options
	table   []route

	mu       sync.Mutex // guards all below
	store    *store
	changes  int // that the state may have had, so far
	offset   time.Duration
	journal  journal
	faults   []*armed
	lastID   int             // of the armed faults
	others   []WorldFault    // counts of faults that other processes were started with
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

// Advance moves the emulator's own clock forward. What is due by then happens, in order of time.
func (e *Emulator) Advance(d time.Duration) { e.SetClock(e.Now().Add(d)) }

// SetClock puts the emulator's own clock to a time, from which it goes on. Put back, it undoes nothing.
func (e *Emulator) SetClock(to time.Time) { e.setOffset(to.Sub(e.options.Now())) }

// setOffset puts the emulator's own clock before Options.Now.
func (e *Emulator) setOffset(offset time.Duration) {
	e.mu.Lock()
	e.offset, e.changes = offset, e.changes+1
	e.mu.Unlock()
	e.changed()
}

// ResetClock lets the emulator's own clock go with Options.Now again.
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
	e.store.settle(e.now(), cause{by: ByStaff})
}
