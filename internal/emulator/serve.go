package emulator

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"path"
	"strconv"
	"strings"
	"syscall"
	"time"
)

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
	if x.received, err = io.ReadAll(r.Body); err != nil {
		plain(http.StatusBadRequest, "the request is incomplete").send(x)
		return x
	}
	noted := describe(r, x.received, now())
	fault, limited := e.meet(noted)
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
		http.NotFound(x, r)
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
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// ServeHTTP answers one request.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := e.answer(r)
	if x.cut && x.sent == 0 {
		panic(http.ErrAbortHandler) //nolint:forbidigo // net/http closes the connection
	}
	maps.Copy(w.Header(), x.header)
	if x.cut {
		// net/http closes a connection on which less was sent than declared.
		w.Header().Set("Content-Length", strconv.Itoa(len(x.body)))
		x.body = x.body[:x.sent]
	}
	w.WriteHeader(x.status)
	_, _ = w.Write(x.body) // the client may be gone
}

// note adds a finished request to the journal and the log.
func (e *Emulator) note(request Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.journal = append(e.journal, request)
	if size := e.options.JournalSize; size > 0 && len(e.journal) > size {
		e.journal[0] = Request{} // its memory is free from now on
		e.journal, e.dropped = e.journal[1:], e.dropped+1
	}
	if e.options.Log != nil {
		// A log that cannot be written must not stop the service.
		_, _ = fmt.Fprintf(e.options.Log, "%s %s %s %d\n",
			request.Time.Format(time.TimeOnly), request.Method, request.Path, request.Status)
	}
}

// Transport returns a transport that calls the service in memory, without sockets, so that it works with
// testing/synctest. Faults act as on a connection: a cut is an error, a truncated body ends in io.ErrUnexpectedEOF.
func (e *Emulator) Transport() http.RoundTripper { return roundTripper{e} }

type roundTripper struct{ emulator *Emulator }

// RoundTrip implements http.RoundTripper.
func (t roundTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	served := r.Clone(r.Context())
	if served.Body == nil {
		served.Body = http.NoBody
	}
	defer func() { _ = served.Body.Close() }()
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	x := t.emulator.answer(served)
	if err := cmp.Or(x.failed, r.Context().Err()); err != nil {
		return nil, err
	}
	if x.cut && x.sent == 0 {
		return nil, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	}
	body := io.Reader(bytes.NewReader(x.body))
	if x.cut {
		body = io.MultiReader(bytes.NewReader(x.body[:x.sent]), brokenReader{})
	}
	return &http.Response{
		Status:     strconv.Itoa(x.status) + " " + http.StatusText(x.status),
		StatusCode: x.status,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: x.header, Body: io.NopCloser(body), ContentLength: int64(len(x.body)), Request: r,
	}, nil
}

// brokenReader is the end of a connection that was closed early.
type brokenReader struct{}

// Read implements io.Reader.
func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
