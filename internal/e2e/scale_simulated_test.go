package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const latency = 50 * time.Millisecond

// measured is one figure; internal/bench decodes the same fields.
type measured struct {
	What     string
	Seconds  float64
	Late     float64
	Requests int
}

// TestSimulated measures in simulated time how soon an apply notices that its machines are on, and checks the limits that
// the project promises. Internal/bench runs it for BENCHMARKS.md, with BENCH_SIMULATED naming the file for the figures.
func TestSimulated(t *testing.T) {
	t.Parallel()
	cases := []struct {
		machines int
		boot     time.Duration
		late     time.Duration // at most, after the last machine is on
		requests int           // at most
	}{
		{1, 5 * time.Second, 1500 * time.Millisecond, 10},
		{1, 33 * time.Second, 3 * time.Second, 19},
		{1, 90 * time.Second, 3 * time.Second, 38},
		{100, 33 * time.Second, 3 * time.Second, 460},
	}
	var results []measured
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
			results = append(results, measured{what, took.Seconds(), late.Seconds(), requests})
		})
	}
	if file := os.Getenv("BENCH_SIMULATED"); file != "" {
		text, err := json.Marshal(results)
		if err == nil {
			err = os.WriteFile(file, text, 0o600)
		}
		if err != nil {
			t.Error(err)
		}
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
