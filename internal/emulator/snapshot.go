package emulator

import "time"

// Snapshot is a world with its faults and its clock. It is restored as often as wanted.
type Snapshot struct {
	State  []byte
	Clock  time.Time
	faults []armed
}

// Snapshot returns what Restore brings back.
func (e *Emulator) Snapshot() Snapshot {
	kept := Snapshot{State: e.State()}
	e.mu.Lock()
	defer e.mu.Unlock()
	kept.Clock = e.now()
	for _, a := range e.faults {
		kept.faults = append(kept.faults, *a)
	}
	return kept
}

// Restore brings a world back, with the faults as they were and the clock where it was. Sessions end.
func (e *Emulator) Restore(kept Snapshot) error {
	return e.replace(kept.State, false, func(*store) {
		e.offset = kept.Clock.Sub(e.options.Now())
		e.faults = nil
		for _, a := range kept.faults {
			e.faults = append(e.faults, &a)
		}
	})
}

// Resume puts a state that State has returned, here or in another process, in place of the present world. Sessions go on, and
// codes stay used.
func (e *Emulator) Resume(state []byte) error {
	return e.replace(state, true, func(s *store) {
		s.sessions = e.store.sessions
		s.events.loadOlder(e.store.events.kept)
		for name, u := range s.users {
			if known := e.store.users[name]; known != nil {
				u.used = known.used
			}
		}
	})
}

// Changes counts what may have changed the state. While it stays the same, so does the state.
func (e *Emulator) Changes() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.changes
}
