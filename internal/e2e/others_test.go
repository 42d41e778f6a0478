package e2e_test

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
)

var (
	pairs   = flag.Int("pairs", 1, "with -full: draw so many gaps after a failed request for each task and step")
	seed    = flag.Uint64("seed", 1, "what draws them; 0: the clock")
	oneCase = flag.String("case", "", "run only the cases whose names contain this")
)

// TestOthers lets somebody else take a step in each gap between two requests of each task. The results are judged by
// promises, which hold whatever somebody else does.
//
// Tasks, gaps, steps and promises are tables in the files others_*_test.go. Another table has the cases in which a
// promise cannot be kept. The test fails if one of them no longer occurs.
func TestOthers(t *testing.T) {
	t.Parallel()
	drawn := cmp.Or(*seed, uint64(time.Now().UnixNano()))
	t.Logf("gaps after a failed request are drawn with -seed %d", drawn)
	testCases(t, tasks(), func(work task, from begun) []sweepCase { return work.sample(work.cases(from, drawn), othersStride) }, "others: ")
}

// testCases runs cases of tasks, and reports what they find. prefix precedes the names of their lines in the table.
func testCases(t *testing.T, tasks []task, cases func(work task, from begun) []sweepCase, prefix string) {
	t.Helper()
	var mu sync.Mutex
	var lines []line
	var found []finding
	t.Run("of", func(t *testing.T) {
		for _, work := range tasks {
			t.Run(work.name, func(t *testing.T) {
				t.Parallel()
				l, more := work.sweep(t, cases)
				l.name = prefix + work.name
				mu.Lock()
				defer mu.Unlock()
				found = append(found, more...)
				if l.cases > 0 {
					lines = append(lines, l)
				}
			})
		}
	})
	publish(t, sorted(lines)...)
	reportFindings(t, lines, found)
}

// sweepCase is a task with a disturbance: a request fails, somebody else takes a step in a gap, or both. TestFaults has
// the former, TestOthers the others.
type sweepCase struct {
	task task
	gap  gap
	step step
}

func (o sweepCase) String() string { return o.task.name + " | " + o.gap.String() + " | " + o.step.name }

// finding is a broken promise.
type finding struct {
	promise promise
	in      sweepCase
	what    string // what happened
	story   string // the messages and requests
}

// othersStride is a prime with which a sample has cases of nearly all steps. The shards have all cases.
const othersStride = 97

// sweep runs the cases of a task. It returns their line in the table, and the findings.
func (t task) sweep(tt *testing.T, cases func(work task, from begun) []sweepCase) (l line, found []finding) {
	var from begun
	synctest.Test(tt, func(tt *testing.T) { from = t.prepared(tt) })
	known, again := 0, 0
	for _, c := range cases(t, from) {
		synctest.Test(tt, func(tt *testing.T) {
			r := c.run(tt, from)
			if r.acted {
				l.cases++
			}
			if r.failed {
				again++
			}
			for _, f := range r.found {
				if isKnown(f) {
					known++
				} else {
					*f.promise.column(&l.counts)++
				}
			}
			found = append(found, r.found...)
			time.Sleep(time.Hour) // background work of the processes ends by itself
		})
	}
	if l.notes = fmt.Sprintf("%d by a second run", again); known > 0 {
		l.notes += fmt.Sprintf(", %d known", known)
	}
	return l, found
}

// cases returns the cases of a task: each step in each gap and, with -full, some with a failed request before the step.
func (t task) cases(from begun, seed uint64) (all []sweepCase) {
	var gaps []gap
	for _, kind := range gapKinds() {
		gaps = append(gaps, kind.find(from.calls)...)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	for _, s := range steps() {
		these := gaps
		if *full {
			these = append(slices.Clone(gaps), drawGaps(random, from.calls, *pairs)...)
		}
		for _, g := range these {
			if t.meets(s, g) && !from.isOfAnother(g.at) {
				all = append(all, sweepCase{t, g, s})
			}
		}
	}
	return all
}

// sample returns the cases that are run, including the witnesses of all known findings.
func (t task) sample(all []sweepCase, stride int) []sweepCase {
	if *oneCase != "" {
		return slices.DeleteFunc(all, func(c sweepCase) bool { return !strings.Contains(c.String(), *oneCase) })
	}
	some := sample(all, stride)
	for _, c := range all {
		if isWitness(c) && !slices.ContainsFunc(some, func(o sweepCase) bool { return o.String() == c.String() }) {
			some = append(some, c)
		}
	}
	return some
}

// result is the result of a case.
type result struct {
	acted  bool // the fault or the step
	failed bool // the first run
	found  []finding
}

// run runs one case: the task with the disturbance, and the task again without it.
func (o sweepCase) run(t *testing.T, from begun) (r result) {
	s := newScene(t, o.task, o.step.credentials)
	s.step, s.from = o.step, from
	s.replay(from)
	running := true
	var step func()
	if o.step.do != nil {
		step = func() {
			if running {
				s.stepped.requests, s.stepped.at = len(s.service.Journal()), time.Now()
				s.stepped.taken = o.step.do(s)
			}
		}
	}
	s.wire.arm(o.gap, step)
	first := s.run()
	running = false
	failed := s.wire.disarm()
	r.failed = acctest.HasErrors(first.diags)
	if r.acted = s.stepped.taken || o.isFault() && failed > 0; !r.acted {
		if o.isFault() && o.gap.at.nth == 1 { // only the number of looks may differ between runs
			t.Errorf("the fault did not act: %s", o)
		}
		return r
	}
	if !s.task.hasty {
		s.calm()
	}
	note := func(p promise, c *course, what []string) {
		for _, text := range what {
			r.found = append(r.found, finding{p, o, text, s.tell(first, c)})
		}
	}
	for _, p := range promises() {
		if p.judge != nil && p.isOf(o, first) && (p.name == othersKeep || !s.isMisled(first)) {
			note(p, first, p.judge(s, first))
		}
	}
	isAction := o.task.may != nil && !o.isFault()          // it is not invoked again
	if s.isMisled(first) || isAction || len(r.found) > 0 { // a finding has many consequences
		return r
	}
	s.theirs.settle(s)
	second := s.again()
	for _, p := range promises() {
		switch {
		case p.name == nextGoesOn:
			note(p, second, s.goesOn(second))
		case !p.once && !s.isDenied():
			note(p, second, p.judge(s, second))
		}
	}
	return r
}

// isFault reports whether the disturbance is a fault alone.
func (o sweepCase) isFault() bool { return o.step.do == nil }

// again runs the task again. If a request failed, and the error advises to import what it may have created, again follows
// the advice and runs the task once more.
func (s *scene) again() *course {
	c := s.run()
	s.calm()
	if s.task.hasty && isBusy(c.diags) { // with the image of the first run
		c = s.run()
		s.calm()
	}
	subject := s.parts[s.task.subject]
	advised := importID.FindStringSubmatch(acctest.DiagText(c.diags))
	for _, p := range s.parts { // the error may be about another part
		if m, ok := s.adviceOn(advised); ok && p.after != nil && p.after["name"] == m.Name {
			subject = p
		}
	}
	if s.wire.gap.first == nil || s.step.do == nil && !s.mayNeedImport() || !acctest.HasErrors(c.diags) || advised == nil || subject.state != nil || s.theirs.answersTo(advised[1]) {
		return c
	}
	imported, diags := s.world.process().Import(s.t.Context(), subject.typeName(), advised[1])
	if acctest.HasErrors(diags) {
		c.diags = append(c.diags, diags...)
		return c
	}
	subject.state = imported
	c = s.run()
	s.calm()
	return c
}

// adviceOn returns the machine that an error advises to import.
func (s *scene) adviceOn(advised []string) (emulator.Machine, bool) {
	if advised == nil {
		return emulator.Machine{}, false
	}
	return s.service.Machine(numberOf(advised[1]))
}

// goesOn checks that the next run succeeds after trouble that has ended, and that the plan after it is empty. After a
// change by somebody else, the next run may fail if the error says what to do.
func (s *scene) goesOn(c *course) (all []string) {
	if acctest.HasErrors(c.diags) {
		said := acctest.DiagText(acctest.Errors(c.diags))
		toldApart := s.ledAstray && strings.Contains(said, origin.AnotherService)
		if m, _ := s.machine(); s.task.mayStayOff && !m.PowerOn { // there is nothing to restart
			return nil
		}
		if (s.step.trouble || s.step.do == nil) && !toldApart {
			all = append(all, "the next run fails:\n"+said)
		}
		for _, d := range acctest.Errors(c.diags) {
			if !strings.Contains(d.Detail, ". ") && !strings.Contains(d.Detail, "\n\n") {
				all = append(all, "the next run fails, and does not say how to go on:\n"+said)
			}
		}
		return all
	}
	changes := slices.ContainsFunc(c.plans, func(p *acctest.PlanResult) bool { return p != nil && !p.Empty() })
	if s.task.may != nil || s.task.do != nil && !s.task.hasty || s.task.expects.Summary != "" || !changes && !s.task.noRefresh { // empty already
		return nil
	}
	ctx, d := s.t.Context(), s.world.process().OneRun()
	for _, p := range s.parts {
		if p.after == nil && p.state == nil {
			continue
		}
		refreshed, diags := d.Refresh(ctx, p.state)
		plan := d.Plan(ctx, p.typeName(), refreshed, p.after)
		if acctest.HasErrors(diags) || plan.Action != acctest.ActionNoOp {
			all = append(all, fmt.Sprintf("the plan after the next run is not empty: %s of %v\n%s%s", plan.Action, plan.Changes(), acctest.DiagText(diags), acctest.DiagText(plan.Diagnostics)))
		}
	}
	return append(all, s.tester.drain()...)
}

// tell returns the messages and requests of the runs.
func (s *scene) tell(runs ...*course) string {
	var story strings.Builder
	for i, c := range slices.Compact(runs) {
		fmt.Fprintf(&story, "--- run %d said:\n%s--- and asked for:\n", i+1, acctest.DiagText(c.diags))
		for n, r := range s.service.Journal()[c.from:c.to] {
			if i == 0 && c.from+n == s.stepped.requests {
				story.WriteString("    … " + s.step.name + "\n")
			}
			if !isTheirs(r) {
				fmt.Fprintf(&story, "    %s %s?%s %s -> %d\n", r.Time.Format("04:05.0"), r.Method+" "+r.Path, r.Query, r.Body, r.Status)
			}
		}
	}
	if s.other != nil {
		story.WriteString("--- the other service was asked for:\n")
		for _, r := range s.other.Journal() {
			fmt.Fprintf(&story, "    %s %s?%s %s -> %d\n", r.Time.Format("04:05.0"), r.Method+" "+r.Path, r.Query, r.Body, r.Status)
		}
	}
	return story.String()
}
