package emulator

import (
	"errors"
	"fmt"
	"time"
)

// Commit makes a change of the world, and saves it with Options.Save. When that fails, the change is undone. Changes are
// made one at a time then, so that only this one is undone.
func (e *Emulator) Commit(change func() error) error {
	if e.options.Save == nil {
		return change()
	}
	e.saving.Lock()
	defer e.saving.Unlock()
	if err := change(); err != nil {
		return err
	}
	state := e.State()
	if err := e.options.Save(state); err != nil {
		if e.saved == nil {
			return err // at the start
		}
		return fmt.Errorf("the change was undone, because the state cannot be saved: %w", errors.Join(err, e.undo()))
	}
	e.saved = state
	return nil
}

// undo restores the state that was saved last. Sessions go on, and codes stay used.
func (e *Emulator) undo() error {
	return e.replace(e.saved, func(s *store) {
		s.sessions = e.store.sessions
		for name, u := range s.users {
			if known := e.store.users[name]; known != nil {
				u.used = known.used
			}
		}
	})
}

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
	return e.replace(kept.State, func(*store) {
		e.offset = kept.Clock.Sub(e.options.Now())
		e.faults = nil
		for _, a := range kept.faults {
			e.faults = append(e.faults, &a)
		}
	})
}
