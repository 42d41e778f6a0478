package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// resultsVariable names the file that the tests in simulated time write to.
const resultsVariable = "BENCH_SIMULATED"

// measured is one figure in simulated time, where the CLI is not involved and
// the clock stands still while anything computes. simulated_test.go measures.
type measured struct {
	What     string
	Seconds  float64 // of the apply
	Late     float64 // seconds from "the machine is on" to "the apply says so"
	Requests int
}

// simulated runs the tests that measure in simulated time.
func simulated(ctx context.Context, dir string) ([]measured, error) {
	file := filepath.Join(dir, "simulated.json")
	command := exec.CommandContext(ctx, "go", "test", "-count=1", "-run=^TestSimulated$", module+"/internal/bench")
	command.Env = append(os.Environ(), resultsVariable+"="+file)
	if output, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the tests in simulated time: %w\n%s", err, tail(string(output)))
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var results []measured
	return results, json.Unmarshal(text, &results)
}
