package emulator

import (
	"net/http"
	"time"
)

// Fault makes the service misbehave. Of the faults that match a request, the first injected one that has Times left acts.
// Set one of Status, Cut, Truncate and Rewrite, or none to only delay.
type Fault struct {
	// Name is how lists show the fault.
	Name string
	// Key is what the counts of a fault of Options are kept under in the state; "" keeps none.
	Key string
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
