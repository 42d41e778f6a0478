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

// TestRequests counts the requests of the whole life of machines that are on at once, ten at a time. Each command
// has its own provider process, so an apply asks again what its plan has asked: for the definitions, the names and, once, the
// group. A destroy looks at each machine by its ID right before it is purged. Up to twenty machines nothing lists the group, however many there are in it.
func TestRequests(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ machines, groups, strangers, plan, apply, emptyPlan, planChange, change, destroy int }{
		{1, 1, 0, 3, 5, 1, 1, 7, 2},
		{5, 1, 9000, 7, 17, 5, 5, 35, 10},
		{20, 1, 0, 22, 62, 20, 20, 140, 40},
		{1000, 1, 0, 23, 1141, 21, 0, 0, 2001},
		{100, 3, 0, 27, -1, 23, 23, 0, 203}, // a further group costs a plan one more; what an apply looks at depends on who waits in which
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
					{"a first plan", func() { g.plan(t.Context()) }, c.plan},
					{"an apply", func() { g.apply(t.Context()) }, c.apply},
					{"an empty plan", func() { g.emptyPlan(t.Context()) }, c.emptyPlan},
					{"the plan of a change", func() { g.cores = 4; g.plan(t.Context()) }, c.planChange},
					{"a change of cores", func() { g.apply(t.Context()) }, c.change},
					{"a destroy", func() { g.destroy(t.Context()) }, c.destroy},
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
