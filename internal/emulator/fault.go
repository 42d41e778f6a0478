package emulator

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"time"
)

// Fault makes the service misbehave. Of the faults that match a request, the first injected one that has Times left acts.
// Set one of Status, Cut, Truncate and Rewrite, or none to only delay.
type Fault struct {
	// Name is how lists show the fault.
	Name string
	// Match selects the requests; nil means all. The request has no status yet.
	Match func(Request) bool
	// Skip is how many matching requests pass first.
	Skip int
	// Times is how often the fault acts; 0 is without end.
	Times int
	// Chance is how likely the fault acts on a request, from 0 to 1; 0 is always. The same Seed draws the same numbers.
	Chance float64
	Seed   uint64
	// Delay is waited for before the effect, or after it with AfterEffect.
	Delay time.Duration
	// Status, Header and Body answer instead of the service.
	Status int
	Header http.Header
	Body   string
	// AfterEffect makes the fault act after the service has done what was asked.
	AfterEffect bool
	// Cut closes the connection without an answer.
	Cut bool
	// Truncate sends only so many bytes of the real answer's body, then cuts.
	Truncate int
	// Rewrite changes the real answer.
	Rewrite func(status int, header http.Header, body []byte) (int, http.Header, []byte)
}

// armed is an injected fault.
type armed struct {
	Fault
	id, seen, acted int
	source          rand.PCG // of Chance
}

// Inject arms a fault until remove is called or its Times are used.
func (e *Emulator) Inject(fault Fault) (remove func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lastID++
	a := &armed{Fault: fault, id: e.lastID, source: *rand.NewPCG(fault.Seed, 0)}
	e.faults = append(e.faults, a)
	return func() { e.RemoveFaults(a.id) }
}

// ArmedFault is an injected fault.
type ArmedFault struct {
	ID   int    `json:"id"`
	Name string `json:"fault"`
	// Asked counts the requests that it matches, and Acted those that it changed.
	Asked int `json:"asked"`
	Acted int `json:"acted"`
}

// Faults returns the faults that have Times left, in the order of their injection.
func (e *Emulator) Faults() []ArmedFault {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := []ArmedFault{}
	for _, a := range e.faults {
		if a.Times == 0 || a.acted < a.Times {
			list = append(list, ArmedFault{a.id, a.Name, a.seen, a.acted})
		}
	}
	return list
}

// RemoveFaults removes every fault, or the one with an id, and reports whether there was one.
func (e *Emulator) RemoveFaults(id int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	before := len(e.faults)
	e.faults = slices.DeleteFunc(e.faults, func(a *armed) bool { return id == 0 || a.id == id })
	return len(e.faults) < before
}

// fault returns the fault that acts on a request; the zero Fault does nothing.
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
		if a.Chance > 0 && rand.New(&a.source).Float64() >= a.Chance {
			continue
		}
		a.acted++
		return a.Fault
	}
	return Fault{}
}

// prevents reports whether the fault keeps the service from doing its work.
func (f Fault) prevents() bool {
	return (f.Cut || f.Status != 0) && !f.AfterEffect
}

// distort turns the real answer into what is sent.
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
