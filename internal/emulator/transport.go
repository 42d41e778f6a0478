package emulator

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"syscall"
)

// Transport returns a transport that calls the service in memory, without sockets, so that it works with
// testing/synctest. Faults act as on a connection: a cut is an error, a truncated body ends in io.ErrUnexpectedEOF.
func (e *Emulator) Transport() http.RoundTripper { return roundTripper{e} }

type roundTripper struct{ emulator *Emulator }

// RoundTrip implements http.RoundTripper.
func (t roundTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, errors.Join(err, closeBody(r.Body))
	}
	served := r.Clone(r.Context())
	if served.Body == nil {
		served.Body = http.NoBody
	}
	x := t.emulator.answer(served)
	if err := errors.Join(x.failed, r.Context().Err(), closeBody(r.Body)); err != nil {
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

// closeBody closes a request's body, as a RoundTripper must.
func closeBody(body io.ReadCloser) error {
	if body == nil {
		return nil
	}
	return body.Close()
}
