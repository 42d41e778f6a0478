// Package worldfile keeps the world of an emulator in a file on which several processes can work at the same time.
//
// Every request has exclusive use of the world: it takes the lock FILE.lock, loads FILE if another process has replaced
// it, is carried out, replaces FILE, and only then is answered. So a process that is killed at any moment loses nothing
// that it has answered. The emulator's clock is saved as well, and background changes that are due are made by
// whichever process uses the world next.
package worldfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http/httptrace"
	"os"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// A process that uses the lock continuously for the duration slice pauses for gap, so that other processes get it.
const (
	slice = 20 * time.Millisecond
	gap   = 2 * time.Millisecond
)

// World is an emulator whose world is in a file.
type World struct {
	Emulator *emulator.Emulator
	// Failed, if set, is called with errors that make requests fail.
	Failed func(error)

	name  string
	begin func() error

	turn chan struct{} // holds a value while a goroutine of this process uses the world; guards all fields below

	saved   []byte // content of the file when it was last loaded or saved; nil: there was no file
	changes int    // the emulator's count of changes at that time
	spare   []byte // a buffer for reading

	busy     time.Time // since when this process has used the lock, not counting pauses too short for others
	released time.Time
}

// New returns an emulator whose requests work on the world of a file. begin creates the world if the file does not
// exist. No file is read before the first request.
func New(name string, options emulator.Options, begin func(*emulator.Emulator) error) (*World, error) {
	target, err := followed(name)
	if err != nil {
		return nil, err
	}
	w := &World{name: target, turn: make(chan struct{}, 1)}
	options.Alone = w.Alone
	w.Emulator = emulator.New(options)
	w.begin = func() error { return begin(w.Emulator) }
	return w, nil
}

// Error is returned if a world cannot be loaded or saved.
type Error struct{ error }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.error }

// Lasting reports that another attempt would fail as well.
func (*Error) Lasting() bool { return true }

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
	if w.Failed != nil {
		w.Failed(err)
	}
	return &Error{err}
}

// locked is Alone after goroutines of this process are excluded.
func (w *World) locked(ctx context.Context, work func()) error {
	unlock, err := w.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := w.load(); err != nil {
		return err
	}
	arrived(ctx)
	work()
	return w.save()
}

// arrived reports to the client's trace that the request has reached the service, as a connection would.
func arrived(ctx context.Context) {
	if trace := httptrace.ContextClientTrace(ctx); trace != nil && trace.WroteHeaders != nil {
		trace.WroteHeaders()
	}
}

// lock takes the lock of the file.
func (w *World) lock(ctx context.Context) (unlock func(), err error) {
	switch now := time.Now(); {
	case now.Sub(w.released) >= gap:
		w.busy = now
	case now.Sub(w.busy) >= slice:
		if err := pause(ctx, gap); err != nil {
			return nil, err
		}
		w.busy = time.Now()
	}
	release, err := lock(ctx, w.name+".lock")
	if err != nil {
		return nil, fmt.Errorf("cannot lock the world %s: %w", w.name, err)
	}
	return func() { release(); w.released = time.Now() }, nil
}

// load loads the file, unless its content is known. If there is no file yet, or it is empty, a new world begins.
func (w *World) load() error {
	data, err := read(w.name, w.spare)
	w.spare = data
	switch {
	case errors.Is(err, os.ErrNotExist), err == nil && len(data) == 0:
		if err := w.begin(); err != nil {
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
	w.saved, w.spare = data, w.saved
	return nil
}

// save replaces the file if the world has changed. If that fails, the change is undone.
func (w *World) save() error {
	if w.saved != nil && w.Emulator.Changes() == w.changes {
		return nil
	}
	state := w.Emulator.State()
	if !bytes.Equal(state, w.saved) {
		if err := Write(w.name, state); err != nil {
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
