// SPDX-License-Identifier: MPL-2.0

package worldfile_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestMain does the work of a second process if the test binary was started as one.
func TestMain(m *testing.M) {
	if name := os.Getenv("WORLDFILE_TEST_FILE"); name != "" {
		fmt.Fprintln(os.Stderr, work(name, os.Getenv("WORLDFILE_TEST_PREFIX")))
		os.Exit(3)
	}
	os.Exit(m.Run())
}

// work makes one change after another and prints each once it was answered. It creates machines, and purges every
// third.
func work(name, prefix string) error {
	w := open(name, emulator.Options{})
	ctx := context.Background()
	for n := 0; ; n++ {
		machine := fmt.Sprintf("%s-%d", prefix, n)
		body := `{"virtual_machine":{"name":"` + machine + `"},"discs":[{"label":"vda","size":50}]}`
		status, answered, err := send(ctx, w, "POST "+create, body)
		if err != nil || status != 202 {
			return fmt.Errorf("%d %s, %w", status, answered, err)
		}
		_, _ = fmt.Fprintln(os.Stdout, "created", machine)
		if n%3 == 2 {
			_, _ = fmt.Fprintln(os.Stdout, "purging", machine)
			if status, answered, err := send(ctx, w, "DELETE "+machines+"/"+machine+"?purge=true", ""); err != nil || status != 204 {
				return fmt.Errorf("%d %s, %w", status, answered, err)
			}
			_, _ = fmt.Fprintln(os.Stdout, "purged", machine)
		}
	}
}

// worker is a process that does this work.
type worker struct {
	process *exec.Cmd
	stdout  *bufio.Scanner
	stderr  bytes.Buffer
	lines   []string
}

// begin starts a worker, and returns once it has printed a line.
func begin(t *testing.T, name, prefix string) *worker {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := &worker{process: exec.CommandContext(t.Context(), program)}
	w.process.Env = append(os.Environ(), "WORLDFILE_TEST_FILE="+name, "WORLDFILE_TEST_PREFIX="+prefix)
	w.process.Stderr = &w.stderr
	stdout, err := w.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	w.stdout = bufio.NewScanner(stdout)
	if err := w.process.Start(); err != nil {
		t.Fatal(err)
	}
	w.read(1)
	return w
}

// read reads a limited number of lines of the worker's output.
func (w *worker) read(most int) {
	for ; most > 0 && w.stdout.Scan(); most-- {
		w.lines = append(w.lines, w.stdout.Text())
	}
}

// kill kills a worker, and returns what it has printed.
func (w *worker) kill(t *testing.T) []string {
	t.Helper()
	if err := w.process.Process.Kill(); err != nil {
		t.Error(err)
	}
	w.read(math.MaxInt)
	_ = w.process.Wait() // killed
	if w.stderr.Len() > 0 {
		t.Error(w.stderr.String())
	}
	return w.lines
}

// TestKilledAtAnyMoment kills processes that work on one file: no answered change is lost, the world contains nothing
// that no process has begun, and other processes can continue.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	const kills, atATime = 60, 3
	name := filepath.Join(t.TempDir(), "world.json")
	var mu sync.Mutex
	var printed [][]string
	var workers sync.WaitGroup
	for n := range atATime {
		workers.Go(func() {
			for k := range kills / atATime {
				w := begin(t, name, fmt.Sprintf("p%d-%d", n, k))
				time.Sleep(time.Duration(rand.IntN(50_000)) * time.Microsecond) // an arbitrary moment of a real process
				lines := w.kill(t)
				mu.Lock()
				printed = append(printed, lines)
				mu.Unlock()
			}
		})
	}
	workers.Wait()

	w := open(name, emulator.Options{})
	do(t, w, "GET "+machines, "", 200, "")
	there, ids, addresses := map[string]bool{}, map[int64]bool{}, map[string]bool{}
	for _, m := range w.Emulator.Machines() {
		if address := m.Interfaces[0].IPs[0]; there[m.Name] || ids[m.ID] || addresses[address] {
			t.Errorf("two machines named %s, with ID %d, or with %s", m.Name, m.ID, address)
		}
		there[m.Name], ids[m.ID], addresses[m.Interfaces[0].IPs[0]] = true, true, true
	}
	created, surplus := 0, len(there)
	for _, lines := range printed {
		for n, line := range lines {
			what, machine, _ := strings.Cut(line, " ")
			kept := what == "created" && !slices.Contains(lines[n:], "purging "+machine)
			if kept && !there[machine] {
				t.Errorf("%s was lost", machine)
			}
			if what == "purged" && there[machine] {
				t.Errorf("%s is back", machine)
			}
			if kept {
				surplus--
			}
			created++
		}
	}
	// Each kill may have prevented one answer.
	if created < kills || surplus < 0 || surplus > kills {
		t.Errorf("%d lines, %d machines, of which %d more than answered", created, len(there), surplus)
	}
	t.Logf("%d lines of %d processes, %d machines at the end", created, kills, len(there))
}
