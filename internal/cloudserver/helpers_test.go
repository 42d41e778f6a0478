// SPDX-License-Identifier: MPL-2.0

package cloudserver_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"sync"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

const testEndpoint = "https://service.invalid/base"

// received is an attempt as received by the service.
type received struct {
	method, path, query string
	header              http.Header
	body                string
	at                  time.Time
}

// service is a service in memory, so that it works with a fake clock. It plays its steps in order, and repeats the last
// one.
type service struct {
	mu    sync.Mutex
	seen  []received
	steps []step
}

// step is the service's reaction to one attempt.
type step func(*http.Request) (*http.Response, error)

func serve(steps ...step) *service { return &service{steps: steps} }

// RoundTrip implements http.RoundTripper.
func (s *service) RoundTrip(request *http.Request) (*http.Response, error) {
	var body []byte
	if request.Body != nil {
		var err error
		if body, err = io.ReadAll(request.Body); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	s.seen = append(s.seen, received{
		method: request.Method,
		path:   request.URL.EscapedPath(),
		query:  request.URL.RawQuery,
		header: request.Header.Clone(),
		body:   string(body),
		at:     time.Now(),
	})
	next := s.steps[min(len(s.seen), len(s.steps))-1]
	s.mu.Unlock()
	response, err := next(request)
	if response != nil {
		response.Request = request
	}
	return response, err
}

func (s *service) journal() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]received(nil), s.seen...)
}

// methods returns the methods in the journal.
func (s *service) methods() []string {
	var methods []string
	for _, one := range s.journal() {
		methods = append(methods, one.method)
	}
	return methods
}

// answer returns a step that answers with a status and a body. headers alternates names and values.
func answer(status int, body string, headers ...string) step {
	return func(*http.Request) (*http.Response, error) {
		recorder := httptest.NewRecorder()
		for i := 0; i+1 < len(headers); i += 2 {
			recorder.Header().Set(headers[i], headers[i+1])
		}
		recorder.WriteHeader(status)
		if _, err := recorder.WriteString(body); err != nil && !errors.Is(err, http.ErrBodyNotAllowed) { // 204 has no body
			return nil, err
		}
		return recorder.Result(), nil
	}
}

var errReset = errors.New("connection reset by peer")

// unwritten simulates a connection that cannot be made.
func unwritten(request *http.Request) (*http.Response, error) {
	httptrace.ContextClientTrace(request.Context()).GetConn("service.invalid:443")
	return nil, errors.New("connection refused")
}

// cut simulates a connection that breaks after the request was written.
func cut(request *http.Request) (*http.Response, error) {
	written(request)
	return nil, errReset
}

func written(request *http.Request) {
	trace := httptrace.ContextClientTrace(request.Context())
	trace.GetConn("service.invalid:443")
	trace.WroteHeaders()
}

// hang simulates a service that never answers.
func hang(request *http.Request) (*http.Response, error) {
	written(request)
	<-request.Context().Done()
	return nil, context.Cause(request.Context())
}

// newClient returns a client with a token for a service in memory.
func newClient(t testing.TB, transport http.RoundTripper, change ...func(*cloudserver.Config)) *cloudserver.Client {
	t.Helper()
	config := cloudserver.Config{Endpoint: testEndpoint, Token: "apikey.test", Transport: transport}
	for _, apply := range change {
		apply(&config)
	}
	client, err := cloudserver.New(config)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	return client
}

func withRetries(retries int) func(*cloudserver.Config) {
	return func(config *cloudserver.Config) { config.MaxRetries = &retries }
}

// connecting simulates a connection attempt that never ends.
func connecting(request *http.Request) (*http.Response, error) {
	httptrace.ContextClientTrace(request.Context()).GetConn("service.invalid:443")
	<-request.Context().Done()
	return nil, context.Cause(request.Context())
}
