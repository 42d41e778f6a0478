package e2e_test

import (
	"net/http"
	"sync"
)

// span is how long a fault lasts.
type span int

const (
	once     span = iota // that request alone
	thisCall             // that request, and every further one of the same call
	allCalls             // that request, and everything after it
)

func (s span) String() string { return [...]string{"once", "this call", "all calls"}[s] }

// wire is the way from a provider to the service. A fault that is armed acts on
// the request with its number, and on what the span adds.
type wire struct {
	service http.RoundTripper

	mu     sync.Mutex
	fault  *fault
	at     int
	span   span
	seen   int
	call   string // the one that was hit
	acted  int
	strays []string // requests that left for another host
}

// arm starts counting again.
func (w *wire) arm(f fault, at int, lasting span) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault, w.at, w.span, w.seen, w.call, w.acted = &f, at, lasting, 0, "", 0
}

// mend takes the fault away, and tells how often it acted.
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
	call, number := r.Method+" "+r.URL.Path, w.seen
	w.seen++
	if number == w.at {
		w.call = call
	}
	if number < w.at || number > w.at && (w.span == once || w.span == thisCall && call != w.call) {
		return nil
	}
	w.acted++
	return w.fault
}
