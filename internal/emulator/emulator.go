package emulator

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// Options adjust the emulator. The zero value is a service without delays.
type Options struct {
	// BootTime is from "on" being asked to power_on being true, and what a
	// reimage takes. 0: at once, the very next request sees it on.
	BootTime time.Duration
	// ShutdownTime is a guest's reaction to the powerdown signal. 0: at once.
	ShutdownTime time.Duration
	// DescribeAfter is how long after its creation a machine cannot be
	// described: single reads answer 202, lists leave it out (api.md §3).
	DescribeAfter time.Duration
	// Latency is added to every answer.
	Latency time.Duration
	// Vendor is named in media types. Default "example".
	Vendor string
	// ConcurrentCreateFails makes a vm_create that arrives while another one
	// in its group is under way answer 500 and create nothing (api.md §3,
	// Allocation).
	ConcurrentCreateFails bool
	// NoJournal keeps no journal: for a service that runs for weeks.
	NoJournal bool
	// Now is the clock. Default time.Now.
	Now func() time.Time
	// Log gets one line a request: time, method, path, status. Never a body,
	// a header or a query. nil: none.
	Log io.Writer
}

// Emulator is the service. It is an http.Handler, safe for concurrent use.
type Emulator struct {
	options Options
	table   []route

	mu       sync.Mutex // guards all below
	store    *store
	offset   time.Duration
	journal  []Request
	faults   []*armed
	creating map[int64]bool // groups with a vm_create under way
}

// New returns a service with the seeded world (world.go).
func New(options Options) *Emulator {
	if options.Vendor == "" {
		options.Vendor = "example"
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	return &Emulator{options: options, table: routes(), store: newStore(options), creating: map[int64]bool{}}
}

// Advance moves the emulator's own clock forward.
func (e *Emulator) Advance(d time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.offset += d
}

// now is the emulator's own time. The caller holds the lock.
func (e *Emulator) now() time.Time { return e.options.Now().Add(e.offset) }

// update runs f on the store, with everything settled that is due by now.
func (e *Emulator) update(f func(*store)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.store.settle(e.now())
	f(e.store)
}

// outcome is what goes back to the client.
type outcome struct {
	status int
	header http.Header
	body   []byte
	cut    bool // the connection ends after sent bytes of the body
	sent   int
}

// ServeHTTP answers one request of api.md.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	send(w, e.answer(r))
}

// answer takes a request through fault, latency, service and journal.
func (e *Emulator) answer(r *http.Request) outcome {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBody))
	if err != nil {
		return plain(http.StatusRequestEntityTooLarge, "the request is too large or was cut off").outcome(e.options.Vendor)
	}
	e.mu.Lock()
	request := describe(r, body, e.now())
	e.mu.Unlock()
	fault := e.fault(request)

	result, ok := e.perform(r, body, fault)
	if !ok {
		result = outcome{cut: true}
	}
	request.Status = result.status
	e.note(request)
	return result
}

// perform does the work of a request with the fault's mischief. It returns
// false when the client went away before the answer was due.
func (e *Emulator) perform(r *http.Request, body []byte, fault Fault) (outcome, bool) {
	held := e.claimCreate(r)
	defer held.release()

	if !wait(r.Context(), e.options.Latency) {
		return outcome{}, false
	}
	if !fault.AfterEffect && !wait(r.Context(), fault.Delay) {
		return outcome{}, false
	}
	if fault.prevents() {
		return fault.distort(outcome{}), true
	}
	result := e.serve(r, body, held)
	if fault.AfterEffect && !wait(r.Context(), fault.Delay) {
		return outcome{}, false
	}
	return fault.distort(result), true
}

// wait lets d pass and tells whether the context was still alive after it.
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
	// A client that is gone is no concern of the service.
	_, _ = w.Write(o.body)
}

// drop closes the connection without an answer.
func drop(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		// Not HTTP/1: an answer that stays away is the closest to a cut.
		w.Header().Set("Content-Length", "1")
		return
	}
	// It is closed either way.
	_ = conn.Close()
}
