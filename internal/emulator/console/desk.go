package console

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/guest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/worldfile"
)

// journalBytes bounds the memory of the journal.
const journalBytes = 64 << 20

// desk is an emulator with what is needed to look at it and to control it.
type desk struct {
	emulator *emulator.Emulator
	command  *Command
	initial  []byte           // the world that a reset restores
	shared   *worldfile.World // nil: the world is in memory, and no other process has it
	guests   *guest.Host
	worlds   worlds
}

// newDesk returns an emulator with the world of the state or seed, and the faults of the flags.
func (c *Command) newDesk(ctx context.Context, stderr io.Writer) (*desk, error) {
	options := c.options()
	options.JournalBytes = journalBytes
	if !c.Quiet {
		options.Log = stderr
	}
	d := &desk{command: c}
	var err error
	if d.initial, err = c.seed(); err != nil {
		return nil, fmt.Errorf("--%w", err)
	}
	d.emulator = emulator.New(options)
	if err := d.begin(d.emulator); err != nil { // a bad seed is reported at the start
		return nil, fmt.Errorf("--%w", err)
	}
	if c.State == "" {
		return d, nil
	}
	if d.shared, err = worldfile.New(c.State, options, d.begin); err != nil {
		return nil, fmt.Errorf("--state: %w", err)
	}
	d.emulator = d.shared.Emulator
	if err := d.shared.Alone(ctx, d.arrive); err != nil {
		return nil, fmt.Errorf("--state: %w", err)
	}
	d.shared.Failed = func(err error) {
		// A terminal that is gone must not stop the service.
		_, _ = fmt.Fprintf(stderr, "emulator: %v\n", err)
	}
	return d, nil
}

// arrive applies the flags to a world that another process has begun.
func (d *desk) arrive() {
	d.emulator.RearmFaults()
	if clock := d.command.clock; !clock.IsZero() {
		d.emulator.SetClock(clock)
	}
}

// begin begins a world.
func (d *desk) begin(e *emulator.Emulator) error { return d.command.begin(e, d.initial) }

// reset restores the world and the clock of the start and the faults of the flags, and empties the journal.
func (d *desk) reset() error {
	if err := d.begin(d.emulator); err != nil {
		return err
	}
	d.emulator.ResetJournal()
	d.emulator.Note("the world of the start was restored")
	return nil
}

// stopGuests stops the guests.
func (d *desk) stopGuests() {
	if d.guests != nil {
		// Its ports are free when the process ends, at the latest.
		_ = d.guests.Close()
	}
}

// dump writes the world to a file.
func (d *desk) dump(ctx context.Context, name string) error {
	var world []byte
	err := d.alone(ctx, func() { world = d.emulator.Dump() })
	if err != nil {
		return err
	}
	if err := checkDump(name); err != nil {
		return err
	}
	return worldfile.Write(name, world)
}

// alone calls work while no other process works on the world.
func (d *desk) alone(ctx context.Context, work func()) error {
	if d.shared == nil {
		work()
		return nil
	}
	return d.shared.Alone(ctx, work)
}

// lookEvery is how often guests are brought up to date with what other processes do.
const lookEvery = 200 * time.Millisecond

// follow keeps guests up to date with what other processes do to the world, until ctx ends.
func (d *desk) follow(ctx context.Context) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			_ = d.alone(ctx, func() {}) // loads the world; a failure is reported there, and requests fail as well
		}
	}
}

// withWorldAlone returns a handler that has exclusive use of the world, and answers after the world is saved.
func (d *desk) withWorldAlone(next http.Handler) http.Handler {
	if d.shared == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A slow client must not hold up the other processes, so its body is read first. The handler refuses what
		// exceeds the limit.
		body, err := io.ReadAll(io.LimitReader(r.Body, maxControlBody+1))
		if err != nil {
			http.Error(w, "the body is incomplete", http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		answer := &heldAnswer{header: w.Header()}
		if err := d.shared.Alone(r.Context(), func() { next.ServeHTTP(answer, r) }); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.WriteHeader(max(answer.status, http.StatusOK))
		// The client may be gone.
		_, _ = w.Write(answer.body.Bytes())
	})
}

// heldAnswer is an answer that is not sent yet.
type heldAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (a *heldAnswer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *heldAnswer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write implements http.ResponseWriter.
func (a *heldAnswer) Write(data []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(data)
}
