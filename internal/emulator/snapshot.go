package emulator

import (
	"slices"
	"time"
)

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
	w, err := parseWorld(kept.State)
	if err != nil {
		return err
	}
	defer e.changed()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.offset = kept.Clock.Sub(e.options.Now())
	e.faults = nil
	for _, a := range slices.Clone(kept.faults) {
		e.faults = append(e.faults, &a)
	}
	return e.replace(w)
}
