package emulator

import "time"

// Snapshot is a world with its faults and its clock. It can be restored any number of times.
type Snapshot struct {
	State  []byte
	Clock  time.Time
	faults []armed
}

// Snapshot returns a snapshot for Restore.
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

// Restore replaces the world by a snapshot, including its faults and clock. Sessions end.
func (e *Emulator) Restore(kept Snapshot) error {
	return e.replace(kept.State, false, func(*store) {
		e.offset = kept.Clock.Sub(e.options.Now())
		e.faults = nil
		for _, a := range kept.faults {
			e.faults = append(e.faults, &a)
		}
	})
}

// Resume replaces the world by a state that State has returned, in this process or another one. Sessions continue, and
// used codes stay used.
func (e *Emulator) Resume(state []byte) error {
	return e.replace(state, true, func(s *store) {
		s.sessions = e.store.sessions
		s.events.loadOlder(e.store.events.kept)
		for name, u := range s.users {
			if before := e.store.users[name]; before != nil {
				u.used = before.used
			}
		}
	})
}

// Changes counts possible changes of the state: while it stays the same, so does the state.
func (e *Emulator) Changes() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.changes
}
