package e2e_test

import (
	"net/http"
	"sync"
)

// span is the duration of a fault.
type span int

const (
	once     span = iota // that request alone
	thisCall             // that request, and every further one of the same call
	allCalls             // that request, and everything after it
)

func (s span) String() string { return [...]string{"once", "this call", "all calls"}[s] }

// target is the request that a fault hits: the n-th request of a call, so that a different number of polls in between
// does not move the fault to another call.
type target struct {
	call string // such as "GET /definitions", with its query
	nth  int    // from 1
}

// wire is the connection from a provider to the service. An armed fault acts on its target, and on the requests that
// the span adds.
type wire struct {
	service http.RoundTripper

	mu     sync.Mutex
	fault  *fault
	target target
	span   span
	seen   int // requests of the target's call
	acted  int
	strays []string // requests that left for another host
}

// arm arms a fault and starts counting again.
func (w *wire) arm(f fault, at target, lasting span) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault, w.target, w.span, w.seen, w.acted = &f, at, lasting, 0, 0
}

// mend removes the fault, and returns how often it acted.
func (w *wire) mend() (acted int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault = nil
	return w.acted
}

// RoundTrip implements http.RoundTripper.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	if f := w.hit(r); f != nil {
		return f.act(w.service, r)
	}
	return w.service.RoundTrip(r)
}

func (w *wire) hit(r *http.Request) *fault {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r.URL.Host != serviceHost {
		w.strays = append(w.strays, r.Method+" "+r.URL.Host)
	}
	if w.fault == nil {
		return nil
	}
	call := callOf(r)
	if call == w.target.call {
		w.seen++
	}
	switch {
	case w.seen < w.target.nth:
		return nil
	case call == w.target.call:
		if w.span == once && w.seen > w.target.nth {
			return nil
		}
	case w.span != allCalls:
		return nil
	}
	w.acted++
	return w.fault
}

// callOf returns the call of a request in the form of target.
func callOf(r *http.Request) string {
	call := r.Method + " " + r.URL.Path
	if r.URL.RawQuery != "" {
		call += "?" + r.URL.RawQuery
	}
	return call
}
