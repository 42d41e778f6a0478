package emulator

import (
	"net/http"
	"slices"
	"time"
)

// Fault makes the service misbehave. Of the faults that match a request, the
// first injected one with Times left acts. Give one of Status, Cut, Truncate
// and Rewrite, or none to only delay.
type Fault struct {
	// Match chooses the requests; nil means every one. Status is not yet set.
	Match func(Request) bool
	// Skip lets so many matching requests pass first.
	Skip int
	// Times is how often the fault acts; 0 means for ever.
	Times int
	// Delay is waited before the effect, or after it with AfterEffect.
	Delay time.Duration
	// Status, Header and Body answer instead of the service.
	Status int
	Header http.Header
	Body   string
	// AfterEffect lets the service do what was asked before the fault acts.
	AfterEffect bool
	// Cut closes the connection without an answer.
	Cut bool
	// Truncate sends only so many bytes of the true answer's body, then cuts.
	Truncate int
	// Rewrite changes the true answer.
	Rewrite func(status int, header http.Header, body []byte) (int, http.Header, []byte)
}

// armed is an injected fault with its counters.
type armed struct {
	Fault
	seen, acted int
}

// Inject arms a fault until remove is called or its Times are used up.
func (e *Emulator) Inject(fault Fault) (remove func()) {
	a := &armed{Fault: fault}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.faults = append(e.faults, a)
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.faults = slices.DeleteFunc(e.faults, func(other *armed) bool { return other == a })
	}
}

// fault picks the fault that acts on a request; the zero Fault does nothing.
func (e *Emulator) fault(request Request) Fault {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, a := range e.faults {
		if a.Times > 0 && a.acted >= a.Times {
			continue
		}
		if a.Match != nil && !a.Match(request) {
			continue
		}
		a.seen++
		if a.seen <= a.Skip {
			continue
		}
		a.acted++
		return a.Fault
	}
	return Fault{}
}

// prevents tells whether the fault keeps the service from doing its work.
func (f Fault) prevents() bool {
	return (f.Cut || f.Status != 0) && !f.AfterEffect
}

// distort turns the true answer into what is sent.
func (f Fault) distort(o outcome) outcome {
	switch {
	case f.Cut:
		return outcome{cut: true}
	case f.Status != 0:
		header := f.Header.Clone()
		if header == nil {
			header = http.Header{}
		}
		return outcome{status: f.Status, header: header, body: []byte(f.Body)}
	case f.Rewrite != nil:
		o.status, o.header, o.body = f.Rewrite(o.status, o.header, o.body)
	case f.Truncate > 0 && f.Truncate < len(o.body):
		o.cut, o.sent = true, f.Truncate
	}
	return o
}
