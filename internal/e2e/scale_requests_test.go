package e2e_test

import (
	"strconv"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestRequests counts the requests of whole commands over machines in one group that are ready at once, ten at a time. Each
// command has its own provider process: what a plan fetches once, the definitions and the listing that shows which names
// are taken, the apply fetches again.
func TestRequests(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ machines, plan, apply, emptyPlan, destroy int }{
		{1, 2, 4, 1, 3},
		{5, 2, 12, 5, 14},
		{20, 2, 42, 20, 42},
		{200, 2, 240, 21, 240},
	} {
		t.Run(strconv.Itoa(c.machines), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := newGroup(t, emulator.Options{Latency: latency}, c.machines, 10)
				for _, step := range []struct {
					name        string
					run         func()
					least, most int
				}{
					{"a first plan", func() { g.plan(t.Context()) }, c.plan, c.plan},
					{"an apply", func() { g.apply(t.Context()) }, c.machines + 3, c.apply}, // polls with jitter may share a listing
					{"an empty plan", func() { g.emptyPlan(t.Context()) }, c.emptyPlan, c.emptyPlan},
					{"a destroy", func() { g.destroy(t.Context()) }, c.machines + 1, c.destroy},
				} {
					g.command(t)
					step.run()
					if got := len(g.emulator.Journal()); got < step.least || got > step.most {
						t.Errorf("%s of %d machines took %d requests, want %d to %d:\n%v", step.name, c.machines, got, step.least, step.most, head(g.emulator))
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
