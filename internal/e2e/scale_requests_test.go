package e2e_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestRequests counts the requests of the whole life of machines that are on at once, ten at a time. Each command has
// its own provider process, so an apply repeats its plan's requests: for the definitions, the names and, once, the
// group. A destroy reads each machine at its path right before it is purged. For up to twenty machines no group is listed,
// however many machines it has.
func TestRequests(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ machines, groups, strangers, plan, apply, emptyPlan, planChange, change, destroy int }{
		{machines: 1, groups: 1, plan: 3, apply: 5, emptyPlan: 1, planChange: 1, change: 7, destroy: 2},
		{machines: 5, groups: 1, strangers: 9000, plan: 7, apply: 17, emptyPlan: 5, planChange: 5, change: 35, destroy: 10},
		{machines: 20, groups: 1, plan: 22, apply: 62, emptyPlan: 20, planChange: 20, change: 140, destroy: 40},
		{machines: 1000, groups: 1, plan: 23, apply: 1141, emptyPlan: 21, destroy: 2000},
		{machines: 100, groups: 3, plan: 27, apply: -1, emptyPlan: 23, planChange: 23, destroy: 200}, // a further group costs a plan one more; what an apply looks at depends on who waits in which
	} {
		t.Run(fmt.Sprintf("%d in %d", c.machines, c.groups), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := newGroup(t, emulator.Options{Latency: latency}, c.machines, 10)
				for i := range c.groups {
					g.names = append(g.names, "group"+strconv.Itoa(i))
					g.emulator.AddGroup(emulator.DemoAccount, g.names[i], false)
				}
				for i := range c.strangers {
					g.emulator.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "stranger" + strconv.Itoa(i)})
				}
				for _, step := range []struct {
					name string
					run  func()
					want int
				}{
					{name: "a first plan", run: func() { g.plan(t.Context()) }, want: c.plan},
					{name: "an apply", run: func() { g.apply(t.Context()) }, want: c.apply},
					{name: "an empty plan", run: func() { g.emptyPlan(t.Context()) }, want: c.emptyPlan},
					{
						name: "the plan of a change",
						run:  func() { g.cores = 4; g.plan(t.Context()) },
						want: c.planChange,
					},
					{name: "a change of cores", run: func() { g.apply(t.Context()) }, want: c.change},
					{name: "a destroy", run: func() { g.destroy(t.Context()) }, want: c.destroy},
				} {
					if step.want == 0 {
						continue
					}
					g.command(t)
					step.run()
					calls := g.emulator.AllCalls()
					if step.want > 0 && len(calls) != step.want {
						t.Errorf("%s of %d machines took %d requests, want %d:\n%v", step.name, c.machines, len(calls), step.want, head(g.emulator))
					}
					isListing := func(call string) bool {
						return strings.HasPrefix(call, "GET /accounts") && strings.Contains(call, "/virtual_machines?")
					}
					if c.machines <= 20 && slices.ContainsFunc(calls, isListing) {
						t.Errorf("%s of %d machines lists the group:\n%v", step.name, c.machines, head(g.emulator))
					}
				}
			})
		})
	}
}

// head returns the beginning of the journal.
func head(e *acctest.Emulator) []string {
	calls := e.AllCalls()
	return calls[:min(len(calls), 20)]
}
