package harness

import (
	"net/http"
	"sync"
)

// gate passes on the requests of all providers of the tests, until it is closed.
type gate struct {
	service http.RoundTripper

	mu     sync.RWMutex // held for reading by each request
	closed bool
}

// closedError is the answer of a closed gate. Another attempt would fail as well.
type closedError struct{}

func (closedError) Error() string { return "the tests were interrupted" }

// Lasting implements an interface of the client.
func (closedError) Lasting() bool { return true }

// RoundTrip implements http.RoundTripper.
func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if g.closed {
		return nil, closedError{}
	}
	return g.service.RoundTrip(r)
}

// close ends all requests. When it returns, those that had begun are answered, so that a listing has what they created.
func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
}
