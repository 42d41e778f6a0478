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

// interruptGrace is how long an unhurried request in progress may still take after its caller was interrupted.
const interruptGrace = 5 * time.Second

// exchange is one call with all its attempts. Only one attempt uses its fields at a time.
type exchange struct {
	Request
	transport *Transport

	attempt   int
	throttled int       // number of attempts that were answered with 429
	refused   time.Time // when the first of them was
	broken    int       // number of attempts that were answered with 500
	round     int       // the pacer's round when the call began
	last      *Status   // of the last answer that asked to try again later
	lost      error     // of the last attempt, if it was not answered
	hopeless  bool      // another attempt would get the same answer
	sent      bool      // a failed attempt may have been carried out
	proven    bool      // the service has answered this client before
	answer    []byte    // the last body
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
		if held := t.pacer.holding(); held != nil { // because of an answer to another call
			x.last = held
		}
		return nil, err
	}
	x.attempt++
	x.proven = t.proven.Load()
	response, body, err := x.send(request)
	x.log(request.Context(), response, body, time.Since(began), err)
	t.failing.Store(failing(response))
	if err != nil {
		if request.Context().Err() == nil {
			x.lost = err
		}
		return nil, err
	}
	x.lost = nil
	t.proven.Store(true)
	x.hopeless = t.pacer.learn(request.Context(), response, body, began)
	x.last, x.answer = busy(response), body
	x.sent = x.sent || MayBeDone(response.StatusCode)
	if t.Observe != nil && !x.Confidential {
		t.Observe(Observation{Method: x.Method, Path: x.Shown, Status: response.StatusCode, Header: response.Header, Body: body})
	}
	return response, nil
}

// MayBeDone reports whether a request may have been carried out although the status is a failure.
func MayBeDone(status int) bool {
	return status >= http.StatusInternalServerError || status == http.StatusRequestTimeout
}

// send sends a request within the time limit of an attempt. It reads the whole answer, up to a limit, so that an answer
// that breaks off is a failure of the attempt.
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
			response.Body = http.NoBody // the response may be shared by many calls
			return response, body, nil
		}
	}
	x.sent = x.sent || response != nil || seen.mayBeSent()
	if ctx.Err() != nil && request.Context().Err() == nil && !errors.Is(err, errTooLarge) {
		err = fmt.Errorf("no answer within %s", x.transport.Timeout)
	}
	return nil, nil, err
}

// attemptContext ends after the attempt's time limit, or with the caller's context. An unhurried attempt that has been
// sent gets some extra time, because its answer shows what was created.
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

// trace records whether an attempt got as far as writing its request.
type trace struct{ connecting, wrote atomic.Bool }

func (t *trace) hooks() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn:      func(string) { t.connecting.Store(true) },
		WroteHeaders: func() { t.wrote.Store(true) },
		WroteRequest: func(httptrace.WroteRequestInfo) { t.wrote.Store(true) },
	}
}

// mayBeSent reports whether the request may have been written. If a transport reports nothing, it may have been.
func (t *trace) mayBeSent() bool { return t.wrote.Load() || !t.connecting.Load() }

const (
	// maxBody is the maximum size of an answer in bytes, enough for more than ten thousand machines.
	maxBody = 16 << 20

	// maxObjects and maxValues limit the JSON objects (several for each machine) and values of an answer, because a
	// decoded value takes far more memory than its text.
	maxObjects, maxValues = 200_000, 2_000_000

	// MaxRefusal is the maximum size of a refusal in bytes. The body of a longer one is ignored.
	MaxRefusal = 128 << 10
)

var (
	// errTooLarge is returned for an answer that would fill the memory.
	errTooLarge = &answerError{"the answer is larger than any of the service's"}
	// errSwitched is returned for an answer that leaves HTTP: its body has no end.
	errSwitched = &answerError{"the answer is 101 Switching Protocols, which no call asks for"}
)

// readBody reads a whole answer and closes it. The body of a refusal that is too long is dropped, because a part of a
// secret may stand where it would be cut.
func readBody(response *http.Response) ([]byte, error) {
	if response.StatusCode < http.StatusOK {
		go func() { _ = response.Body.Close() }() // in the background, because it may block
		return nil, errSwitched
	}
	defer func() { _ = response.Body.Close() }() // the body has been read
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
		bytes.Count(body, []byte(","))+bytes.Count(body, []byte("[")) > maxValues: // each value follows one of these or a bracket
		return nil, errTooLarge
	}
	return body, nil
}
