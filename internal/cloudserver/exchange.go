package cloudserver

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

const (
	maxBody = 16 << 20 // bytes of an answer that are read at most
	// interruptGrace is how long an unhurried request that is under way may
	// still take when its caller is interrupted.
	interruptGrace = 5 * time.Second
)

// errTooLarge stops an endless answer from filling the memory.
var errTooLarge = fmt.Errorf("the answer is larger than %d MiB", maxBody>>20)

// exchange follows one call through its attempts. Its fields are used by one
// attempt at a time.
type exchange struct {
	method, path string // the path as it may be shown
	confidential bool
	unhurried    bool
	repeatable   bool
	secrets      hidden

	attempt int
	sent    bool // a failed attempt may have reached the service
}

func newExchange(ctx context.Context, call call, path, token string) *exchange {
	x := &exchange{
		method: call.method, path: path,
		confidential: call.confidential, unhurried: call.unhurried,
		repeatable: call.repeatable || call.method != http.MethodPost,
	}
	if call.confidential {
		x.path = hidePath(call.path)
	}
	secrets := append(secretsOf(ctx), token)
	if body, ok := call.body.(secretive); ok {
		secrets = append(secrets, body.secrets()...)
	}
	x.secrets = newHidden(secrets)
	return x
}

type exchangeKey struct{}

func withExchange(ctx context.Context, x *exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

func exchangeOf(ctx context.Context) *exchange {
	x, ok := ctx.Value(exchangeKey{}).(*exchange)
	if !ok { // only a request that no call made: nothing is known, so nothing is repeated or shown
		return &exchange{confidential: true, sent: true}
	}
	return x
}

// exchanger is the innermost transport of the client's own: it gives every
// attempt a deadline, reads the whole answer within bounds, so that one that
// breaks off counts as a failure of the attempt, and writes the log.
type exchanger struct {
	next    http.RoundTripper
	timeout time.Duration
	pacer   *pacer
}

// RoundTrip implements http.RoundTripper.
func (e *exchanger) RoundTrip(request *http.Request) (*http.Response, error) {
	x := exchangeOf(request.Context())
	began, err := e.pacer.wait(request.Context())
	if err != nil {
		return nil, err
	}
	x.attempt++
	response, body, err := e.attempt(request, x)
	logExchange(request, x, response, body, time.Since(began), err)
	if err != nil {
		return nil, err
	}
	e.pacer.learn(response, began)
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, nil
}

func (e *exchanger) attempt(request *http.Request, x *exchange) (*http.Response, []byte, error) {
	if err := request.Context().Err(); err != nil {
		return nil, nil, err
	}
	var seen trace
	ctx, cancel := e.attemptContext(request.Context(), x, &seen)
	defer cancel()
	response, err := e.next.RoundTrip(request.WithContext(httptrace.WithClientTrace(ctx, seen.hooks())))
	var body []byte
	if err == nil {
		body, err = readBody(response)
	}
	if err == nil {
		return response, body, nil
	}
	x.sent = x.sent || response != nil || seen.mayBeSent()
	if ctx.Err() != nil && request.Context().Err() == nil && !errors.Is(err, errTooLarge) {
		err = &timeoutError{e.timeout}
	}
	return nil, nil, err
}

// attemptContext ends after the attempt's time, or when the caller's does. An
// unhurried attempt that has been sent gets a grace first, for its answer
// tells what has come into being.
func (e *exchanger) attemptContext(caller context.Context, x *exchange, seen *trace) (context.Context, context.CancelFunc) {
	if !x.unhurried {
		return context.WithTimeout(caller, e.timeout)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(caller), e.timeout)
	stop := context.AfterFunc(caller, func() {
		if !seen.mayBeSent() {
			cancel()
			return
		}
		time.AfterFunc(interruptGrace, cancel)
	})
	return ctx, func() { stop(); cancel() }
}

// readBody reads an answer whole, within maxBody.
func readBody(response *http.Response) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	if closeErr := response.Body.Close(); err == nil {
		err = closeErr
	}
	switch {
	case len(body) > maxBody:
		return nil, errTooLarge
	case err != nil:
		return nil, fmt.Errorf("the answer broke off: %w", err)
	}
	return body, nil
}

// timeoutError is the end of one attempt's time, not of the caller's.
type timeoutError struct{ after time.Duration }

// Error says how long was waited.
func (e *timeoutError) Error() string { return fmt.Sprintf("no answer within %s", e.after) }

// Timeout marks the error as a time-out, as net.Error does.
func (e *timeoutError) Timeout() bool { return true }

// trace learns whether an attempt got as far as writing its request.
type trace struct{ connecting, wrote atomic.Bool }

func (t *trace) hooks() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn:      func(string) { t.connecting.Store(true) },
		WroteHeaders: func() { t.wrote.Store(true) },
		WroteRequest: func(httptrace.WroteRequestInfo) { t.wrote.Store(true) },
	}
}

// mayBeSent is true unless the transport has told that nothing was written;
// one that tells nothing at all is not trusted with it.
func (t *trace) mayBeSent() bool { return t.wrote.Load() || !t.connecting.Load() }
