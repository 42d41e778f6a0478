package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// interruptGrace is how long an unhurried request that is under way may still
// take when its caller is interrupted.
const interruptGrace = 5 * time.Second

// exchange follows one call through its attempts. Its fields are used by one
// attempt at a time.
type exchange struct {
	Request
	transport *Transport

	attempt  int
	broken   int     // how many attempts were answered with 500
	round    int     // of the pacer, when the call began
	last     *Status // the last one that asked to try again
	hopeless bool    // another attempt would get the same answer
	sent     bool    // a failed attempt may have reached the service
	proven   bool    // the service has answered this client before
	answer   []byte  // the body of the last one
}

// RoundTrip makes one attempt. It implements http.RoundTripper.
func (x *exchange) RoundTrip(request *http.Request) (*http.Response, error) {
	t := x.transport
	if x.attempt == 0 {
		x.round = t.pacer.round()
	}
	began, refusal, err := t.pacer.wait(request.Context(), x.round)
	if refusal != nil {
		x.last, x.answer, x.hopeless = busy(refusal.response), refusal.body, true
		return refusal.response, nil
	}
	if err != nil {
		if held := t.pacer.holding(); held != nil { // by the answer to another call
			x.last = held
		}
		return nil, err
	}
	x.attempt++
	x.proven = t.proven.Load()
	response, body, err := x.send(request)
	x.log(request.Context(), response, body, time.Since(began), err)
	if err != nil {
		return nil, err
	}
	t.proven.Store(true)
	x.hopeless = t.pacer.learn(request.Context(), response, body, began)
	x.last, x.answer = busy(response), body
	if t.Observe != nil && !x.Confidential {
		t.Observe(Observation{Method: x.Method, Path: x.Shown, Status: response.StatusCode, Header: response.Header, Body: body})
	}
	return response, nil
}

// send sends a request within the time of an attempt. It reads the whole answer
// within bounds, so that one that breaks off counts as a failure of the attempt.
func (x *exchange) send(request *http.Request) (*http.Response, []byte, error) {
	if err := request.Context().Err(); err != nil {
		return nil, nil, err
	}
	var seen trace
	ctx, cancel := x.attemptContext(request.Context(), &seen)
	defer cancel()
	response, err := x.transport.Next.RoundTrip(request.WithContext(httptrace.WithClientTrace(ctx, seen.hooks())))
	if err == nil {
		var body []byte
		if body, err = readBody(response); err == nil {
			response.Body = http.NoBody // and may be an answer to many calls
			return response, body, nil
		}
	}
	x.sent = x.sent || response != nil || seen.mayBeSent()
	if ctx.Err() != nil && request.Context().Err() == nil && !errors.Is(err, errTooLarge) {
		err = fmt.Errorf("no answer within %s", x.transport.Timeout)
	}
	return nil, nil, err
}

// attemptContext ends after the attempt's time, or when the caller's does. An
// unhurried attempt that has been sent gets a grace first, because its answer
// shows what was created.
func (x *exchange) attemptContext(caller context.Context, seen *trace) (context.Context, context.CancelFunc) {
	if !x.Unhurried {
		return context.WithTimeout(caller, x.transport.Timeout)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(caller), x.transport.Timeout)
	stop := context.AfterFunc(caller, func() {
		if !seen.mayBeSent() {
			cancel()
			return
		}
		time.AfterFunc(interruptGrace, cancel)
	})
	return ctx, func() { stop(); cancel() }
}

// trace learns whether an attempt got as far as writing its request.
type trace struct{ connecting, wrote atomic.Bool }

func (t *trace) hooks() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn:      func(string) { t.connecting.Store(true) },
		WroteHeaders: func() { t.wrote.Store(true) },
		WroteRequest: func(httptrace.WroteRequestInfo) { t.wrote.Store(true) },
	}
}

// mayBeSent reports whether the request may have been written. A transport that
// reports nothing at all may have written it.
func (t *trace) mayBeSent() bool { return t.wrote.Load() || !t.connecting.Load() }

const (
	// maxBody is how many bytes an answer may have: ten thousand machines and more.
	maxBody = 16 << 20

	// maxObjects is how many JSON objects it may have, several for each machine, and
	// maxValues how many values: decoded, each takes far more memory than its text.
	maxObjects, maxValues = 200_000, 2_000_000

	// MaxRefusal is how many bytes a refusal may have; a longer one has no words.
	MaxRefusal = 128 << 10
)

var (
	// errTooLarge stops an endless answer from filling the memory.
	errTooLarge = &answerError{"the answer is larger than any of the service's"}
	// errSwitched is an answer that ends HTTP: its body has no end.
	errSwitched = &answerError{"the answer is 101 Switching Protocols, which no call asks for"}
)

// readBody reads an answer whole and closes it. A refusal that is too long has no
// body, so that no part of a secret remains where it was cut.
func readBody(response *http.Response) ([]byte, error) {
	if response.StatusCode < http.StatusOK {
		go func() { _ = response.Body.Close() }() // it may block
		return nil, errSwitched
	}
	defer func() { _ = response.Body.Close() }() // what was read counts
	refusal, limit := response.StatusCode >= http.StatusMultipleChoices, maxBody
	if refusal {
		limit = MaxRefusal
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, int64(limit)+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the answer broke off: %w", err)
	case len(body) > limit && refusal:
		return nil, nil
	case len(body) > limit, bytes.Count(body, []byte("{")) > maxObjects,
		bytes.Count(body, []byte(","))+bytes.Count(body, []byte("[")) > maxValues: // one of the three is before each
		return nil, errTooLarge
	}
	return body, nil
}
