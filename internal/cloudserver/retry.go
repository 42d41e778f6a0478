// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"cmp"
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The waits before a call is repeated.
const (
	firstWait     = time.Second      // minimum wait before a retry
	longestWait   = 20 * time.Second // maximum of the client's own back-off, without jitter
	maxRetryAfter = 60 * time.Second // maximum of what the service may ask for, but after 429
	reportEvery   = 30 * time.Second // a call that is repeated is reported

	patience = 2 * time.Minute // how long calls are repeated after 429, and a creation after an ambiguous result
)

// checkRetry is the retry policy. An answer that has arrived counts even if the context has ended since.
func (x *exchange) checkRetry(ctx context.Context, response *http.Response, err error) (bool, error) {
	x.count(response)
	if err == nil && !x.isRetryable(response.StatusCode) {
		return false, nil
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if !x.hasRetries(response) {
		return false, nil
	}
	if err != nil && (x.call.once && x.sent || isFinal(err)) {
		return false, nil
	}
	// At first, an unreachable service means a wrong address. Once it has answered, it means an outage that may pass.
	if err != nil && isUnreachable(err) && !x.client.answered.Load() {
		return false, nil
	}
	x.report(ctx, cmp.Or(x.last, err))
	return true, nil
}

// count counts an attempt by its answer, which is nil if there was none. An attempt that was answered with 429 does not
// count: callers that share a limit take turns, and one may be unlucky several times.
func (x *exchange) count(response *http.Response) {
	if isThrottled(response) {
		return
	}
	x.counted++
	if response != nil && response.StatusCode == http.StatusInternalServerError {
		x.answers500++
	}
}

// hasRetries reports whether there may be another attempt. After a 429 the time is limited, for all calls together,
// otherwise the number.
func (x *exchange) hasRetries(response *http.Response) bool {
	if isThrottled(response) {
		return x.client.maxRetries > 0 && !x.client.gate.isHopeless()
	}
	return x.counted <= x.client.maxRetries
}

func isThrottled(response *http.Response) bool {
	return response != nil && response.StatusCode == http.StatusTooManyRequests
}

// isRetryable reports whether the status means that the call should be repeated. After 409, 423 and 429 nothing was
// done (API.md §1), so that even a call with once is repeated.
func (x *exchange) isRetryable(status int) bool {
	switch status {
	case http.StatusConflict, http.StatusLocked, http.StatusTooManyRequests:
		return true
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return !x.call.once
	case http.StatusInternalServerError:
		return !x.call.once && x.answers500 == 1
	}
	return false
}

// backoffAfter returns the wait after an attempt, where 0 is the first.
func backoffAfter(_, _ time.Duration, attempt int, response *http.Response) time.Duration {
	return backoff(attempt, retryAfter(response))
}

// backoff returns a wait that doubles with each attempt, or the one that the service asks for. A negative one is none.
// The jitter also grows, so that callers that failed together do not return together.
func backoff(attempt int, asked time.Duration) time.Duration {
	step := min(firstWait<<min(attempt, 10), longestWait)
	if asked < 0 {
		asked = step
	}
	return min(asked+rand.N(step/2), maxRetryAfter)
}

// retryAfter returns the value of the header of that name, in seconds or as a date, or a negative duration if there is
// none.
func retryAfter(response *http.Response) time.Duration {
	if response == nil {
		return -1
	}
	value := strings.TrimSpace(response.Header.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return -1
	}
	return max(time.Until(date), 0)
}

// How the state of an object is polled.
const (
	// FirstPause and LongestPause are the bounds of the pauses between two looks, which double.
	FirstPause   = 100 * time.Millisecond
	LongestPause = 3 * time.Second

	lastLook = 5 * time.Second // maximum of a last look after a deadline or an interrupt
)

// ForLastLook returns ctx or, if it has ended, a context for a last look, so that the caller knows what exists.
func ForLastLook(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx.Err() == nil {
		return ctx, func() {}
	}
	return context.WithTimeout(context.WithoutCancel(ctx), lastLook)
}

// Pause waits. It returns the context's error as soon as the context ends, or immediately if it has ended already.
func Pause(ctx context.Context, wait time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// gate holds all calls of a client after a 429, for as long as the service asks. If it asks for more than two minutes, or
// has answered nothing else for two minutes, they end: later calls would only wait for the same.
type gate struct {
	mu      sync.Mutex
	since   time.Time // when the first 429 was answered after another answer or a pause; zero: the last answer was no 429
	until   time.Time
	refusal error
}

// hold closes the gate after a 429.
func (g *gate) hold(response *http.Response, refusal error) {
	asked := retryAfter(response)
	if asked < 0 {
		asked = firstWait
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.since.IsZero() || time.Since(g.until) > patience {
		g.since = time.Now()
	}
	if until := time.Now().Add(asked); until.After(g.until) {
		g.until, g.refusal = until, refusal
	}
}

// open notes an answer other than 429.
func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.since = time.Time{}
}

// isHopeless reports whether calls end instead of waiting for the gate.
func (g *gate) isHopeless() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return time.Until(g.until) > patience || !g.since.IsZero() && time.Since(g.since) >= patience
}

// wait waits until the gate is open, and calls report from time to time, with the refusal that holds the calls. Its error is
// that refusal: a *heldError if they end.
func (g *gate) wait(ctx context.Context, report func(refusal error)) error {
	for {
		g.mu.Lock()
		held, refusal := time.Until(g.until), g.refusal
		g.mu.Unlock()
		switch {
		case held <= 0:
			return nil
		case g.isHopeless():
			return &heldError{refusal}
		}
		if Pause(ctx, min(held+rand.N(held/2+1), reportEvery)) != nil {
			return refusal
		}
		report(refusal)
	}
}

// heldError ends a call that the gate holds. Another attempt would be held as well.
type heldError struct{ error }

// Error returns the refusal of the other request, and that this one was not sent.
func (e *heldError) Error() string { return "held back with all requests, because " + e.error.Error() }

// Unwrap returns the refusal.
func (e *heldError) Unwrap() error { return e.error }

// Lasting reports that another attempt would fail as well.
func (e *heldError) Lasting() bool { return true }
