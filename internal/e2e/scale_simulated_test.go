package e2e_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const latency = 50 * time.Millisecond

// TestSimulated measures in simulated time how soon an apply notices that its machines are on, and checks the promised
// limits. With -v it prints the figures.
func TestSimulated(t *testing.T) {
	t.Parallel()
	cases := []struct {
		machines int
		boot     time.Duration
		late     time.Duration // at most, after the last machine is on
		requests int           // at most
	}{
		{machines: 1, boot: 5 * time.Second, late: 1500 * time.Millisecond, requests: 10},
		{machines: 1, boot: 33 * time.Second, late: 3 * time.Second, requests: 19},
		{machines: 1, boot: 90 * time.Second, late: 3 * time.Second, requests: 38},
		{machines: 100, boot: 33 * time.Second, late: 3 * time.Second, requests: 460},
	}
	for _, c := range cases {
		synctest.Test(t, func(t *testing.T) {
			what := fmt.Sprintf("%d, on after %s", c.machines, c.boot)
			g := newGroup(t, emulator.Options{Latency: latency, BootTime: c.boot}, c.machines, c.machines)
			began := time.Now()
			g.apply(t.Context())
			took, requests := time.Since(began), len(g.emulator.Journal())
			late := time.Since(g.lastOn(c.boot))
			if late > c.late || requests > c.requests {
				t.Errorf("%s: %s late, %d requests, want at most %s and %d", what, late, requests, c.late, c.requests)
			}
			t.Logf("%s: %s, %s late, %d requests", what, took.Round(100*time.Millisecond), late.Round(100*time.Millisecond), requests)
		})
	}
}

// lastOn returns the time at which the machine that was created last has booted.
func (g *group) lastOn(boot time.Duration) time.Time {
	var last time.Time
	for _, request := range g.emulator.Journal() {
		if request.Method == "POST" && request.Time.After(last) {
			last = request.Time
		}
	}
	return last.Add(latency + boot)
}

// TestSimulatedRollout: an update that restarts twenty machines, five at a time, takes hardly longer than its four
// waves of a stop, a boot and the guest's boot, and at most five machines are down at any time.
func TestSimulatedRollout(t *testing.T) {
	t.Parallel()
	const machines, places = 20, 5
	options := emulator.Options{Latency: latency, ShutdownTime: 5 * time.Second, BootTime: 20 * time.Second, Guests: true, GuestBoot: 10 * time.Second}
	limit := machines / places * (options.ShutdownTime + options.BootTime + options.GuestBoot)
	synctest.Test(t, func(t *testing.T) {
		g := newGroup(t, options, machines, 10)
		g.ready = true
		g.apply(t.Context())
		g.command(t)
		g.driver = g.emulator.NewDriver(t, map[string]any{"max_unavailable": places})
		g.cores = 4
		g.emulator.ResetPower()
		began := time.Now()
		g.apply(t.Context())
		took := time.Since(began)
		if took > limit*11/10 {
			t.Errorf("the rollout took %s, want at most 1.1 times %s", took, limit)
		}
		if down := g.emulator.Power().MaxOutOfService; down > places {
			t.Errorf("%d machines were down at the same time, want at most %d", down, places)
		}
		t.Logf("a restart of %d machines, %d at a time: %s, %.2f of the limit", machines, places, took.Round(100*time.Millisecond), took.Seconds()/limit.Seconds())
	})
}
