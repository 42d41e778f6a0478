// Package transport makes one call to the service, with whatever number of
// attempts it takes. It knows nothing of what the calls are about.
//
//	transport.go   a call and its answer
//	attempt.go     one attempt: deadline, "was it sent?", its answer within bounds
//	retry.go       what is repeated, and when; pacer.go limits the rate
//	connection.go  TLS, proxies and redirects
//	error.go       the error of a call without an answer
//	secrets.go     hides secrets in errors and logs: spelling.go decodes the
//	               spellings of a text, match.go finds secrets in it
//	text.go        makes foreign texts printable
//	log.go         writes logs
package transport

import (
	"context"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// Config is what a transport is made with.
type Config struct {
	Roots      *x509.CertPool    // nil: the system's
	Next       http.RoundTripper // nil: one of its own
	Timeout    time.Duration     // of one attempt
	MaxRetries int
	Observe    func(Observation) // may be nil
}

// Observation is an answer as it came.
type Observation struct {
	Method, Path string // relative to the endpoint, with the query
	Status       int
	Header       http.Header
	Body         []byte
}

// Transport carries the calls of a client.
type Transport struct {
	Config
	pacer  *pacer
	proven atomic.Bool // something has answered
	told   atomic.Bool // that the service cannot be reached
}

// New returns a transport.
func New(config Config) *Transport {
	if config.Next == nil {
		config.Next = newConnections(config.Roots)
	}
	return &Transport{Config: config, pacer: newPacer(max(config.MaxRetries, 1))}
}

// Request is one call.
type Request struct {
	Method string
	Base   *url.URL
	Path   string // escaped, with the query, relative to the base
	Header http.Header
	Body   []byte // nil: none

	Shown        string // the path as it may be shown
	Repeatable   bool   // it may be carried out twice without harm
	Most         int    // attempts; 0: the retries bound them
	Confidential bool   // its bodies are never logged or observed
	Unhurried    bool   // an interrupt lets an attempt under way finish
}

// Answer is the last answer to a call, whatever its status.
type Answer struct {
	Status     int
	Header     http.Header
	Body       []byte
	RetryAfter time.Duration // what the service asks to wait; 0: nothing
}

// Do makes a call. A call without an answer is an [*Error].
func (t *Transport) Do(ctx context.Context, call Request) (*Answer, error) {
	x := &exchange{Request: call, transport: t}
	var body any // bytes, or an untyped nil, which the retrying client tells apart
	if call.Body != nil {
		body = call.Body
	}
	address := strings.TrimRight(call.Base.String(), "/") + call.Path
	request, err := retryablehttp.NewRequestWithContext(ctx, call.Method, address, body)
	if err != nil {
		return nil, fmt.Errorf("%s %s: the request cannot be built", call.Method, call.Shown)
	}
	request.Header = call.Header
	response, err := x.repeating().Do(request)
	if err != nil {
		return nil, x.failure(ctx, err)
	}
	_ = response.Body.Close() // empty: the attempt has read it
	return &Answer{response.StatusCode, response.Header, x.answer, max(RetryAfter(response), 0)}, nil
}

// Throttled returns the status because of which all requests are held, nil if they are
// not.
func (t *Transport) Throttled() *Status { return t.pacer.holding() }

// TakeThrottling returns the status that began the first hold that lasted, once; nil if
// there was none, or it was returned before.
func (t *Transport) TakeThrottling() *Status { return t.pacer.take() }
