// Package worldfile keeps the world of an emulator in a file on which several processes work at the same time.
//
// Every request has the world alone: it takes the lock of FILE.lock, loads FILE if another process has replaced it, acts,
// replaces FILE, and is answered then. So a process that is killed at any moment loses nothing that it has answered, and what is
// due in the background by the emulator's clock, which is saved too, happens in whichever process looks next.
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

// A process that takes the lock again and again for as long as slice leaves it alone for gap, so that others get it too.
const (
	slice = 20 * time.Millisecond
	gap   = 2 * time.Millisecond
)

// World is an emulator with the world of a file.
type World struct {
	Emulator *emulator.Emulator
	// Failed is called with what makes requests fail, if it is set.
	Failed func(error)

	name  string
	begin func() error

	turn chan struct{} // holds a value while a goroutine of this process has the world; guards all below

	saved   []byte // the content of the file as it was loaded or saved last; nil: there was none
	changes int    // of the emulator's state at that time
	spare   []byte // a buffer

	busy     time.Time // since when this process has had the lock, with gaps too short for others
	released time.Time
}

// New returns an emulator whose requests work on the world of a file. Begin makes the world of a file that does not exist. No
// file is read before the first request.
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

// Error is a world that cannot be loaded or saved.
type Error struct{ error }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.error }

// Lasting reports that another attempt would fail as well.
func (*Error) Lasting() bool { return true }

// Alone calls work while no other goroutine and no other process works on the world. What they have changed is there before,
// and what work changes is in the file when Alone returns, or it is undone, which is an error.
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

// locked is Alone in this process.
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

// arrived tells the transport of a client in this process that its request has reached the service, as a connection does.
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

// load loads the file, unless it is as this process knows it. Where there is no file yet, or it is empty, a world begins.
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
		return fmt.Errorf("cannot load the world %s: %w; correct the file, or delete it to begin a new world", w.name, err)
	}
	w.saved, w.spare = data, w.saved
	return nil
}

// save replaces the file if the world has changed. When that fails, the change is undone.
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

// undo loads what was saved last. Without it the next request begins anew.
func (w *World) undo() error {
	if w.saved == nil {
		return nil
	}
	return w.Emulator.Resume(w.saved)
}
