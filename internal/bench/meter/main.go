//go:build unix

// Meter stands in for a provider: it runs the real one from the folder "metered" next to itself and writes what that
// process used to a file in the folder that BENCH_USAGE names. Terraform starts a provider several times in one
// command, and reports nothing about any of them.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// usage is what one process used; the harness reads it.
type usage struct {
	CPUSeconds float64
	PeakKB     int64 // as Linux counts
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "meter:", err)
		os.Exit(1)
	}
}

func run() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	metered := exec.Command(filepath.Join(filepath.Dir(self), "metered", filepath.Base(self)), os.Args[1:]...) //nolint:noctx // it ends when Terraform tells it to
	metered.Stdin, metered.Stdout, metered.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := metered.Run(); err != nil {
		return err
	}
	return write(os.Getenv("BENCH_USAGE"), metered.ProcessState)
}

// write writes the usage to a file of its own.
func write(dir string, state *os.ProcessState) error {
	used, ok := state.SysUsage().(*syscall.Rusage)
	if dir == "" || !ok {
		return nil
	}
	text, err := json.Marshal(usage{
		CPUSeconds: (state.UserTime() + state.SystemTime()).Seconds(),
		PeakKB:     int64(used.Maxrss), //nolint:unconvert // not an int64 everywhere
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.json", os.Getpid())), text, 0o600)
}
