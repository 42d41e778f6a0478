// Package emulator is the service in memory, an http.Handler and an http.RoundTripper: every call of API.md with its
// refusals. Nothing runs in the background: each request first carries out what is due, so a fake clock works. It
// shares no type with the client, because a wrong JSON tag would then be on both sides. Where API.md assumes, it is strict.
package emulator

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
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
	// Open serves requests without credentials like those of a user who sees every account, and accepts every login.
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
	journal   journal
	power     Power
	second    int64  // of the rate limit
	requests  int    // in that second
	watcher   func() // of Watch
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
	defer e.changed()
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

// exchange is a request, and the answer to it. It is the http.ResponseWriter of the service's handlers.
type exchange struct {
	received []byte

	status  int
	header  http.Header
	body    []byte
	cut     bool // the connection is closed after the first sent bytes of the body
	sent    int
	failed  error // why the world is not available
	reached Reached
}

// Header implements http.ResponseWriter.
func (x *exchange) Header() http.Header { return x.header }

// WriteHeader implements http.ResponseWriter.
func (x *exchange) WriteHeader(status int) { x.status = status }

// Write implements http.ResponseWriter.
func (x *exchange) Write(data []byte) (int, error) {
	x.body = append(x.body, data...)
	return len(data), nil
}

// lose closes the connection without an answer.
func (x *exchange) lose() { x.status, x.header, x.body, x.cut = 0, http.Header{}, nil, true }

// answer takes a request through rate limit, fault, latency, service and journal. The world is never locked while the
// answer is delayed.
func (e *Emulator) answer(r *http.Request) *exchange {
	began := time.Now()
	x := &exchange{header: http.Header{}}
	var err error
	if x.received, err = io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBody)); err != nil {
		plain(http.StatusRequestEntityTooLarge, "the request is too large or incomplete").send(x)
		return x
	}
	noted := describe(r, x.received, now())
	fault, limited := e.meet(noted)
	noted.Fault = fault.Name
	if limited {
		x.header.Set("Retry-After", "1")
		plain(http.StatusTooManyRequests, "too many requests").send(x)
	} else {
		e.carryOut(r, x, fault)
	}
	noted.Reached, noted.Status, noted.Duration, noted.Reason = x.reached, x.status, time.Since(began), reason(x)
	e.note(noted)
	return x
}

// meet finds out which fault acts on a request, and whether the request exceeds the rate limit.
func (e *Emulator) meet(request Request) (fault Fault, limited bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	fault = e.faultFor(request)
	if e.options.RateLimit <= 0 {
		return fault, false
	}
	if second := now().Unix(); second != e.second {
		e.second, e.requests = second, 0
	}
	e.requests++
	return fault, e.requests > e.options.RateLimit
}

// carryOut has the service answer, and the fault act. A client that has gone away gets no answer.
func (e *Emulator) carryOut(r *http.Request, x *exchange, fault Fault) {
	ctx := r.Context()
	before, after := e.options.Latency+fault.Delay, time.Duration(0)
	if fault.AfterEffect {
		before, after = e.options.Latency, fault.Delay
	}
	if !wait(ctx, before) {
		x.lose()
		return
	}
	if !fault.prevents() {
		if err := e.Alone(ctx, func() { e.serve(x, r) }); err != nil {
			x.fail(ctx, err)
			return
		}
	}
	if !wait(ctx, after) {
		x.lose()
		return
	}
	fault.distort(x)
}

// serve answers as the service. A ServeMux would redirect a path that is not clean; no such path exists.
func (e *Emulator) serve(x *exchange, r *http.Request) {
	if escaped := r.URL.EscapedPath(); path.Clean(escaped) != escaped || !strings.HasPrefix(escaped, "/") {
		noSuchPath(x, r)
		return
	}
	e.mux.ServeHTTP(x, r)
}

// fail answers a request for which the world is not available or cannot be saved.
func (x *exchange) fail(ctx context.Context, err error) {
	x.lose()
	if x.failed = ctx.Err(); x.failed == nil {
		x.failed, x.cut = err, false
		plain(http.StatusInternalServerError, "%v", err).send(x)
	}
}

// wait waits for d, and reports whether the context is still alive.
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

// ServeHTTP answers one request.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := e.answer(r)
	if x.cut && x.sent == 0 {
		drop(w)
		return
	}
	header := w.Header()
	for name, values := range x.header {
		header[name] = values
	}
	header.Set("X-Content-Type-Options", "nosniff") // a browser must not take a user-chosen body for a page
	if x.cut {
		// net/http closes a connection on which less was sent than declared.
		header.Set("Content-Length", strconv.Itoa(len(x.body)))
		x.body = x.body[:x.sent]
	}
	w.WriteHeader(x.status)
	_, _ = w.Write(x.body) // the client may be gone
}

// drop closes the connection without an answer.
func drop(w http.ResponseWriter) {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		// Without HTTP/1, a missing body is the closest thing.
		w.Header().Set("Content-Length", "1")
		return
	}
	_ = connection.Close() // it is closed either way
}

// note adds a finished request to the journal and the log.
func (e *Emulator) note(request Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.journal.add(request, e.options.JournalSize)
	if e.options.Log != nil {
		// A log that cannot be written must not stop the service.
		_, _ = fmt.Fprintf(e.options.Log, "%s %s %s %d\n",
			request.Time.Format(time.TimeOnly), request.Method, request.Path, request.Status)
	}
}

// Watch sets the function to be called after anything that may have changed a machine, before the change is answered.
func (e *Emulator) Watch(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.watcher = f
}

// changed calls the function of Watch. The caller does not hold the lock.
func (e *Emulator) changed() {
	e.mu.Lock()
	f := e.watcher
	e.mu.Unlock()
	if f != nil {
		f()
	}
}
