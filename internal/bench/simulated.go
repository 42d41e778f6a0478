package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// resultsVariable names the folder that the tests in simulated time write to.
const resultsVariable = "BENCH_SIMULATED"

// measured is one figure in simulated time: without the CLI, and with a clock that stands still while anything
// computes.
type measured struct {
	What     string
	Seconds  float64 // of the apply
	Late     float64 // seconds from "the machine is on" to "the apply says so"
	Requests int
}

// rollout is an update of many machines over a few slots, in simulated time.
type rollout struct {
	What           string
	Seconds, Limit float64 // Limit: the waves, each with a stop, a boot and the guest's boot
}

// simulated runs the tests that measure in simulated time.
func (b *bench) simulated(ctx context.Context) (waits []measured, rolled rollout, err error) {
	command := exec.CommandContext(ctx, "go", "test", "-count=1", "-run=^TestSimulated", "./internal/e2e")
	command.Dir = b.root
	command.Env = append(os.Environ(), resultsVariable+"="+b.dir)
	if output, err := command.CombinedOutput(); err != nil {
		return nil, rolled, fmt.Errorf("the tests in simulated time: %w\n%s", err, tail(string(output)))
	}
	if err := readJSON(filepath.Join(b.dir, "waits.json"), &waits); err != nil {
		return nil, rolled, err
	}
	return waits, rolled, readJSON(filepath.Join(b.dir, "rollout.json"), &rolled)
}

func readJSON(file string, target any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, target)
}
