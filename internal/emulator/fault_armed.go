package emulator

import (
	"math/rand/v2"
	"slices"
)

// armed is an injected fault.
type armed struct {
	Fault
	id, seen, acted int
	own             int      // its position in Options.Faults, from 1
	source          rand.PCG // of Chance
	drawn           int      // how many of its numbers have been drawn
}

// newArmed returns an armed fault that has matched no request yet.
func newArmed(fault Fault, id int) *armed {
	return &armed{Fault: fault, id: id, source: *rand.NewPCG(fault.Seed, 0)}
}

// Inject arms a fault until remove is called or its Times are used up.
func (e *Emulator) Inject(fault Fault) (remove func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	a := e.arm(fault)
	return func() { e.RemoveFaults(a.id) }
}

// arm arms a fault. The caller holds the lock.
func (e *Emulator) arm(fault Fault) *armed {
	e.lastID++
	e.changes++
	a := newArmed(fault, e.lastID)
	if len(e.faults) > MaxFaults { // otherwise used-up faults would accumulate
		e.faults = slices.DeleteFunc(e.faults, func(a *armed) bool { return a.own == 0 && a.used() })
	}
	e.faults = append(e.faults, a)
	return a
}

// ResetFaults removes injected faults, and arms the faults of Options again as if they had matched no request.
func (e *Emulator) ResetFaults() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.faults = slices.DeleteFunc(e.faults, func(a *armed) bool { return a.own == 0 })
	e.armOwn()
}

// RearmFaults arms the faults of Options again as if they had matched no request. Injected faults stay.
func (e *Emulator) RearmFaults() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.armOwn()
}

// armOwn arms the faults of Options, before all others. The caller holds the lock, or nobody else has the emulator yet.
func (e *Emulator) armOwn() {
	ids := map[int]int{}
	for _, a := range e.faults {
		ids[a.own] = a.id
	}
	injected := slices.DeleteFunc(slices.Clone(e.faults), func(a *armed) bool { return a.own > 0 })
	e.faults = nil
	for n, fault := range e.options.Faults {
		a := e.arm(fault)
		if a.own = n + 1; ids[a.own] > 0 {
			a.id, e.lastID = ids[a.own], e.lastID-1
		}
	}
	e.faults = append(e.faults, injected...)
	e.changes++
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
}

// Faults returns the faults that have Times left, in the order of their injection.
func (e *Emulator) Faults() []ArmedFault {
	return slices.DeleteFunc(e.AllFaults(), func(f ArmedFault) bool { return f.Times > 0 && f.Acted >= f.Times })
}

// AllFaults returns the same with the faults that are used up, except those that arm has removed.
func (e *Emulator) AllFaults() []ArmedFault {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := []ArmedFault{}
	for _, a := range e.faults {
		list = append(list, ArmedFault{a.id, a.Name, a.seen, a.acted, a.Times})
	}
	return list
}

// used reports whether a fault is used up.
func (a *armed) used() bool { return a.Times > 0 && a.acted >= a.Times }

// RemoveFaults removes every fault, or the one with an ID, and reports whether there was one.
func (e *Emulator) RemoveFaults(id int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	before := len(e.faults)
	e.faults = slices.DeleteFunc(e.faults, func(a *armed) bool { return id == 0 || a.id == id })
	e.changes++
	return len(e.faults) < before
}

// fault returns the fault that acts on a request; the zero Fault does nothing.
func (e *Emulator) fault(request Request) Fault {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, a := range e.faults {
		if a.used() || a.Match != nil && !a.Match(request) {
			continue
		}
		a.seen++
		e.changes++
		if a.seen <= a.Skip || a.Chance > 0 && a.draw() >= a.Chance {
			continue
		}
		a.acted++
		return a.Fault
	}
	return Fault{}
}

// draw returns the random number for the current request. It is the same whichever processes have met the requests
// before.
func (a *armed) draw() (number float64) {
	for source := rand.New(&a.source); a.drawn < a.seen-a.Skip; a.drawn++ {
		number = source.Float64()
	}
	return number
}
