// SPDX-License-Identifier: MPL-2.0

// Package worldfile serves the emulator in the process of its client, for endpoints such as emulator:world.json.
// Each request takes the lock FILE.lock, loads FILE if another process has replaced it, and replaces FILE before it is
// answered. So several processes can use the file, and one that is killed loses nothing that it has answered.
package worldfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// World is an emulator whose world is in a file.
type World struct {
	Emulator *emulator.Emulator

	name  string
	begin func(*emulator.Emulator) error
	first sync.Once // the first request loads the world

	turn    chan struct{} // holds a value while a goroutine of this process uses the world; guards all fields below
	saved   []byte        // content of the file when it was last loaded or saved; nil: there was no file
	changes int           // the emulator's count of changes at that time
}

// New returns an emulator whose requests work on the world of a file. begin creates the world if the file does not
// exist. No file is read before the first request.
func New(name string, options emulator.Options, begin func(*emulator.Emulator) error) *World {
	w := &World{name: name, begin: begin, turn: make(chan struct{}, 1)}
	options.Alone = w.Alone
	w.Emulator = emulator.New(options)
	return w
}

// Error is returned if a world cannot be loaded or saved.
type Error struct{ error }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.error }

// Lasting reports that another attempt would fail as well.
func (*Error) Lasting() bool { return true }

// RoundTrip implements http.RoundTripper.
func (w *World) RoundTrip(r *http.Request) (*http.Response, error) {
	w.first.Do(func() {
		// The faults of the world act on the first request as well. The request itself reports an error.
		_ = w.Alone(r.Context(), func() {})
	})
	return w.Emulator.Transport().RoundTrip(r)
}

// Alone calls work while no other goroutine or process works on the world. work sees all earlier changes. Its own
// changes are in the file when Alone returns; if they cannot be saved, they are undone and Alone returns an error.
func (w *World) Alone(ctx context.Context, work func()) error {
	select {
	case w.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-w.turn }()
	err := w.locked(ctx, work)
	if err == nil || ctx.Err() != nil {
		return err
	}
	return &Error{err}
}

// locked is Alone after goroutines of this process are excluded.
func (w *World) locked(ctx context.Context, work func()) error {
	if err := os.MkdirAll(filepath.Dir(w.name), 0o777); err != nil { // the CLI's data directory may not exist yet
		return err
	}
	unlock, err := lock(ctx, w.name+".lock")
	if err != nil {
		return fmt.Errorf("cannot lock the world %s: %w", w.name, err)
	}
	defer unlock()
	if err := w.load(); err != nil {
		return err
	}
	work()
	return w.save()
}

// load loads the file, unless its content is known. If there is no file yet, or it is empty, a new world begins.
func (w *World) load() error {
	data, err := os.ReadFile(w.name)
	switch {
	case errors.Is(err, os.ErrNotExist), err == nil && len(data) == 0:
		if err := w.begin(w.Emulator); err != nil {
			return fmt.Errorf("cannot begin the world %s: %w", w.name, err)
		}
		w.saved = nil
		return nil
	case err != nil:
		return fmt.Errorf("cannot read the world: %w", err)
	case w.saved != nil && bytes.Equal(data, w.saved):
		return nil
	}
	if err := w.Emulator.Resume(data); err != nil {
		return fmt.Errorf("cannot load the world %s: %w; correct it, or name another file to begin a new world", w.name, err)
	}
	w.saved = data
	return nil
}

// save replaces the file if the world has changed. If that fails, the change is undone.
func (w *World) save() error {
	if w.saved != nil && w.Emulator.Changes() == w.changes {
		return nil
	}
	state := w.Emulator.State()
	if !bytes.Equal(state, w.saved) {
		if err := write(w.name, state); err != nil {
			return fmt.Errorf("the change was undone, because the world cannot be saved: %w", errors.Join(err, w.undo()))
		}
		w.saved = state
	}
	w.changes = w.Emulator.Changes()
	return nil
}

// undo loads what was saved last. If nothing was, the next request begins a new world.
func (w *World) undo() error {
	if w.saved == nil {
		return nil
	}
	return w.Emulator.Resume(w.saved)
}
