// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"bytes"
	"cmp"
	"context"
	"errors"
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

// recorder is a request, and the answer to it. It is the http.ResponseWriter of the service's handlers.
type recorder struct {
	received []byte

	status    int
	header    http.Header
	body      []byte
	truncated int   // the connection is closed after so many bytes of the body; 0: it is not
	failed    error // why there is no answer
	reached   Reached
}

// errCut is returned for a connection that is closed without an answer.
var errCut error = &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}

// Header implements http.ResponseWriter.
func (x *recorder) Header() http.Header { return x.header }

// WriteHeader implements http.ResponseWriter.
func (x *recorder) WriteHeader(status int) { x.status = status }

// Write implements http.ResponseWriter.
func (x *recorder) Write(data []byte) (int, error) {
	x.body = append(x.body, data...)
	return len(data), nil
}

// answer takes a request through rate limit, fault, latency, service and journal. The world is never locked while the
// answer is delayed.
func (e *Emulator) answer(r *http.Request) *recorder {
	began := time.Now()
	x := &recorder{header: http.Header{}}
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
	} else if x.failed = e.carryOut(r, x, fault); x.failed != nil {
		x.status = 0
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

// carryOut has the service answer, and the fault act. It returns an error if there is no answer: the client has gone
// away, the world is not available or cannot be saved, or the fault is a cut.
func (e *Emulator) carryOut(r *http.Request, x *recorder, fault Fault) error {
	ctx := r.Context()
	before, after := e.options.Latency+fault.Delay, time.Duration(0)
	if fault.AfterEffect {
		before, after = e.options.Latency, fault.Delay
	}
	if err := pause(ctx, before); err != nil {
		return err
	}
	if !fault.prevents() {
		if err := e.Alone(ctx, func() { e.serve(x, r) }); err != nil {
			return err
		}
	}
	if err := pause(ctx, after); err != nil {
		return err
	}
	return fault.distort(x)
}

// serve answers as the service. A ServeMux would redirect a path that is not clean; no such path exists.
func (e *Emulator) serve(x *recorder, r *http.Request) {
	if escaped := r.URL.EscapedPath(); path.Clean(escaped) != escaped || !strings.HasPrefix(escaped, "/") {
		http.NotFound(x, r)
		return
	}
	e.mux.ServeHTTP(x, r)
}

// pause waits for d, or until the context ends.
func pause(ctx context.Context, d time.Duration) error {
	if d > 0 {
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

// ServeHTTP answers one request.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := e.answer(r)
	if errors.Is(x.failed, errCut) {
		panic(http.ErrAbortHandler) //nolint:forbidigo // net/http closes the connection
	}
	if x.failed != nil {
		http.Error(w, x.failed.Error(), http.StatusInternalServerError)
		return
	}
	maps.Copy(w.Header(), x.header)
	if x.truncated > 0 {
		// net/http closes a connection on which less was sent than declared.
		w.Header().Set("Content-Length", strconv.Itoa(len(x.body)))
		x.body = x.body[:x.truncated]
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
	body := io.Reader(bytes.NewReader(x.body))
	if x.truncated > 0 {
		body = io.MultiReader(bytes.NewReader(x.body[:x.truncated]), brokenReader{})
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
