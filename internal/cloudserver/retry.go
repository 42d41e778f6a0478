package cloudserver

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

const (
	firstWait     = time.Second      // the least wait before a retry
	longestWait   = 30 * time.Second // of the client's own back-off
	maxRetryAfter = 60 * time.Second // of what the service may ask for
)

// newRetrying makes the HTTP client that repeats what may be repeated.
func newRetrying(transport http.RoundTripper, maxRetries int) *retryablehttp.Client {
	return &retryablehttp.Client{
		HTTPClient:   &http.Client{Transport: transport, CheckRedirect: checkRedirect},
		RetryWaitMin: firstWait,
		RetryWaitMax: longestWait,
		RetryMax:     maxRetries,
		CheckRetry:   checkRetry,
		Backoff: func(_, _ time.Duration, attempt int, response *http.Response) time.Duration {
			return backoff(attempt, retryAfter(response))
		},
		ErrorHandler: retryablehttp.PassthroughErrorHandler, // or the last answer is lost
	}
}

// checkRetry is the policy: what is idempotent is repeated after
// connection failures and answers of the "later" kind; a POST only where the
// service certainly did nothing. An answer that has come counts, even if the
// context ended meanwhile.
func checkRetry(ctx context.Context, response *http.Response, err error) (bool, error) {
	x := exchangeOf(ctx)
	if err == nil && !isRetryable(response.StatusCode, x.repeatable) {
		return false, nil
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err == nil {
		return true, nil
	}
	return (x.repeatable || !x.sent) && !isPermanent(err), nil
}

func isRetryable(status int, repeatable bool) bool {
	switch status {
	case http.StatusTooManyRequests:
		return true
	case http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return repeatable
	}
	return false
}

// isPermanent reports failures that another attempt cannot mend.
func isPermanent(err error) bool {
	var redirect *redirectError
	var notTLS tls.RecordHeaderError
	return isCertificateError(err) || errors.As(err, &redirect) || errors.As(err, &notTLS) || errors.Is(err, errTooLarge)
}

func isCertificateError(err error) bool {
	var verification *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var hostname x509.HostnameError
	var invalid x509.CertificateInvalidError
	return errors.As(err, &verification) || errors.As(err, &authority) || errors.As(err, &hostname) || errors.As(err, &invalid)
}

// backoff is the wait after the given attempt (0: the first). What the service
// asks for is the least, and the jitter on top grows too, so that the callers
// of a throttled run do not all come back at once.
func backoff(attempt int, asked time.Duration) time.Duration {
	step := min(firstWait<<min(attempt, 10), longestWait*2/3)
	jitter := rand.N(step / 2)
	if asked >= 0 {
		return min(asked+jitter, maxRetryAfter)
	}
	return step + jitter
}

// retryAfter reads the header of that name, in seconds or as a date; negative:
// the service did not say.
func retryAfter(response *http.Response) time.Duration {
	if response == nil {
		return -1
	}
	text := strings.TrimSpace(response.Header.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(text); err == nil {
		return max(time.Until(date), 0)
	}
	return -1
}

// pause waits, or returns the context's error at once when it ends.
func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
