package emulator

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// Emulator is the service. It is an http.Handler, safe for concurrent use.
type Emulator struct {
	options Options
	table   []route

	saving sync.Mutex // held from a change until it is saved or undone; guards saved
	saved  []byte     // the state that was saved last

	mu       sync.Mutex // guards all below
	store    *store
	offset   time.Duration
	journal  journal
	faults   []*armed
	lastID   int             // of the armed faults
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
	return &Emulator{options: options, table: routes(), store: newStore(options), creating: map[string]bool{}}
}

// Advance moves the emulator's own clock forward. What is due by then happens, in order of time.
func (e *Emulator) Advance(d time.Duration) { e.SetClock(e.Now().Add(d)) }

// SetClock puts the emulator's own clock to a time, from which it goes on. Put back, it undoes nothing.
func (e *Emulator) SetClock(to time.Time) {
	e.mu.Lock()
	e.offset = to.Sub(e.options.Now())
	e.mu.Unlock()
	e.changed()
}

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
	e.store.runDue(e.now())
	f(e.store)
	e.store.settle(e.now(), cause{by: ByStaff})
}

// outcome is what is sent to the client.
type outcome struct {
	status int
	header http.Header
	body   []byte
	cut    bool // the connection is closed after sent bytes of the body
	sent   int

	reached Reached
}

// ServeHTTP answers one request.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	send(w, e.answer(r))
}

// answer takes a request through rate limit, fault, latency, service and journal.
func (e *Emulator) answer(r *http.Request) outcome {
	start := time.Now()
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBody))
	if err != nil {
		return e.encode(plain(http.StatusRequestEntityTooLarge, "the request is too large or incomplete"))
	}
	e.mu.Lock()
	request := e.store.describe(r, body, e.now())
	e.mu.Unlock()
	fault := e.fault(request)
	request.Fault = fault.Name

	var result outcome
	if e.limited() {
		result = e.encode(plain(http.StatusTooManyRequests, "too many requests"))
		result.header.Set("Retry-After", "1")
	} else {
		result = e.perform(r, body, fault)
	}
	request.Reached = result.reached
	request.Status, request.Duration = result.status, time.Since(start)
	request.Reason = reason(result)
	e.note(request)
	return result
}

// limited counts a request and reports whether Options.RateLimit refuses it.
func (e *Emulator) limited() bool {
	if e.options.RateLimit <= 0 {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if second := e.now().Unix(); second != e.second {
		e.second, e.requests = second, 0
	}
	e.requests++
	return e.requests > e.options.RateLimit
}

// perform does what was asked, as the fault allows. There is no answer for a client that has gone away.
func (e *Emulator) perform(r *http.Request, body []byte, fault Fault) outcome {
	contested, release := e.claimCreate(r)
	defer release()

	if !wait(r.Context(), e.options.Latency) {
		return outcome{cut: true}
	}
	if !fault.AfterEffect && !wait(r.Context(), fault.Delay) {
		return outcome{cut: true}
	}
	if fault.prevents() {
		return fault.distort(outcome{})
	}
	result := e.serve(r, body, contested)
	distorted := outcome{cut: true}
	if !fault.AfterEffect || wait(r.Context(), fault.Delay) {
		distorted = fault.distort(result)
	}
	distorted.reached = result.reached
	return distorted
}

// wait waits for d and reports whether the context is still alive.
func wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// send writes an outcome to a real connection.
func send(w http.ResponseWriter, o outcome) {
	if o.cut && o.sent == 0 {
		drop(w)
		return
	}
	header := w.Header()
	for name, values := range o.header {
		header[name] = values
	}
	if o.cut {
		// net/http closes a connection on which less was sent than declared.
		header.Set("Content-Length", itoa(len(o.body)))
		o.body = o.body[:o.sent]
	}
	w.WriteHeader(o.status)
	// The client may be gone.
	_, _ = w.Write(o.body)
}

// drop closes the connection without an answer.
func drop(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		// Not HTTP/1: a missing body is the closest thing.
		w.Header().Set("Content-Length", "1")
		return
	}
	// It is closed either way.
	_ = conn.Close()
}
