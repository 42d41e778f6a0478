// SPDX-License-Identifier: MPL-2.0

// Package emulator is the service in memory, an http.Handler and an http.RoundTripper: every call of API.md with its
// refusals. Nothing runs in the background: each request first carries out what is due, so a fake clock works. It
// shares no type with the client, because a wrong JSON tag would then be on both sides. Where API.md assumes, it is
// strict.
package emulator

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// Options configure the emulator. The zero value is a service without delays.
type Options struct {
	// BootTime is the time from switching a machine on until power_on is true, and the duration of a reimage.
	BootTime time.Duration
	// ShutdownTime is how long a guest takes to react to the powerdown signal.
	ShutdownTime time.Duration
	// CopyTime is the duration of a migration, a backup or a restore of a disc.
	CopyTime time.Duration
	// Guests gives new machines addresses in GuestIPv4. Their guests answer GuestBoot after the machine is on.
	Guests    bool
	GuestBoot time.Duration
	// Latency is added to every answer.
	Latency time.Duration
	// FirstID is the number after which IDs are assigned. Default 1000.
	FirstID int64

	// IgnorePowerdown makes every guest ignore the powerdown signal.
	IgnorePowerdown bool
	// RateLimit is the number of requests per second; further ones are answered with 429. 0 means no limit.
	RateLimit int
	// Faults are injected from the start.
	Faults []Fault
	// Open ignores credentials: every request is that of a user who sees every account, and every login is accepted.
	Open bool

	// JournalSize limits the number of requests in the journal; 0 means no limit.
	JournalSize int
	// Log receives one line per request with time, method, path and status, but never a body, header or query.
	Log io.Writer
	// Alone calls work while no other process works on the same world. work sees all earlier changes, and its own are
	// saved, or undone, before Alone returns. nil means that the world is in this process alone.
	Alone func(ctx context.Context, work func()) error
}

// Emulator is the service. It is safe for concurrent use.
type Emulator struct {
	options Options
	mux     *http.ServeMux

	mu        sync.Mutex // guards all fields below
	world     *world
	changes   int // counts possible changes of the world
	sessions  map[string]*session
	usedCodes map[string]bool // by user and code
	faults    []*ArmedFault
	lastFault int // ID
	journal   []Request
	dropped   int // number of requests that the journal no longer has
	power     Power
	second    int64 // of the rate limit
	requests  int   // in that second
}

// New returns a service with one account, two groups and one user.
func New(options Options) *Emulator {
	e := &Emulator{options: options, sessions: map[string]*session{}, usedCodes: map[string]bool{}}
	e.mux = e.routes()
	w := &world{NextID: cmp.Or(options.FirstID, 1000), Accounts: []*account{{
		Name: DemoAccount, Groups: []*group{{Name: DefaultGroup}, {Name: PrivateGroup, PrivateVLAN: &vlan{}}},
	}}}
	if err := e.adopt(w); err != nil {
		panic(err) //nolint:forbidigo // the world is the one above
	}
	e.ResetFaults()
	return e
}

// now returns the time in UTC, in which a world is saved.
func now() time.Time { return time.Now().UTC() }

// update calls f after everything that is due by now has happened.
func (e *Emulator) update(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.changes++
	e.runDue(now())
	f()
}

// Alone calls work while no other process works on the world (Options.Alone).
func (e *Emulator) Alone(ctx context.Context, work func()) error {
	if e.options.Alone == nil {
		work()
		return nil
	}
	return e.options.Alone(ctx, work)
}
