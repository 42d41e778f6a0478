package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// resultsVariable names the file that the test in simulated time writes to.
const resultsVariable = "BENCH_SIMULATED"

// measured is one figure in simulated time: without the CLI, and with a clock that stands still while anything computes.
type measured struct {
	What     string
	Seconds  float64 // of the apply
	Late     float64 // seconds from "the machine is on" to "the apply says so"
	Requests int
}

// simulated runs the test that measures in simulated time.
func (b *bench) simulated(ctx context.Context) ([]measured, error) {
	file := filepath.Join(b.dir, "simulated.json")
	command := exec.CommandContext(ctx, "go", "test", "-count=1", "-run=^TestSimulated$", "./internal/e2e")
	command.Dir = b.root
	command.Env = append(os.Environ(), resultsVariable+"="+file)
	if output, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the test in simulated time: %w\n%s", err, tail(string(output)))
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var results []measured
	return results, json.Unmarshal(text, &results)
}
