// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"
)

// Fault makes the service misbehave. Among the faults that match a request, the first injected one that has Times left
// acts. Set one of Status, Cut, Truncate and Rewrite, or none to only delay.
type Fault struct {
	// Name is the name of the fault in lists.
	Name string `json:"-"`
	// Match selects the requests; nil selects all. The request has no status yet.
	Match func(Request) bool `json:"-"`
	// Skip is the number of matching requests to ignore first.
	Skip int `json:"skip"`
	// Times is how often the fault acts; 0 means without limit.
	Times int `json:"times"`
	// Delay is the delay before the effect, or after it with AfterEffect.
	Delay time.Duration `json:"-"`
	// Status, Header and Body replace the service's answer.
	Status int         `json:"status"`
	Header http.Header `json:"-"`
	Body   string      `json:"body"`
	// AfterEffect applies the fault after the service has carried out the request.
	AfterEffect bool `json:"after"`
	// Cut closes the connection without an answer.
	Cut bool `json:"cut"`
	// Truncate sends only this many bytes of the real body, and then closes the connection.
	Truncate int `json:"truncate"`
	// Rewrite changes the real answer.
	Rewrite func(status int, header http.Header, body []byte) (int, http.Header, []byte) `json:"-"`
}

// prevents reports whether the fault prevents the service from carrying out the request.
func (f Fault) prevents() bool { return (f.Cut || f.Status != 0) && !f.AfterEffect }

// distort applies the fault to the real answer.
func (f Fault) distort(x *recorder) error {
	switch {
	case f.Cut:
		return errCut
	case f.Status != 0:
		x.status, x.header, x.body = f.Status, http.Header{}, []byte(f.Body)
		maps.Copy(x.header, f.Header)
	case f.Rewrite != nil:
		x.status, x.header, x.body = f.Rewrite(x.status, x.header, x.body)
	case f.Truncate < len(x.body):
		x.truncated = f.Truncate
	}
	return nil
}

// ArmedFault is an injected fault.
type ArmedFault struct {
	ID   int    `json:"id"`
	Name string `json:"fault"`
	// Asked counts the matching requests, and Acted those that the fault acted on.
	Asked int `json:"asked"`
	Acted int `json:"acted"`
	// Times is how often it acts; 0 means without limit.
	Times int `json:"times,omitempty"`

	fault  Fault
	seeded bool // it belongs to the world
}

// matches reports whether a fault that is not used up matches a request.
func (a *ArmedFault) matches(request Request) bool {
	used := a.Times > 0 && a.Acted >= a.Times
	return !used && (a.fault.Match == nil || a.fault.Match(request))
}

// Inject arms a fault until remove is called or its Times are used up.
func (e *Emulator) Inject(fault Fault) (remove func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	a := e.arm(fault)
	e.faults = append(e.faults, a)
	return func() { e.RemoveFault(a.ID) }
}

// arm returns an armed fault, which has matched no request yet. The caller holds the lock.
func (e *Emulator) arm(fault Fault) *ArmedFault {
	e.lastFault++
	return &ArmedFault{ID: e.lastFault, Name: fault.Name, Times: fault.Times, fault: fault}
}

// faultsWith returns the faults with those of a world in place of those of the current world.
func (e *Emulator) faultsWith(list []worldFault) ([]*ArmedFault, error) {
	faults := slices.DeleteFunc(slices.Clone(e.faults), func(a *ArmedFault) bool { return a.seeded })
	for n, written := range list {
		fault, err := ParseFault(written.Fault)
		if err != nil {
			return nil, wrong(fmt.Sprintf("faults[%d].fault", n), err.Error())
		}
		a := e.arm(fault)
		a.seeded = true
		faults = append(faults, a)
	}
	return faults, nil
}

// ResetFaults removes injected faults, and arms the faults of Options and of the world again as if they had matched no
// request.
func (e *Emulator) ResetFaults() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.faults = nil
	for _, fault := range e.options.Faults {
		e.faults = append(e.faults, e.arm(fault))
	}
	if faults, err := e.faultsWith(e.world.Faults); err == nil { // they were read before
		e.faults = faults
	}
}

// Faults returns the faults in the order of their injection, including those that are used up.
func (e *Emulator) Faults() []ArmedFault {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := []ArmedFault{}
	for _, a := range e.faults {
		list = append(list, *a)
	}
	return list
}

// RemoveFault removes the fault with an ID, and reports whether there was one.
func (e *Emulator) RemoveFault(id int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	before := len(e.faults)
	e.faults = slices.DeleteFunc(e.faults, func(a *ArmedFault) bool { return a.ID == id })
	return len(e.faults) < before
}

// RemoveFaults removes every fault.
func (e *Emulator) RemoveFaults() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.faults = nil
}

// faultFor returns the fault that acts on a request; the zero Fault does nothing. The caller holds the lock.
func (e *Emulator) faultFor(request Request) Fault {
	for _, a := range e.faults {
		if !a.matches(request) {
			continue
		}
		a.Asked++
		if a.Asked > a.fault.Skip {
			a.Acted++
			return a.fault
		}
	}
	return Fault{}
}
