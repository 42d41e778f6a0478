// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"syscall"
	"time"
)

// fault is one way in which a request can fail.
type fault struct {
	name string
	act  func(service http.RoundTripper, r *http.Request) (*http.Response, error)
	// words are the service's own, or the name of what failed. An error repeats them.
	words string
}

// faults returns the ways in which a request can fail.
func faults() []fault {
	badGateway := says(502, "text/html", "<html><title>Bad Gateway</title></html>")
	movedTo := func(status int) ending { return says(status, "", "", "Location", "https://elsewhere.example/") }
	const otherJSON = `{"id":{"a":1},"virtual_machine":[3]}`
	return []fault{
		{name: "refused", act: refused, words: "connection refused"},
		{name: "reset before", act: before(reset), words: "connection reset"},
		{name: "reset after", act: after(reset), words: "connection reset"},
		{name: "time-out before", act: before(silence)},
		{name: "time-out after", act: after(silence)},
		{name: "429", act: before(says(429, "text/plain", "slow down", "Retry-After", "7")), words: "slow down"},
		{name: "500", act: before(says(500, "text/plain", "oops")), words: "oops"},
		{name: "500 after", act: after(says(500, "text/plain", "oops")), words: "oops"},
		{name: "502 HTML", act: before(badGateway), words: "Bad Gateway"},
		{name: "502 HTML after", act: after(badGateway), words: "Bad Gateway"},
		{name: "503", act: before(says(503, "text/plain", "maintenance", "Retry-After", "9")), words: "maintenance"},
		{name: "401", act: before(says(401, "text/plain", "no session")), words: "no session"},
		{name: "403", act: before(says(403, "text/plain", "not allowed")), words: "not allowed"},
		{name: "404", act: before(says(404, "text/plain", "not found")), words: "not found"},
		{name: "truncated JSON", act: rewritten(func(body []byte) []byte { return body[:len(body)/2] })},
		{name: "broken off", act: brokenOff},
		{name: "wrong JSON", act: rewritten(func([]byte) []byte { return []byte(otherJSON) })},
		{name: "empty body", act: rewritten(func([]byte) []byte { return nil })},
		{name: "slow drip", act: body(drip)},
		{name: "redirect 302", act: before(movedTo(302)), words: "elsewhere.example"},
		{name: "redirect 307", act: before(movedTo(307)), words: "elsewhere.example"},
	}
}

// ending is what the client gets instead of an answer.
type ending func(r *http.Request) (*http.Response, error)

// before prevents the request from reaching the service.
func before(end ending) func(http.RoundTripper, *http.Request) (*http.Response, error) {
	return func(_ http.RoundTripper, r *http.Request) (*http.Response, error) { return end(r) }
}

// after lets the service carry out the request, and loses the answer.
func after(end ending) func(http.RoundTripper, *http.Request) (*http.Response, error) {
	return func(service http.RoundTripper, r *http.Request) (*http.Response, error) {
		if _, err := answerOf(service, r); err != nil {
			return nil, err
		}
		return end(r)
	}
}

// answerOf returns the real answer with its body read.
func answerOf(service http.RoundTripper, r *http.Request) (*http.Response, error) {
	response, err := service.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	read, err := io.ReadAll(response.Body)
	response.Body = io.NopCloser(strings.NewReader(string(read)))
	return response, err
}

// refused simulates a connection that cannot be made: nothing was written.
func refused(_ http.RoundTripper, r *http.Request) (*http.Response, error) {
	if trace := httptrace.ContextClientTrace(r.Context()); trace != nil && trace.GetConn != nil {
		trace.GetConn(r.URL.Host)
	}
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
}

func reset(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
}

// silence lasts until the client gives up.
func silence(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func says(status int, contentType, text string, header ...string) ending {
	return func(r *http.Request) (*http.Response, error) {
		response := &http.Response{
			StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: http.Header{}, Body: io.NopCloser(strings.NewReader(text)), Request: r,
		}
		for i := 0; i < len(header); i += 2 {
			response.Header.Set(header[i], header[i+1])
		}
		if contentType != "" {
			response.Header.Set("Content-Type", contentType)
		}
		return response, nil
	}
}

// rewritten changes the body of the real answer.
func rewritten(change func([]byte) []byte) func(http.RoundTripper, *http.Request) (*http.Response, error) {
	return func(service http.RoundTripper, r *http.Request) (*http.Response, error) {
		response, err := answerOf(service, r)
		if err != nil {
			return nil, err
		}
		read, err := io.ReadAll(response.Body)
		changed := change(read)
		response.Body, response.ContentLength = io.NopCloser(strings.NewReader(string(changed))), int64(len(changed))
		return response, err
	}
}

// brokenOff loses the connection in the middle of the answer.
func brokenOff(service http.RoundTripper, r *http.Request) (*http.Response, error) {
	response, err := answerOf(service, r)
	if err != nil {
		return nil, err
	}
	half := io.LimitReader(response.Body, response.ContentLength/2)
	end := reader(func([]byte) (int, error) { return 0, io.ErrUnexpectedEOF })
	response.Body = io.NopCloser(io.MultiReader(half, end))
	return response, nil
}

// body lets the service carry out the request, and answers with a body that a client should not wait for: next is its
// Read.
func body(
	next func(ctx context.Context, p []byte) (int, error),
) func(http.RoundTripper, *http.Request) (*http.Response, error) {
	return func(service http.RoundTripper, r *http.Request) (*http.Response, error) {
		response, err := answerOf(service, r)
		if err != nil {
			return nil, err
		}
		response.StatusCode, response.ContentLength = http.StatusOK, -1
		response.Body = io.NopCloser(reader(func(p []byte) (int, error) {
			if err := r.Context().Err(); err != nil {
				return 0, err
			}
			return next(r.Context(), p)
		}))
		return response, nil
	}
}

// reader is an io.Reader.
type reader func(p []byte) (int, error)

// Read implements io.Reader.
func (r reader) Read(p []byte) (int, error) { return r(p) }

// drip sends a byte now and then.
func drip(ctx context.Context, p []byte) (int, error) {
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(9 * time.Second):
		p[0] = ' '
		return 1, nil
	}
}
