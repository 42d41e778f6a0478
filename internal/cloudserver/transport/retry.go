package transport

import (
	"context"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

const (
	firstWait     = time.Second      // minimum wait before a retry
	longestWait   = 30 * time.Second // maximum of the client's own back-off
	maxRetryAfter = 60 * time.Second // maximum of what the service may ask for
)

// repeating returns the HTTP client that makes the attempts of the call.
func (x *exchange) repeating() *retryablehttp.Client {
	return &retryablehttp.Client{
		HTTPClient: &http.Client{Transport: x, CheckRedirect: checkRedirect},
		RetryMax:   math.MaxInt32, // checkRetry counts
		CheckRetry: x.checkRetry,
		Backoff: func(_, _ time.Duration, attempt int, response *http.Response) time.Duration {
			if isThrottled(response) {
				return 0 // the pacer waits
			}
			return Backoff(attempt-x.throttled, RetryAfter(response))
		},
		ErrorHandler: retryablehttp.PassthroughErrorHandler, // otherwise the last answer is lost
	}
}

// checkRetry is the retry policy. An idempotent request is repeated after connection failures and answers that mean
// "try later", a POST only if the service certainly did nothing. A write that is answered with 500 is repeated once,
// because the service may be unable to carry it out. An answer that has arrived counts even if the context has ended
// since.
func (x *exchange) checkRetry(ctx context.Context, response *http.Response, err error) (bool, error) {
	if err == nil && response.StatusCode == http.StatusInternalServerError {
		x.broken++
	}
	if err == nil && isThrottled(response) {
		if x.throttled++; x.throttled == 1 {
			x.refused = time.Now()
		}
	}
	if x.Most > 0 && x.attempt >= x.Most || err == nil && (x.hopeless || !x.isRetryable(response.StatusCode)) {
		return false, nil
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err == nil || !x.mayRepeat() {
		return x.mayRepeat(), nil
	}
	return (x.Repeatable || !x.sent) && (!isPermanent(err) || x.proven && isOutage(err)), nil
}

// mayRepeat reports whether the number of attempts allows another one. Attempts that were answered with 429 count only
// if they take long.
func (x *exchange) mayRepeat() bool {
	most := x.transport.MaxRetries
	patient := most > 0 && (x.throttled <= most || time.Since(x.refused) < Patience)
	return patient && x.attempt-x.throttled <= most
}

func isThrottled(response *http.Response) bool {
	return response != nil && response.StatusCode == http.StatusTooManyRequests
}

func (x *exchange) isRetryable(status int) bool {
	switch status {
	case http.StatusTooManyRequests:
		return true
	case http.StatusInternalServerError:
		return x.Repeatable && (x.Method == http.MethodGet || x.broken < 2)
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return x.Repeatable
	}
	return false
}

// Backoff returns the wait after an attempt, where 0 is the first. It is at least as long as the service asks for. The
// jitter on top also grows, so that the callers of a throttled run do not all return at once.
func Backoff(attempt int, asked time.Duration) time.Duration {
	step := min(firstWait<<min(attempt, 10), longestWait*2/3)
	jitter := rand.N(step / 2)
	if asked >= 0 {
		return min(asked+jitter, maxRetryAfter)
	}
	return step + jitter
}

// RetryAfter returns the value of the header of that name, in seconds or as a date, or a negative duration if there is
// none. A date is measured from the service's own clock, if the answer contains it.
func RetryAfter(response *http.Response) time.Duration {
	if response == nil {
		return -1
	}
	text := strings.TrimSpace(response.Header.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	date, err := http.ParseTime(text)
	if err != nil {
		return -1
	}
	now, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return max(date.Sub(now), 0)
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
