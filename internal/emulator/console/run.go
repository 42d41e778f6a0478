package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// journalSize is how many requests the journal keeps.
const journalSize = 1000

// Error is an error with the exit status of the program.
type Error struct {
	error
	code int
}

// ExitCode returns 2 when the emulator could not start, and 1 when it failed later.
func (e *Error) ExitCode() int { return e.code }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.error }

func cannotStart(err error) error { return &Error{fmt.Errorf("emulator: %w", err), 2} }

func failed(err error) error {
	if err == nil {
		return nil
	}
	return &Error{fmt.Errorf("emulator: %w", err), 1}
}

// Run serves the emulator until ctx ends. It prints how to use it to stdout, and requests and failures to stderr.
func (c *Command) Run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := c.check(); err != nil {
		return cannotStart(err)
	}
	listener, err := c.listen(ctx)
	if listener == nil || err != nil {
		return err
	}
	d, err := c.newDesk(stderr)
	if err != nil {
		return errors.Join(cannotStart(err), listener.Close())
	}
	endpoint := "http://" + listener.Addr().String()
	remove, err := writeReady(c.ReadyFile, endpoint)
	if err != nil {
		return errors.Join(cannotStart(err), listener.Close())
	}
	defer remove()
	if !c.Quiet {
		if _, err := io.WriteString(stdout, d.banner(endpoint)); err != nil {
			return errors.Join(failed(err), listener.Close())
		}
	}
	err = serve(ctx, d.server(ctx, stderr), listener)
	if c.Dump != "" {
		err = errors.Join(err, writeFile(c.Dump, d.emulator.Dump()))
	}
	return failed(err)
}

// desk is an emulator with what is needed to look at it and to control it.
type desk struct {
	emulator *emulator.Emulator
	command  *Command
	initial  []byte // the world of a reset
	save     func() error
}

// newDesk returns an emulator with the world of the state or seed, and with the faults of the flags.
func (c *Command) newDesk(stderr io.Writer) (*desk, error) {
	options := c.Options
	options.JournalSize = journalSize
	options.FirstID = firstID(time.Now())
	if !c.Quiet {
		options.Log = stderr
	}
	d := &desk{command: c, initial: defaultWorld, save: func() error { return nil }}
	if c.State != "" {
		options.Commit = func() error { return d.save() }
	}
	d.emulator = emulator.New(options)
	if err := d.loadWorld(); err != nil {
		return nil, err
	}
	if c.State != "" {
		removeRemains(c.State)
		d.save = newSaver(c.State, d.emulator.State).save
		if err := d.save(); err != nil {
			return nil, fmt.Errorf("-state: %w", err)
		}
	}
	d.injectFaults()
	return d, nil
}

// loadWorld loads the saved state, or else the seed, or else the default world.
func (d *desk) loadWorld() error {
	if d.command.Seed != "" {
		data, err := os.ReadFile(d.command.Seed)
		if err != nil {
			return fmt.Errorf("-seed: %w", err)
		}
		d.initial = data
	}
	if err := d.emulator.Load(d.initial); err != nil {
		return fmt.Errorf("-seed %s: %w", d.command.Seed, err)
	}
	if d.command.State == "" {
		return nil
	}
	data, err := os.ReadFile(d.command.State)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("-state: %w", err)
	}
	if err := d.emulator.Load(data); err != nil {
		return fmt.Errorf("-state %s: %w", d.command.State, err)
	}
	return nil
}

// injectFaults injects the faults of the flags.
func (d *desk) injectFaults() {
	for _, fault := range d.command.faults {
		d.emulator.Inject(fault)
	}
}

// reset restores the world of the start and the faults of the flags, and empties the journal.
func (d *desk) reset() error {
	if err := d.emulator.Load(d.initial); err != nil {
		return err
	}
	d.emulator.RemoveFaults(0)
	d.injectFaults()
	d.emulator.ResetJournal()
	return d.save()
}
