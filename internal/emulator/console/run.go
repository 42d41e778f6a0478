// Package console is the server behind the -emulator flag: the emulator with a page to look at it and control paths for
// tests and scripts. The rules of the service are in package emulator; what plays, breaks and shows is here.
package console

import (
	"context"
	_ "embed" // the default world
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/guest"
)

// journalBytes bounds the memory of the journal.
const journalBytes = 64 << 20

// defaultWorld is the seed of an emulator without one: two accounts and three users.
//
//go:embed world.json
var defaultWorld []byte

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
	if c.Healthcheck {
		return failed(healthy(ctx, c.Address))
	}
	listener, err := c.listen(ctx)
	if listener == nil || err != nil {
		return err
	}
	d, err := c.newDesk(stderr)
	if err != nil {
		return errors.Join(cannotStart(err), listener.Close())
	}
	defer d.close()
	if d.guests, err = c.serveGuests(ctx, d.emulator, stderr); err != nil {
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

// healthy returns an error unless an emulator serves at an address.
func healthy(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/definitions", http.NoBody)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }() // only the status matters
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", address, answer.Status)
	}
	return nil
}

// writeReady writes the endpoint to a file, and returns a function that removes it. "" is no file.
func writeReady(name, endpoint string) (remove func(), err error) {
	if name == "" {
		return func() {}, nil
	}
	if err := writeFile(name, []byte(endpoint+"\n")); err != nil {
		return nil, err
	}
	// A file that somebody has removed already is fine.
	return func() { _ = os.Remove(name) }, nil
}

// desk is an emulator with what is needed to look at it and to control it.
type desk struct {
	emulator *emulator.Emulator
	command  *Command
	initial  []byte // the world of a reset
	state    *stateFile
	guests   *guest.Host
	worlds   worlds
	stderr   io.Writer
}

// newDesk returns an emulator with the world of the state or seed, and with the faults of the flags.
func (c *Command) newDesk(stderr io.Writer) (*desk, error) {
	options := c.Options
	options.JournalBytes = journalBytes
	options.FirstID = firstID(time.Now())
	if options.Guests = c.GuestPort > 0; !options.Guests {
		options.GuestBoot = 0
	}
	if !c.Quiet {
		options.Log = stderr
	}
	d := &desk{command: c, initial: defaultWorld, stderr: io.Discard}
	if c.State != "" {
		var err error
		if d.state, err = openState(c.State); err != nil {
			return nil, fmt.Errorf("-state: %w", err)
		}
		options.Save = d.save
	}
	d.emulator = emulator.New(options)
	d.startClock()
	if err := d.emulator.Commit(d.loadWorld); err != nil {
		d.close()
		return nil, err
	}
	d.stderr = stderr
	d.injectFaults()
	return d, nil
}

// serveGuests lets machines answer, if there is a port for that.
func (c *Command) serveGuests(ctx context.Context, e *emulator.Emulator, stderr io.Writer) (*guest.Host, error) {
	if c.GuestPort == 0 {
		return nil, nil
	}
	host, err := guest.Serve(ctx, e, uint16(c.GuestPort), stderr)
	if err != nil {
		return nil, fmt.Errorf("-guest-port: %w", err)
	}
	return host, nil
}

// close ends the guests, and lets another emulator serve the state.
func (d *desk) close() {
	if d.guests != nil {
		// Its ports are free when the process ends, at the latest.
		_ = d.guests.Close()
	}
	if d.state != nil {
		d.state.unlock()
	}
}

// save writes the state to its file. Whoever has sent a request learns of a failure, and so does the terminal.
func (d *desk) save(state []byte) error {
	err := writeFile(d.state.name, state)
	if err != nil {
		// A terminal that is gone must not stop the service.
		_, _ = fmt.Fprintf(d.stderr, "emulator: cannot save the state, so the change is undone: %v\n", err)
	}
	return err
}

// loadWorld loads the saved state, or else the seed, or else the default world.
func (d *desk) loadWorld() (err error) {
	if d.command.Seed != "" {
		if d.initial, err = readWorld(d.command.Seed); err != nil {
			return fmt.Errorf("-seed: %w", err)
		}
	}
	if err := d.emulator.Load(d.initial); err != nil {
		return fmt.Errorf("-seed %s: %w", d.command.Seed, err)
	}
	if d.state == nil {
		return nil
	}
	data, err := d.state.read()
	if err != nil {
		return fmt.Errorf("-state: %w", err)
	}
	if data == nil {
		return nil
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

// reset restores the world and the clock of the start and the faults of the flags, and empties the journal.
func (d *desk) reset() error {
	if err := d.emulator.Commit(func() error { return d.emulator.Load(d.initial) }); err != nil {
		return err
	}
	d.startClock()
	d.emulator.RemoveFaults(0)
	d.injectFaults()
	d.emulator.ResetJournal()
	d.emulator.Note("the world of the start was restored")
	return nil
}

// startClock puts the clock to the time of the flag, or else to the present.
func (d *desk) startClock() {
	start := d.command.clock
	if start.IsZero() {
		start = time.Now()
	}
	d.emulator.SetClock(start)
}

// firstID returns the number after which a process that starts now assigns ids. It grows by ten thousand per second, faster
// than ids are assigned, so that ids never repeat between two processes.
func firstID(now time.Time) int64 {
	return now.Sub(time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)).Milliseconds() * 10
}
