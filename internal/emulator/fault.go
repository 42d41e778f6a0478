package emulator

import (
	"net/http"
	"time"
)

// Fault makes the service misbehave. Among the faults that match a request, the first injected one that has Times left
// acts. Set one of Status, Cut, Truncate and Rewrite, or none to only delay.
type Fault struct {
	// Name is the name of the fault in lists.
	Name string
	// Key identifies the counts of a fault of Options in the state; "" means that they are not kept.
	Key string
	// Match selects the requests; nil selects all. The request has no status yet.
	Match func(Request) bool
	// Skip is the number of matching requests to ignore first.
	Skip int
	// Times is how often the fault acts; 0 means without limit.
	Times int
	// Chance is the probability that the fault acts on a request, from 0 to 1; 0 means always. The same Seed yields the
	// same sequence.
	Chance float64
	Seed   uint64
	// Delay is the delay before the effect, or after it with AfterEffect.
	Delay time.Duration
	// Status, Header and Body replace the service's answer.
	Status int
	Header http.Header
	Body   string
	// AfterEffect applies the fault after the service has carried out the request.
	AfterEffect bool
	// Cut closes the connection without an answer.
	Cut bool
	// Truncate sends only so many bytes of the real answer's body, then cuts.
	Truncate int
	// Truncate sends only this many bytes of the real body, and then closes the connection.
	Rewrite func(status int, header http.Header, body []byte) (int, http.Header, []byte)
}

// prevents reports whether the fault prevents the service from carrying out the request.
func (f Fault) prevents() bool {
	return (f.Cut || f.Status != 0) && !f.AfterEffect
}

// distort applies the fault to the real answer.
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
