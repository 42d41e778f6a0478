// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// requestCounts are the requests of each command in the life of some machines of one group, which boot at once. Every
// command has a provider process of its own, so an apply repeats the questions of its plan.
type requestCounts struct {
	machines, plan, apply, emptyPlan, change, restart, destroyPlan, destroy int
}

// TestRequestCounts counts exactly. To change a number is a decision: the commit says what the other requests are for.
func TestRequestCounts(t *testing.T) {
	t.Parallel()
	for _, want := range []requestCounts{
		{machines: 1, plan: 3, apply: 5, emptyPlan: 1, change: 3, restart: 7, destroyPlan: 1, destroy: 2},
		{machines: 20, plan: 22, apply: 62, emptyPlan: 20, change: 41, restart: 140, destroyPlan: 20, destroy: 40},
		{machines: 50, plan: 23, apply: 96, emptyPlan: 21, change: 101, restart: uncounted, destroyPlan: 21, destroy: 71},
	} {
		inSimulation(t, fmt.Sprintf("machines=%d", want.machines), func(t *testing.T) {
			f := newFleet(t, want.machines, 0)
			f.expectRequests("a first plan", want.plan, f.plan)
			f.expectRequests("an apply", want.apply, f.apply)
			f.expectRequests("a plan without changes", want.emptyPlan, f.plan)
			f.values = object{"keymap": "de"}
			f.expectRequests("an apply of another keymap", want.change, f.apply)
			f.values = object{"keymap": "de", "cores": 4}
			f.expectRequests("an apply of more cores", want.restart, f.apply)
			f.destroyed = true
			f.expectRequests("a plan of a destroy", want.destroyPlan, f.plan)
			f.expectRequests("the apply of a destroy", want.destroy, f.apply)
		})
	}
}

// uncounted is a command that is left out: of many machines, which waits share a listing depends on the scheduler.
const uncounted = -1

// TestRoundTrips counts the requests of one machine that wait for each other: in simulated time only the service takes
// time, the same for each request. Questions that do not depend on each other are asked together.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	inSimulation(t, "one machine", func(t *testing.T) {
		f := newFleet(t, 1, 0)
		f.expectRoundTrips("a first plan", 1, f.plan)
		f.expectRoundTrips("an apply", 3, f.apply) // the questions of the plan, the creation, a read
		f.expectRoundTrips("a plan without changes", 1, f.plan)
		f.values = object{"keymap": "de"}
		f.expectRoundTrips("the plan of a change", 2, f.plan) // the refresh, the definitions
		f.values = object{"cores": 4}
		f.expectRoundTrips("an apply of more cores", 7, f.apply) // a look, the stop (2), a look, the cores, the start, a look
		f.destroyed = true
		f.expectRoundTrips("a destroy", 2, f.apply)
	})
}

// TestAppliesEndSoonAfterTheBoot waits for machines that need some time until they are on. late is how long after that
// the apply ends at most.
func TestAppliesEndSoonAfterTheBoot(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		boot, late time.Duration
		requests   int
	}{
		{boot: 5 * time.Second, late: 1600 * time.Millisecond, requests: 11},
		{boot: 33 * time.Second, late: 3 * time.Second, requests: 20},
		{boot: 90 * time.Second, late: 3 * time.Second, requests: 39},
	} {
		inSimulation(t, row.boot.String(), func(t *testing.T) {
			f := newFleet(t, 1, row.boot)
			began := time.Now()
			f.expectRequests("an apply", row.requests, f.apply)
			if late := time.Since(began) - row.boot; late > row.late {
				t.Errorf("the apply ended %s after the machine was on, want at most %s", late, row.late)
			}
		})
	}
}

const requestLatency = 50 * time.Millisecond

// fleetOfMachines is a number of machines in one group, which Terraform handles ten at a time.
type fleetOfMachines struct {
	*testing.T
	service   *acctest.Emulator
	objects   []*acctest.Object
	values    object // what the configuration of each machine has besides
	destroyed bool   // the configuration has no machine
}

func newFleet(t *testing.T, machines int, boot time.Duration) *fleetOfMachines {
	t.Helper()
	_, e := acctest.Drive(t, emulator.Options{Latency: requestLatency, BootTime: boot}, nil)
	return &fleetOfMachines{T: t, service: e, objects: make([]*acctest.Object, machines)}
}

func (f *fleetOfMachines) config(i int) object {
	if f.destroyed {
		return nil
	}
	config := smallMachine(object{
		"name": fmt.Sprint("web", i), "reimage": object{"distribution": "bookworm", "ssh_public_key": sshKey},
	})
	maps.Copy(config, f.values)
	return config
}

// plan refreshes and plans every machine.
func (f *fleetOfMachines) plan(d *acctest.Driver) {
	f.each(func(i int) {
		if f.objects[i] != nil {
			f.objects[i] = d.MustRefresh(f.Context(), f.objects[i])
		}
		if plan := d.Plan(f.Context(), vmType, f.objects[i], f.config(i)); acctest.HasErrors(plan.Diagnostics) {
			f.Error(acctest.DiagText(plan.Diagnostics))
		}
	})
}

// apply plans and applies every machine, without a refresh.
func (f *fleetOfMachines) apply(d *acctest.Driver) {
	f.each(func(i int) { f.objects[i] = d.MustApply(f.Context(), vmType, f.objects[i], f.config(i)) })
}

func (f *fleetOfMachines) each(do func(i int)) {
	turns := make(chan struct{}, 10)
	var all sync.WaitGroup
	for i := range f.objects {
		turns <- struct{}{}
		all.Go(func() {
			do(i)
			<-turns
		})
	}
	all.Wait()
}

// expectRequests runs a command in a process of its own and compares the number of its requests. If it differs, the
// failure says how many requests of each kind there were.
func (f *fleetOfMachines) expectRequests(command string, want int, run func(*acctest.Driver)) {
	f.Helper()
	if want == uncounted {
		return
	}
	f.service.ResetJournal()
	run(f.service.NewDriver(f.T, nil))
	if calls := f.service.AllCalls(); len(calls) != want {
		f.Errorf("%s made %d requests, want %d:\n%s", command, len(calls), want, kindsOfCalls(calls))
	}
}

func (f *fleetOfMachines) expectRoundTrips(command string, want int, run func(*acctest.Driver)) {
	f.Helper()
	f.service.ResetJournal()
	began := time.Now()
	run(f.service.NewDriver(f.T, nil))
	if took := time.Since(began); took != time.Duration(want)*requestLatency {
		trips := float64(took) / float64(requestLatency)
		f.Errorf("%s took %.1f round trips, want %d:\n%s", command, trips, want, strings.Join(f.service.AllCalls(), "\n"))
	}
}

var withoutIDs = regexp.MustCompile(`/(\d+|web\d+)\b`)

// kindsOfCalls returns how many requests there were of each kind, with # for IDs and names.
func kindsOfCalls(calls []string) string {
	count := map[string]int{}
	for _, call := range calls {
		count[withoutIDs.ReplaceAllString(call, "/#")]++
	}
	var lines strings.Builder
	for _, kind := range slices.Sorted(maps.Keys(count)) {
		fmt.Fprintf(&lines, "%6d × %s\n", count[kind], kind)
	}
	return lines.String()
}
