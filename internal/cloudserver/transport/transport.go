// Package transport makes one call to the service, with any number of attempts. It knows nothing about the meaning of
// calls.
//
//	transport.go   a call and its answer
//	attempt.go     one attempt: deadline, "was it sent?", its answer within bounds
//	retry.go       what is repeated, and when; pacer.go makes calls wait, after a 429 too; rate.go says how fast
//	connection.go  TLS and redirects
//	proxy.go       the proxy of the environment
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

// Config is the configuration of a transport.
type Config struct {
	Roots      *x509.CertPool    // nil: the system's
	Next       http.RoundTripper // nil: a transport of its own
	Timeout    time.Duration     // of one attempt
	MaxRetries int
	Shared     bool              // several runs use it, and each shows its own messages
	Observe    func(Observation) // may be nil

	UnknownVariables string // ends a message about a certificate that is not trusted
}

// Observation is an answer as received.
type Observation struct {
	Method, Path string // relative to the endpoint, with the query
	Status       int
	Header       http.Header
	Body         []byte
}

// Transport carries the calls of a client.
type Transport struct {
	Config
	pacer    *pacer
	proven   atomic.Bool            // something has answered
	reported atomic.Bool            // it was reported that the service cannot be reached
	failing  atomic.Pointer[Status] // of the last answer to any call, if it was a 5xx
	network  bool                   // requests leave this process, perhaps through a proxy
}

// New returns a transport.
func New(config Config) *Transport {
	network := config.Next == nil
	if network {
		config.Next = newConnections(config.Roots)
	}
	return &Transport{Config: config, pacer: newPacer(max(config.MaxRetries, 1)), network: network}
}

// Request is one call.
type Request struct {
	Method string
	Base   *url.URL
	Path   string // escaped, with the query, relative to the base URL
	Header http.Header
	Body   []byte // nil: none

	Shown        string // the path in a form that is safe to show
	Repeatable   bool   // it may be carried out twice without harm
	Most         int    // maximum number of attempts; 0: the retries determine it
	Confidential bool   // its bodies are never logged or observed
	Unhurried    bool   // an interrupt lets an attempt in progress finish
}

// Answer is the last answer to a call, whatever its status.
type Answer struct {
	Status     int
	Header     http.Header
	Body       []byte
	RetryAfter time.Duration // how long the service asks to wait; 0: not specified
	Sent       bool          // an earlier, failed attempt may have been carried out
	Hopeless   bool          // a 429, and the service refuses everything
}

// Do makes a call. If there is no answer, the error is an [*Error].
func (t *Transport) Do(ctx context.Context, call Request) (*Answer, error) {
	x := &exchange{Request: call, transport: t}
	var body any // a byte slice, or an untyped nil, which the retrying client distinguishes
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
	return &Answer{response.StatusCode, response.Header, x.answer, max(RetryAfter(response), 0), x.sent, x.hopeless}, nil
}

// Throttled returns the status that holds up all requests, or nil.
func (t *Transport) Throttled() *Status { return t.pacer.holding() }

// Failing returns the status of the last answer, if it was a 5xx, or nil.
func (t *Transport) Failing() *Status { return t.failing.Load() }

// TakeThrottling returns the status that began the first lasting hold, but only once. Otherwise it returns nil.
func (t *Transport) TakeThrottling() *Status { return t.pacer.take() }
