// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestInterruptions sends signals to the CLI and its provider while the service carries out a write, and applies again.
// The driver has neither processes that can be killed nor a state file that is written while they die.
func TestInterruptions(t *testing.T) {
	t.Parallel()
	for operation, method := range map[string]string{"create": "POST", "update": "PUT", "destroy": "DELETE"} {
		t.Run(operation+", Ctrl-C", func(t *testing.T) {
			t.Parallel()
			w := begin(t, operation)
			w.strike(operation, method, func(group int) error { return syscall.Kill(-group, syscall.SIGINT) })
			for _, m := range w.service.Machines() {
				if !slices.Contains(w.tracked(), idOf(m)) || operation == "update" && !m.PowerOn {
					t.Errorf("after Ctrl-C the state has the machines %v, and the service has %+v", w.tracked(), m)
				}
			}
			w.finish(operation)
		})
		t.Run(operation+", kill -9", func(t *testing.T) {
			t.Parallel()
			w := begin(t, operation)
			w.strike(operation, method, func(group int) error { return syscall.Kill(group, syscall.SIGKILL) })
			w.finish(operation)
		})
	}
}

// begin brings a workspace to the starting point of the operation.
func begin(t *testing.T, operation string) *workspace {
	t.Helper()
	w := newWorkspace(t, acctest.StartEmulator(t, emulator.Options{BootTime: time.Second}))
	w.configure(2)
	if operation == "create" {
		return w
	}
	w.must(command("apply")...)
	if operation == "update" {
		w.configure(4)
	}
	return w
}

// runs returns the arguments of the CLI for an operation.
func runs(operation string) []string {
	if operation == "destroy" {
		return command("destroy")
	}
	return command("apply")
}

// strike runs the operation, and sends the signal after the service has carried out the first request with the method
// and before its answer arrives.
func (w *workspace) strike(operation, method string, signal func(group int) error) {
	w.t.Helper()
	reached := make(chan struct{})
	var once sync.Once
	remove := w.service.Inject(emulator.Fault{
		Match: func(r emulator.Request) bool {
			matches := false
			if r.Method == method {
				once.Do(func() {
					matches = true
					close(reached)
				})
			}
			return matches
		},
		Delay:       300 * time.Millisecond,
		AfterEffect: true,
	})
	defer remove()
	cli, output := w.start(runs(operation)...)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cli.Wait() // an error: it was interrupted
	}()
	select {
	case <-reached:
	case <-ended:
		w.t.Fatalf("it ended without a %s:\n%s", method, output)
	}
	<-time.After(100 * time.Millisecond) // in the middle of the delay, because processes live in real time
	if err := signal(cli.Process.Pid); err != nil {
		w.t.Fatal(err)
	}
	<-ended
	<-time.After(300 * time.Millisecond) // a provider that outlives its CLI completes its current request
}

// finish imports the machine if a plan advises that, runs the operation again, and compares the state with the service.
// Without the import, an apply would wait for half a minute: until the name is free, or is not.
func (w *workspace) finish(operation string) {
	w.t.Helper()
	if operation == "create" {
		if _, advised, ok := strings.Cut(w.must("plan", "-no-color"), "import {"); ok {
			_, id, _ := strings.Cut(advised, "id = ")
			id, _, _ = strings.Cut(id, "\n")
			w.write("import.tf", "import {\n  to = cloudserver_vm.web\n  id = "+id+"\n}\n")
		}
	}
	w.must(runs(operation)...)
	want := 1
	if operation == "destroy" {
		want = 0
	} else {
		w.must("plan", "-detailed-exitcode", "-no-color")
	}
	machines, tracked := w.service.Machines(), w.tracked()
	if len(machines) != want || len(tracked) != want || want == 1 && tracked[0] != idOf(machines[0]) {
		w.t.Errorf("machines %+v, in the state %v, want %d", machines, tracked, want)
	}
}
