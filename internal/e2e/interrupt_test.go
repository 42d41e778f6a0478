package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// interruption is a signal at a request of a run of the CLI.
type interruption struct {
	operation string
	call      string // the request
	at        int    // its number in the run
	method    string // only requests with it count, "" for all
	after     bool   // the service has done what was asked
	signal    string
}

func (i interruption) String() string {
	when := "before"
	if i.after {
		when = "after"
	}
	return fmt.Sprintf("%s/%s %s request %d %s", i.operation, i.signal, when, i.at, strings.ReplaceAll(i.method+i.call, "/", "_"))
}

// signals by what they do to the process group of a CLI and to its providers.
var signals = map[string]func(group int, providers []int) error{
	"interrupt":     func(group int, _ []int) error { return syscall.Kill(-group, syscall.SIGINT) },  // as a terminal's Ctrl-C
	"terminate":     func(group int, _ []int) error { return syscall.Kill(-group, syscall.SIGTERM) }, // as timeout(1), systemd and CI systems
	"kill CLI":      func(group int, _ []int) error { return syscall.Kill(group, syscall.SIGKILL) },
	"kill provider": func(_ int, providers []int) error { return syscall.Kill(providers[len(providers)-1], syscall.SIGKILL) },
}

// TestInterruptions ends runs of the real CLI at each of their requests, and
// wants the next apply to converge.
func TestInterruptions(t *testing.T) {
	points := []interruption{ // where something is at stake; TestTerminatedGroup has the fourth signal
		{operation: "create", method: "POST", signal: "kill CLI", after: true},
		{operation: "update", method: "PUT", at: 1, signal: "kill provider", after: true},
		{operation: "destroy", method: "DELETE", signal: "interrupt", after: true},
	}
	if *full {
		points = spread(allInterruptions(t), 48)
	}
	lines := make([]line, len(points))
	t.Run("at", func(t *testing.T) {
		for n, point := range points {
			t.Run(point.String(), func(t *testing.T) {
				t.Parallel()
				lines[n] = point.run(t)
			})
		}
	})
	sum := line{name: "interruptions", cases: len(points)}
	notes := map[string]int{}
	for _, l := range lines {
		sum.orphans += l.orphans
		sum.duplicates += l.duplicates
		sum.lost += l.lost
		notes[l.notes]++
	}
	sum.notes = fmt.Sprintf("%d by import advice", notes["imported"])
	publish(t, sum)
}

// allInterruptions are those at each request of a healthy run.
func allInterruptions(t *testing.T) (points []interruption) {
	t.Helper()
	for _, operation := range []string{"create", "update", "destroy"} {
		for at, call := range requestsOfRun(t, operation) {
			for _, signal := range []string{"interrupt", "terminate", "kill CLI", "kill provider"} {
				point := interruption{operation: operation, call: call, at: at, signal: signal}
				points = append(points, point)
				point.after = true
				points = append(points, point)
			}
		}
	}
	return points
}

// TestTerminatedGroup: when the CLI and its provider are terminated together, it is the
// CLI that stops the work. The machine is in the state, and has its power back.
func TestTerminatedGroup(t *testing.T) {
	for operation, point := range map[string]interruption{"create": {method: "POST"}, "update": {method: "PUT", at: 1}} {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			w := begin(t, operation)
			point.operation, point.after, point.signal = operation, true, "terminate"
			point.strike(t, w)
			machines := w.service.Machines()
			if tracked := w.tracked(); len(machines) != 1 || len(tracked) != 1 || tracked[0] != idOf(machines[0]) {
				t.Fatalf("machines %+v, in the state %v", machines, tracked)
			}
			if operation == "update" && !machines[0].PowerOn {
				t.Error("the machine is left off")
			}
			if output, err := w.run(command("apply")...); err != nil {
				t.Errorf("the next run fails: %v\n%s", err, output)
			}
		})
	}
}

// spread takes count elements, evenly.
func spread[T any](all []T, count int) []T {
	some := make([]T, 0, count)
	for n := range min(count, len(all)) {
		some = append(some, all[(2*n+1)*len(all)/(2*min(count, len(all)))])
	}
	return some
}

// begin brings a workspace to where the operation starts.
func begin(t *testing.T, operation string) *workspace {
	t.Helper()
	w := newWorkspace(t, acctest.StartEmulator(t, emulator.Options{BootTime: time.Second}))
	w.configure(2)
	if operation == "create" {
		return w
	}
	if output, err := w.run("apply", "-auto-approve", "-no-color"); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if operation == "update" {
		w.configure(4)
	}
	return w
}

func command(operation string) []string {
	if operation == "destroy" {
		return []string{"destroy", "-auto-approve", "-no-color"}
	}
	return []string{"apply", "-auto-approve", "-no-color"}
}

// requestsOfRun are those of a healthy run.
func requestsOfRun(t *testing.T, operation string) []string {
	t.Helper()
	w := begin(t, operation)
	w.service.ResetJournal()
	if output, err := w.run(command(operation)...); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return w.service.AllCalls()
}

// run is one interruption, and what comes after it.
func (i interruption) run(t *testing.T) (l line) {
	w := begin(t, i.operation)
	i.strike(t, w)
	output, err := w.run(command(i.operation)...)
	if advised := importID.FindStringSubmatch(plain(output)); err != nil && advised != nil {
		w.write("import.tf", fmt.Sprintf("import {\n  to = cloudserver_vm.web\n  id = %q\n}\n", advised[1]))
		l.notes = "imported"
		output, err = w.run(command(i.operation)...)
	}
	if err != nil {
		t.Fatalf("the next run fails: %v\n%s", err, output)
	}
	if i.operation != "destroy" {
		if output, err := w.run("plan", "-detailed-exitcode", "-no-color"); err != nil {
			t.Errorf("the plan after it is not empty: %v\n%s", err, output)
		}
	}
	i.judge(t, w, &l)
	return l
}

// plain is what the CLI printed without the frame of its messages.
func plain(output string) string {
	var text strings.Builder
	for line := range strings.Lines(output) {
		if framed, ok := strings.CutPrefix(line, "│"); ok {
			line = strings.TrimPrefix(framed, " ")
		}
		text.WriteString(line)
	}
	return text.String()
}

// strike runs the operation and sends the signal while the request is under way.
func (i interruption) strike(t *testing.T, w *workspace) {
	t.Helper()
	reached := make(chan struct{})
	remove := w.service.Inject(emulator.Fault{
		Match:       countdown(i.at, i.method, func() { close(reached) }),
		Times:       1,
		Delay:       300 * time.Millisecond,
		AfterEffect: i.after,
	})
	defer remove()
	cli, _ := w.start(command(i.operation)...)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cli.Wait() // an error, unless everything was done already
	}()
	select {
	case <-reached:
	case <-ended: // fewer polls than in the healthy run
		return
	}
	<-time.After(100 * time.Millisecond) // in the middle of the delay: processes live in real time
	if err := signals[i.signal](cli.Process.Pid, w.processes()); err != nil {
		t.Fatal(err)
	}
	<-ended
	<-time.After(300 * time.Millisecond) // a provider that outlives its CLI ends the request that it has under way
}

// countdown matches the request with the given number, of those with the method, and
// calls reached.
func countdown(at int, method string, reached func()) func(emulator.Request) bool {
	var mu sync.Mutex
	seen := -1
	return func(r emulator.Request) bool {
		if method != "" && r.Method != method {
			return false
		}
		mu.Lock()
		defer mu.Unlock()
		if seen++; seen != at {
			return false
		}
		reached()
		return true
	}
}

func (i interruption) judge(t *testing.T, w *workspace, l *line) {
	t.Helper()
	tracked := w.tracked()
	machines := w.service.Machines()
	for _, machine := range machines {
		if !slices.Contains(tracked, idOf(machine)) {
			l.orphans++
			t.Errorf("machine %d is in no state", machine.ID)
		}
	}
	want := 1
	if i.operation == "destroy" {
		want = 0
	}
	if len(machines) > want {
		l.duplicates++
	}
	if len(machines) < want {
		l.lost++
	}
	if len(machines) != want || len(tracked) != want {
		t.Errorf("%d machines, %d in the state, want %d", len(machines), len(tracked), want)
	}
}
