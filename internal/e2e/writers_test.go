package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestTwoWriters: two provider processes change their machines in one group at the same time, while eight in a hundred
// requests fail, some of them after their effect. A second apply, with a healthy service, completes every machine.
func TestTwoWriters(t *testing.T) {
	t.Parallel()
	seeds := []uint64{1}
	machines := 10
	if *full {
		seeds, machines = every(*shards, *shard, []uint64{1, 2, 3, 4, 5, 6, 7, 8}), 30
	}
	var lines []line
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { lines = append(lines, twoWriters(t, seed, machines)) })
		})
	}
	publish(t, lines...)
}

// writer is one of the processes' states.
type writer struct {
	name   string
	states []*acctest.Object
}

func twoWriters(t *testing.T, seed uint64, machines int) line {
	w := newWorldWith(t, emulator.Options{BootTime: 3 * time.Second, ShutdownTime: time.Second, Latency: 20 * time.Millisecond})
	writers := []*writer{{"a", make([]*acctest.Object, machines)}, {"b", make([]*acctest.Object, machines)}}
	l, failed := line{name: fmt.Sprintf("two writers %d", seed), cases: 2 * machines * 3}, 0
	for round, config := range []func(name string) object{
		func(name string) object { return web(object{"name": name}) },
		func(name string) object {
			return web(discs("vda", 30000, "data", 10240, "vdc", 5000), object{"name": name + "-new", "cores": 4})
		},
		func(name string) object {
			return web(image("trixie", true), discs("vda", 30000, "vdb", 10240), object{"name": name, "cores": 4, "memory": 4096})
		},
	} {
		for i, status := range []int{429, 500, 502, 503, 500, 502, 503} { // the last three after their effect
			random := rand.New(rand.NewPCG(seed+uint64(100*round+i), 0))
			w.service.Inject(emulator.Fault{Status: status, AfterEffect: i > 3, Match: func(r emulator.Request) bool {
				return notSession(r) && random.Float64() < []float64{0.015, 0.008}[i/4]
			}})
		}
		first := w.both(writers, config, &l)
		for _, fault := range w.service.Faults() {
			failed += fault.Acted
		}
		w.service.RemoveFaults(0)
		for name, diags := range w.both(writers, config, &l) {
			t.Errorf("round %d: %s is not finished by a second apply:\n%s\nthe first said:\n%s", round, name, acctest.DiagText(diags), acctest.DiagText(first[name]))
			l.lost++
		}
	}
	l.notes = fmt.Sprintf("%d requests failed", failed)
	for _, m := range w.machines() {
		if !slices.ContainsFunc(writers, func(x *writer) bool { return x.has(m) }) {
			l.orphans++
			t.Errorf("machine %d %s is in no state", m.ID, m.Name)
		}
		if !m.PowerOn || m.Memory != 4096 || m.LastImagedWith != "trixie" {
			l.lost++
			t.Errorf("machine %d %s: power_on %t, memory %d, image %q", m.ID, m.Name, m.PowerOn, m.Memory, m.LastImagedWith)
		}
	}
	l.duplicates = max(len(w.machines())-2*machines, 0)
	time.Sleep(time.Hour)
	return l
}

func notSession(r emulator.Request) bool { return r.Path != "/session" }

func (x *writer) has(m emulator.Machine) bool {
	return slices.ContainsFunc(x.states, func(o *acctest.Object) bool { return o != nil && o.Get("id") == idOf(m) })
}

// both applies all machines of both processes concurrently, and returns the failures.
func (w *world) both(writers []*writer, config func(string) object, l *line) map[string]diagnostics {
	var mu sync.Mutex
	failed := map[string]diagnostics{}
	var all sync.WaitGroup
	for _, x := range writers {
		d, applies := w.process().OneRun(), w.process().OneRun()
		for i := range x.states {
			all.Go(func() {
				name := fmt.Sprintf("%s-%d", x.name, i)
				plan, diags := w.applyOne(d, applies, &x.states[i], config(name))
				mu.Lock()
				defer mu.Unlock()
				if acctest.HasErrors(diags) {
					failed[name] = diags
				}
				if plan != nil {
					w.promised = append(w.promised, acctest.Showing(plan).Promises()...)
				}
			})
		}
	}
	all.Wait()
	for _, request := range acctest.Unplanned(w.service.Journal(), w.promised) {
		l.unplanned++
		w.t.Errorf("no plan accounts for %s", request)
	}
	w.promised = nil
	w.service.ResetJournal()
	return failed
}

func (w *world) applyOne(
	d, applies *acctest.Driver, state **acctest.Object, config object,
) (*acctest.PlanResult, diagnostics) {
	ctx := w.t.Context()
	refreshed, diags := d.Refresh(ctx, *state)
	if acctest.HasErrors(diags) {
		return nil, diags
	}
	plan := d.Plan(ctx, vmType, refreshed, config)
	if acctest.HasErrors(plan.Diagnostics) {
		return nil, plan.Diagnostics
	}
	applied, diags := applies.Apply(ctx, vmType, plan)
	*state = applied
	return plan, diags
}
