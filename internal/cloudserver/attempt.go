// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

const (
	finishWithin = 5 * time.Second // how long a request in progress may still take after an interrupt

	maxBody = 16 << 20 // maximum size of an answer in bytes, enough for more than ten thousand machines
)

// newTransport returns a transport for a parallelism of up to 50: every worker keeps its connection.
func newTransport(roots *x509.CertPool) *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true, // a TLSClientConfig would turn it off

		OnProxyConnectResponse: checkProxy,
		MaxIdleConns:           128,
		MaxIdleConnsPerHost:    64,
		IdleConnTimeout:        90 * time.Second,
	}
}

// exchange is one call with its attempts, which are made one after another.
type exchange struct {
	client   *Client
	call     call
	endpoint string // the base URL that is called
	url      string
	path     string // as it may be shown
	header   http.Header
	body     []byte // nil: none
	secrets  secrets
	carried  carried // of the body

	attempt    int       // number of the last one
	counted    int       // number of attempts that count: all but those that were answered with 429
	answers500 int       // number of attempts that were answered with 500
	sent       bool      // a failed attempt may have been carried out
	last       error     // of the last attempt: an *Error, or why it was not answered
	answer     []byte    // the last body
	began      time.Time // the call
	reported   time.Time // last, while it is repeated
}

// do makes the call. If there is no answer, the error is a [*TransportError].
func (x *exchange) do(ctx context.Context) (*answer, error) {
	var body any // a byte slice, or an untyped nil, which the retrying client distinguishes
	if x.body != nil {
		body = x.body
	}
	request, err := retryablehttp.NewRequestWithContext(ctx, x.call.method, x.url, body)
	if err != nil {
		return nil, fmt.Errorf("%s %s: the request cannot be built", x.call.method, x.path)
	}
	request.Header = x.header
	x.began = time.Now()
	x.reported = x.began
	client := retryablehttp.Client{
		HTTPClient:   &http.Client{Transport: x, CheckRedirect: checkRedirect},
		RetryMax:     math.MaxInt32, // checkRetry counts
		CheckRetry:   x.checkRetry,
		Backoff:      backoffAfter,
		ErrorHandler: retryablehttp.PassthroughErrorHandler, // otherwise the last answer is lost
	}
	response, err := client.Do(request) //nolint:bodyclose // try has read and closed it
	if held, ok := errors.AsType[*heldError](err); ok && ctx.Err() == nil {
		return nil, held
	}
	if err != nil {
		return nil, x.failure(ctx, err)
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return nil, x.last
	}
	answer := &answer{method: x.call.method, path: x.path, status: response.StatusCode, body: x.answer}
	if !x.call.auth && bytes.HasPrefix(bytes.TrimSpace(x.answer), []byte("<")) {
		return nil, answer.unreadable(errPage)
	}
	return answer, nil
}

// RoundTrip makes one attempt. It implements http.RoundTripper.
func (x *exchange) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx := request.Context()
	if held := x.client.gate.wait(ctx, func(refusal error) { x.report(ctx, refusal) }); held != nil {
		x.last = held
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, held
	}
	x.attempt++
	began := time.Now()
	response, body, err := x.try(request)
	x.log(ctx, response, body, time.Since(began), err)
	if err != nil {
		if ctx.Err() == nil {
			x.last = err
			noteFailure(ctx, x.failure(ctx, err))
		}
		return nil, err
	}
	x.client.answered.Store(true)
	x.answer, x.last = body, nil
	if response.StatusCode < 200 || response.StatusCode > 299 {
		x.last = x.newError(response, body)
		noteFailure(ctx, x.last)
	}
	if response.StatusCode == http.StatusTooManyRequests {
		x.client.gate.hold(response, x.last)
	} else {
		x.client.gate.open()
	}
	x.sent = x.sent || response.StatusCode >= http.StatusInternalServerError
	if x.client.observe != nil && !x.call.auth {
		x.client.observe(body)
	}
	return response, nil
}

// try sends a request within the time limit of an attempt. It reads the whole answer, so that an answer that breaks off
// is a failure of the attempt.
func (x *exchange) try(request *http.Request) (*http.Response, []byte, error) {
	if err := request.Context().Err(); err != nil {
		return nil, nil, err
	}
	var seen trace
	ctx, cancel := x.attemptContext(request.Context(), &seen)
	defer cancel()
	response, err := x.client.transport.RoundTrip(request.WithContext(httptrace.WithClientTrace(ctx, seen.hooks())))
	var body []byte
	if err == nil {
		body, err = readBody(response)
	}
	if err == nil {
		response.Body = http.NoBody
		return response, body, nil
	}
	x.sent = x.sent || response != nil || seen.mayBeSent()
	if ctx.Err() != nil && request.Context().Err() == nil {
		err = fmt.Errorf("nothing within %s (request_timeout)", x.client.timeout)
	}
	return nil, nil, err
}

// attemptContext ends after the time limit of an attempt, or with the caller's context. A request that lets itself
// finish gets some time after an interrupt if it was sent.
func (x *exchange) attemptContext(caller context.Context, seen *trace) (context.Context, context.CancelFunc) {
	if !x.call.finish {
		return context.WithTimeout(caller, x.client.timeout)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(caller), x.client.timeout)
	stop := context.AfterFunc(caller, func() {
		if !seen.mayBeSent() {
			cancel()
			return
		}
		time.AfterFunc(finishWithin, cancel)
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

// readBody reads a whole answer and closes it.
func readBody(response *http.Response) ([]byte, error) {
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the answer broke off: %w", err)
	case len(body) > maxBody:
		return nil, finalError("the answer is larger than any of the service's")
	}
	return body, nil
}

const maxRedirects = 5

// checkRedirect keeps requests, with their token, on the configured host, and prevents that a POST becomes a GET.
func checkRedirect(next *http.Request, via []*http.Request) error {
	first := via[0]
	isSafe := Host(next.URL) == Host(first.URL) && next.URL.Scheme == first.URL.Scheme
	if isSafe && next.Method == first.Method && len(via) <= maxRedirects {
		return nil
	}
	target := next.Method + " " + next.URL.Scheme + "://" + next.URL.Host
	return finalError(fmt.Sprintf("the service redirects to %s, which is refused; check the endpoint", target))
}

// failure returns the error of a call without an answer. An error of the library may quote the answer or the whole
// address, so only what is known to be harmless is shown.
func (x *exchange) failure(ctx context.Context, err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	failed := &TransportError{
		Method: x.call.method, Path: x.path, Endpoint: x.endpoint, Err: err, Sent: x.sent, secrets: x.secrets,
	}
	if ended := ctx.Err(); ended != nil {
		failed.Err, failed.Last = ended, x.last
	}
	return failed
}
