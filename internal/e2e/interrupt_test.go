package e2e_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
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
	method    string // only requests with this method count; "": all
	after     bool   // the service has carried out the request
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

// TestInterruptions interrupts runs of the real CLI at their requests. The next apply must converge.
func TestInterruptions(t *testing.T) {
	t.Parallel()
	points := []interruption{ // the most important ones
		{operation: "create", method: "POST", signal: "kill CLI", after: true},
		{operation: "create", method: "POST", signal: "terminate", after: true},
		{operation: "update", method: "PUT", at: 1, signal: "kill provider", after: true},
		{operation: "update", method: "PUT", at: 1, signal: "terminate", after: true},
		{operation: "destroy", method: "DELETE", signal: "interrupt", after: true},
	}
	if *full {
		points = every(*shards, *shard, allInterruptions(t))
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
		sum.add(l.counts)
		notes[l.notes]++
	}
	sum.notes = fmt.Sprintf("%d by import advice", notes["imported"])
	publish(t, sum)
}

// allInterruptions returns those before and after each write of a healthy run, and some at its reads.
func allInterruptions(t *testing.T) (points []interruption) {
	t.Helper()
	var reads []interruption
	for _, operation := range []string{"create", "update", "destroy"} {
		for at, call := range requestsOfRun(t, operation) {
			for _, signal := range slices.Sorted(maps.Keys(signals)) {
				point := interruption{operation: operation, call: call, at: at, signal: signal}
				if strings.HasPrefix(call, "GET ") {
					reads = append(reads, point)
					continue
				}
				points = append(points, point)
				point.after = true
				points = append(points, point)
			}
		}
	}
	return append(points, every(5, 2, reads)...) // there are four signals
}

// begin brings a workspace to the starting point of the operation.
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

// requestsOfRun returns the requests of a healthy run.
func requestsOfRun(t *testing.T, operation string) []string {
	t.Helper()
	w := begin(t, operation)
	w.service.ResetJournal()
	if output, err := w.run(command(operation)...); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return w.service.AllCalls()
}

// run makes one interruption, and the apply after it.
func (i interruption) run(t *testing.T) (l line) {
	w := begin(t, i.operation)
	i.strike(t, w)
	if i.signal == "interrupt" || i.signal == "terminate" {
		i.expectEnded(t, w)
	}
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

// expectEnded: if the CLI and its provider are signalled together, the CLI stops the work. The state contains what
// exists, and the power is restored.
func (i interruption) expectEnded(t *testing.T, w *workspace) {
	t.Helper()
	for _, machine := range w.service.Machines() {
		if !slices.Contains(w.tracked(), idOf(machine)) || i.operation == "update" && !machine.PowerOn {
			t.Errorf("after the signal: %+v, in the state %v", machine, w.tracked())
		}
	}
}

// plain returns the CLI's output without the frames of its messages.
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

// strike runs the operation and sends the signal while the request is in progress.
func (i interruption) strike(t *testing.T, w *workspace) {
	t.Helper()
	reached := make(chan struct{})
	var seen atomic.Int64
	remove := w.service.Inject(emulator.Fault{
		Match: func(r emulator.Request) bool {
			if i.method != "" && r.Method != i.method || seen.Add(1) != int64(i.at)+1 {
				return false
			}
			close(reached)
			return true
		},
		Delay:       300 * time.Millisecond,
		AfterEffect: i.after,
	})
	defer remove()
	cli, _ := w.start(command(i.operation)...)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cli.Wait() // an error, unless everything was done before
	}()
	select {
	case <-reached:
	case <-ended: // fewer polls than in the healthy run
		return
	}
	<-time.After(100 * time.Millisecond) // in the middle of the delay, because processes live in real time
	if err := signals[i.signal](cli.Process.Pid, w.processes()); err != nil {
		t.Fatal(err)
	}
	<-ended
	<-time.After(300 * time.Millisecond) // a provider that outlives its CLI completes its current request
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
