package emulator

import (
	"context"
	"io"
	"net/http"
	"time"
)

// outcome is what is sent to the client.
type outcome struct {
	status int
	header http.Header
	body   []byte
	cut    bool // the connection is closed after the first sent bytes of the body
	sent   int
	failed error // of Options.Alone

	reached Reached
}

// ServeHTTP answers one request.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	send(w, e.answer(r))
}

// exchange is a request on its way through rate limit, fault, latency, service and journal.
type exchange struct {
	emulator  *Emulator
	request   *http.Request
	body      []byte
	noted     Request
	limited   bool // the request exceeds the rate limit
	contested bool // the request is a vm_create while another one runs in its group
	fault     Fault
	outcome   outcome
}

// answer takes a request through all stages. The world is locked only while it is used, never while the answer is
// delayed.
func (e *Emulator) answer(r *http.Request) outcome {
	start := time.Now()
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBody))
	if err != nil {
		return e.encode(plain(http.StatusRequestEntityTooLarge, "the request is too large or incomplete"))
	}
	x := &exchange{emulator: e, request: r, body: body}
	if err := x.perform(r.Context()); err != nil {
		x.outcome = failure(r.Context(), err)
	}
	x.noted.Reached = x.outcome.reached
	x.noted.Status, x.noted.Duration = x.outcome.status, time.Since(start)
	x.noted.Reason = reason(x.outcome)
	e.note(x.noted)
	return x.outcome
}

// failure is the outcome of a request for which the world is not available or cannot be saved.
func failure(ctx context.Context, err error) outcome {
	if ctx.Err() != nil {
		return outcome{cut: true, failed: ctx.Err()}
	}
	o := outcome{status: http.StatusInternalServerError, failed: err, body: []byte(err.Error())}
	o.header = http.Header{"Content-Type": {"text/plain; charset=utf-8"}}
	return o
}

// perform carries out the request, unless the fault prevents that. A client that has gone away gets no answer.
func (x *exchange) perform(ctx context.Context) error {
	release := func() {}
	defer func() { release() }()
	waits := false
	err := x.emulator.alone(ctx, func() {
		x.meet()
		x.contested, release = x.emulator.claimCreate(x.request)
		if waits = x.delay() > 0; !waits {
			x.act()
		}
	})
	if err == nil && waits {
		if !wait(ctx, x.delay()) {
			x.outcome = outcome{cut: true}
			return nil
		}
		err = x.emulator.alone(ctx, x.act)
	}
	if err == nil {
		x.distort(ctx)
	}
	return err
}

// alone calls work while no other process works on the world.
func (e *Emulator) alone(ctx context.Context, work func()) error {
	if e.options.Alone == nil {
		work()
		return nil
	}
	return e.options.Alone(ctx, work)
}

// meet records the request, and finds out which fault acts on it and whether it exceeds the rate limit.
func (x *exchange) meet() {
	e := x.emulator
	e.mu.Lock()
	x.noted = e.store.describe(x.request, x.body, e.now())
	e.mu.Unlock()
	x.fault, x.limited = e.fault(x.noted), e.limited()
	x.noted.Fault = x.fault.Name
}

// delay returns how long to wait before the service acts.
func (x *exchange) delay() time.Duration {
	latency := x.emulator.options.Latency
	switch {
	case x.limited:
		return 0
	case x.fault.AfterEffect:
		return latency
	}
	return latency + x.fault.Delay
}

// act carries out the request, unless the fault prevents it.
func (x *exchange) act() {
	switch {
	case x.limited:
		x.outcome = x.emulator.encode(plain(http.StatusTooManyRequests, "too many requests"))
		x.outcome.header.Set("Retry-After", "1")
	case x.request.Context().Err() != nil:
		x.outcome, x.fault = outcome{cut: true}, Fault{}
	case !x.fault.prevents():
		x.outcome = x.emulator.serve(x.request, x.body, x.contested)
	}
}

// distort applies the fault to the answer.
func (x *exchange) distort(ctx context.Context) {
	if x.limited {
		return
	}
	reached, distorted := x.outcome.reached, outcome{cut: true}
	if !x.fault.AfterEffect || wait(ctx, x.fault.Delay) {
		distorted = x.fault.distort(x.outcome)
	}
	x.outcome, x.outcome.reached = distorted, reached
}

// limited counts a request, and reports whether Options.RateLimit refuses it.
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
	header.Set("X-Content-Type-Options", "nosniff") // a browser must not take a user-chosen body for a page
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
		// Without HTTP/1, a missing body is the closest thing.
		w.Header().Set("Content-Length", "1")
		return
	}
	// It is closed either way.
	_ = conn.Close()
}
