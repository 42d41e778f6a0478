package console

import (
	_ "embed" // the default world
	"fmt"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/worldfile"
)

// defaultWorld is the default seed: two accounts and three users.
//
//go:embed world.json
var defaultWorld []byte

// options returns the emulator's options as configured by the flags.
func (c *Command) options() emulator.Options {
	options := c.Options
	options.FirstID = firstID(time.Now())
	if options.Guests = len(c.guestPorts()) > 0; !options.Guests {
		options.GuestBoot = 0
	}
	options.Faults, options.ReadFault = c.faults, parseFault
	return options
}

// seed returns the world to begin with.
func (c *Command) seed() ([]byte, error) {
	if c.Seed == "" {
		return defaultWorld, nil
	}
	data, err := worldfile.Read(c.Seed)
	if err != nil {
		return nil, fmt.Errorf("seed: %w", err)
	}
	return data, nil
}

// begin begins a world: that of the seed, with the clock and the faults of the flags.
func (c *Command) begin(e *emulator.Emulator, seed []byte) error {
	e.ResetFaults()
	if c.clock.IsZero() {
		e.ResetClock()
	} else {
		e.SetClock(c.clock)
	}
	if err := e.Load(seed); err != nil {
		return fmt.Errorf("seed %s: %w", c.Seed, err)
	}
	return nil
}

// beginSeed begins the world of the seed.
func (c *Command) beginSeed(e *emulator.Emulator) error {
	seed, err := c.seed()
	if err != nil {
		return err
	}
	return c.begin(e, seed)
}

// firstID returns the number after which a process that starts now assigns IDs. It grows by ten thousand per second,
// faster than IDs are assigned, so that no two processes assign the same ones.
func firstID(now time.Time) int64 {
	return now.Sub(time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)).Milliseconds() * 10
}
