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
	o := t.emulator.answer(served)
	if err := errors.Join(o.failed, r.Context().Err(), closeBody(r.Body)); err != nil {
		return nil, err
	}
	if o.cut && o.sent == 0 {
		return nil, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	}
	return response(r, o), nil
}

// response returns the client's view of an outcome.
func response(r *http.Request, o outcome) *http.Response {
	body := io.Reader(bytes.NewReader(o.body))
	if o.cut {
		body = io.MultiReader(bytes.NewReader(o.body[:o.sent]), brokenReader{})
	}
	header := o.header.Clone()
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{
		Status:     strconv.Itoa(o.status) + " " + http.StatusText(o.status),
		StatusCode: o.status,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(body),
		ContentLength: int64(len(o.body)), Request: r,
	}
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
