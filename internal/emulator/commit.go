package emulator

import (
	"errors"
	"fmt"
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
	w, err := parseWorld(e.saved)
	if err != nil {
		return err
	}
	defer e.changed()
	e.mu.Lock()
	defer e.mu.Unlock()
	before := e.store
	if err := e.replace(w); err != nil {
		return err
	}
	e.store.sessions = before.sessions
	for name, u := range e.store.users {
		if known := before.users[name]; known != nil {
			u.used = known.used
		}
	}
	return nil
}
