package e2e_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// sampleStride is coprime to the number of faults and of spans, so that a sample contains something of each.
const sampleStride = 41

// TestFaults tests every fault at every request of every operation.
func TestFaults(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var lines []line
	t.Run("of", func(t *testing.T) {
		for _, o := range operations() {
			t.Run(o.name, func(t *testing.T) {
				t.Parallel()
				results := o.sweep(t)
				mu.Lock()
				defer mu.Unlock()
				lines = append(lines, lineOf(o.name, results))
			})
		}
	})
	publish(t, sorted(lines)...)
}

// sweep runs every case of an operation. Losing the answer to a read is the same as not carrying it out, unless the
// writes after it also fail.
func (o operation) sweep(t *testing.T) []result {
	from, requests := o.requests(t)
	var cases []faultCase
	for number, at := range targets(requests) {
		if at.call == "POST /session" && !o.logsIn {
			continue
		}
		for n, f := range faults() {
			same := strings.HasPrefix(at.call, "GET ") && strings.HasSuffix(f.name, " after")
			for _, lasting := range []span{once, []span{thisCall, allCalls}[(number+n)%2]} { // in turn
				if !same || lasting == allCalls {
					cases = append(cases, faultCase{operation: o, fault: f, at: at, span: lasting})
				}
			}
		}
	}
	var results []result
	for _, c := range sample(cases, sampleStride) {
		t.Run(fmt.Sprintf("%s %d/%s/%s", strings.Split(c.at.call, "?")[0], c.at.nth, c.fault.name, c.span), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, acted := c.run(t, from)
				time.Sleep(time.Hour) // processes that end leave requests behind, which have to end as well
				if acted {
					results = append(results, r)
				} else if c.at.nth == 1 { // only the number of looks may differ between runs
					t.Error("the fault did not act")
				}
			})
		})
	}
	return results
}

// targets returns the requests, without reads that equal both the one before and the one after.
func targets(requests []string) []target {
	var all []target
	seen := map[string]int{}
	for at, call := range requests {
		seen[call]++
		if at == 0 || at+1 == len(requests) || call != requests[at-1] || call != requests[at+1] {
			all = append(all, target{call, seen[call]})
		}
	}
	return all
}

// requests returns the requests of a healthy run from the journal, and its starting point.
func (o operation) requests(t *testing.T) (from start, calls []string) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		o.prepare(w)
		from = w.start()
		w.service.ResetJournal()
		if diags := o.run(w); acctest.HasErrors(diags) {
			t.Fatalf("the healthy run:\n%s", acctest.DiagText(diags))
		}
		calls = w.service.AllCalls()
	})
	if len(calls) == 0 {
		t.Fatal("the operation asks nothing of the service")
	}
	return from, calls
}

// run runs one case. acted is false if the fault never acted.
func (c faultCase) run(t *testing.T, from start) (r result, acted bool) {
	w := newWorld(t)
	c.operation.setUp(w)
	from.replay(w)
	before := w.machines()
	w.wire.arm(c.fault, c.at, c.span)
	began := time.Now()
	first := c.operation.run(w)
	c.took = time.Since(began)
	if acted = w.wire.mend() > 0; !acted {
		return r, false
	}
	c.judgeMessages(first, &r)
	c.judgeUntracked(w, first, &r)
	var second diagnostics
	r.outcome, second = c.heal(w, first)
	staysOff := c.operation.mayStayOff && !w.machines()[0].PowerOn
	if acctest.HasErrors(second) && !staysOff {
		r.fail("the second apply fails:\n%s", acctest.DiagText(second))
	} else if (c.operation.names == "" || c.operation.kind != "") && !w.unchanged {
		c.expectEmptyPlan(w, &r)
	}
	c.judge(w, before, &r)
	c.judgeSecrets(w, &r)
	if len(r.failures) > 0 {
		t.Errorf("%s\nthe first apply said:\n%s\nand asked for:\n%s", strings.Join(r.failures, "\n"),
			acctest.DiagText(first), strings.Join(w.service.AllCalls(), "\n"))
	}
	return r, true
}

// judgeUntracked: an error must not claim that nothing exists if something does.
func (c faultCase) judgeUntracked(w *world, first diagnostics, r *result) {
	creates := c.operation.kind == "" && !c.operation.theirs && c.operation.before == nil
	if creates && w.state == nil && len(w.machines()) > 0 && strings.Contains(acctest.DiagText(first), tfkit.NothingCreated) {
		r.lost++
		r.fail("the message denies a machine that exists")
	}
}

func (c faultCase) expectEmptyPlan(w *world, r *result) {
	d := w.process()
	refreshed, diags := d.Refresh(w.t.Context(), w.state)
	plan := d.Plan(w.t.Context(), w.typeName(), refreshed, c.operation.after)
	if acctest.HasErrors(diags) || plan.Action != acctest.ActionNoOp {
		r.fail("the plan after the second apply is not empty: %s of %v\n%s%s", plan.Action, plan.Changes(),
			acctest.DiagText(diags), acctest.DiagText(plan.Diagnostics))
	}
	w.note(plan.Diagnostics)
}
