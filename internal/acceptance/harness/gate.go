// SPDX-License-Identifier: MPL-2.0

package harness

import (
	"net/http"
	"sync"
)

// gate passes on the requests of all providers of the tests, until it is closed.
type gate struct {
	service http.RoundTripper

	mu       sync.Mutex // guards closed, and the order of it and underWay
	closed   bool
	underWay sync.WaitGroup
}

// closedError is the answer of a closed gate. Another attempt would fail as well.
type closedError struct{}

func (closedError) Error() string { return "the tests were interrupted" }

// Lasting implements an interface of the client.
func (closedError) Lasting() bool { return true }

// RoundTrip implements http.RoundTripper.
func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	if !g.enter() {
		return nil, closedError{}
	}
	defer g.underWay.Done()
	return g.service.RoundTrip(r)
}

// enter reports whether a request may begin.
func (g *gate) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.closed {
		g.underWay.Add(1)
	}
	return !g.closed
}

// isClosed reports whether all requests have ended.
func (g *gate) isClosed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}

// close ends all requests. When it returns, those that had begun are answered, so that a listing has what they created.
func (g *gate) close() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.underWay.Wait()
}
