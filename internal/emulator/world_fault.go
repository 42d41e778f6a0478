package emulator

import (
	"errors"
	"fmt"
	"slices"
)

// MaxFaults is the maximum number of faults in a world or in the flags, and of injected ones, because each is compared
// with each request.
const MaxFaults = 1000

// keptOthers is the number of counts that a state keeps for faults of other processes.
const keptOthers = 100

// WorldFault is an armed fault of a world.
type WorldFault struct {
	ID    int    `json:"id,omitempty" minimum:"0" maximum:"9007199254740991" description:"Number. Assigned when absent."`
	Fault string `json:"fault" minLength:"1" description:"Method, path and effect, such as POST */vm_create 503 times=2."`
	Asked int    `json:"asked,omitempty" minimum:"0" description:"Requests that it has matched so far."`
	Acted int    `json:"acted,omitempty" minimum:"0" description:"How often it has acted."`
	// Option is set for the counts of a fault that acts only in processes started with it. It is the fault's Key.
	Option bool `json:"option,omitempty" description:"Whether it acts only in processes that were started with it; in saved states."`
}

// worldFaults returns the faults for a state. Faults that are used up, or have matched no request, need not be kept.
// The caller holds the lock.
func (e *Emulator) worldFaults() []WorldFault {
	list := slices.Clone(e.others)
	for _, a := range e.faults {
		switch {
		case a.own > 0 && a.Key != "" && a.seen > 0:
			list = append(list, WorldFault{a.id, a.Key, a.seen, a.acted, true})
		case a.own == 0 && e.options.ReadFault != nil && !a.used():
			list = append(list, WorldFault{a.id, a.Name, a.seen, a.acted, false})
		}
	}
	slices.SortFunc(list, func(a, b WorldFault) int { return a.ID - b.ID })
	if list == nil {
		list = []WorldFault{} // replaces the faults of the process that loads it
	}
	return list
}

// faultLoader reads the faults of a world.
type faultLoader struct {
	*Emulator
	faults []*armed
	others []WorldFault
	last   int
}

// loadFaults loads the faults of a world. They replace the current ones except those of Options, of which it sets the
// counts. The caller holds the lock, and the emulator is otherwise unchanged.
func (e *Emulator) loadFaults(list []WorldFault) (*faultLoader, error) {
	l := &faultLoader{Emulator: e, last: e.lastID}
	for _, a := range e.faults {
		switch {
		case e.options.ReadFault == nil, a.own > 0 && a.Key == "": // worlds do not contain their counts
			l.faults = append(l.faults, a)
		case a.own > 0:
			own := newArmed(a.Fault, a.id)
			own.own = a.own
			l.faults = append(l.faults, own)
		}
	}
	if len(slices.DeleteFunc(slices.Clone(list), func(w WorldFault) bool { return w.Option })) > MaxFaults {
		return nil, wrong(fmt.Sprintf("has more than %d faults", MaxFaults), path{"faults"})
	}
	for n, w := range list {
		l.last = max(l.last, w.ID)
		if err := l.load(w); err != nil {
			return nil, wrong(err.Error(), path{"faults", n, "fault"})
		}
	}
	l.number()
	l.others = l.others[max(0, len(l.others)-keptOthers):]
	return l, nil
}

// load reads one fault.
func (l *faultLoader) load(w WorldFault) error {
	if w.Option {
		for _, a := range l.faults {
			if a.own > 0 && a.Key == w.Fault && a.seen == 0 {
				a.id, a.seen, a.acted = w.ID, w.Asked, w.Acted
				return nil
			}
		}
		l.others = append(l.others, w)
		return nil
	}
	if l.options.ReadFault == nil {
		return errors.New("cannot be read here")
	}
	fault, err := l.options.ReadFault(w.Fault)
	if err != nil {
		return err
	}
	a := newArmed(fault, w.ID)
	a.seen, a.acted = w.Asked, w.Acted
	l.faults = append(l.faults, a)
	return nil
}

// number gives each fault a unique ID.
func (l *faultLoader) number() {
	seen := map[int]bool{}
	for _, w := range l.others {
		seen[w.ID] = true
	}
	for _, own := range []bool{false, true} { // faults of the world keep theirs
		for _, a := range l.faults {
			if a.own > 0 != own {
				continue
			}
			if a.id == 0 || seen[a.id] {
				l.last++
				a.id = l.last
			}
			seen[a.id] = true
		}
	}
}
