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
	oneCase = flag.String("case", "", "run only the cases of TestOthers whose names contain this")
)

// TestOthers lets somebody else take a step in each gap between two requests of each task. The results are judged by
// promises, which hold whatever somebody else does.
//
// Tasks, gaps, steps and promises are tables in the files others_*_test.go. Another table has the cases in which a promise
// cannot be kept. The test fails if one of them no longer occurs.
func TestOthers(t *testing.T) {
	t.Parallel()
	drawn := cmp.Or(*seed, uint64(time.Now().UnixNano()))
	t.Logf("gaps after a failed request are drawn with -seed %d", drawn)
	var mu sync.Mutex
	var lines []line
	var found []finding
	t.Run("of", func(t *testing.T) {
		for _, work := range tasks() {
			t.Run(work.name, func(t *testing.T) {
				t.Parallel()
				l, more := work.sweep(t, drawn)
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
	reportFindings(t, lines, found, drawn)
}

// otherCase is a step that somebody else takes in a gap of a task.
type otherCase struct {
	task task
	gap  gap
	step step
}

func (o otherCase) String() string { return o.task.name + " | " + o.gap.String() + " | " + o.step.name }

// finding is a broken promise.
type finding struct {
	promise promise
	in      otherCase
	what    string // what happened
	story   string // the messages and requests
}

// othersStride and the number of steps have no common divisor, so that a sample has cases of each step.
const othersStride = 61

// sweep runs the cases of a task. It returns their line in the table, and the findings.
func (t task) sweep(tt *testing.T, seed uint64) (l line, found []finding) {
	var from begun
	synctest.Test(tt, func(tt *testing.T) { from = t.prepared(tt) })
	l.name = lineName(t.name)
	known := 0
	for _, c := range t.sample(t.cases(from, seed)) {
		synctest.Test(tt, func(tt *testing.T) {
			more, acted := c.run(tt, from)
			if acted {
				l.cases++
			}
			for _, f := range more {
				if isKnown(f) {
					known++
				} else {
					*f.promise.column(&l.counts)++
				}
			}
			found = append(found, more...)
			time.Sleep(time.Hour) // background work of the processes ends by itself
		})
	}
	if known > 0 {
		l.notes = fmt.Sprintf("%d known", known)
	}
	return l, found
}

// lineName returns the name of a task's line in the table.
func lineName(task string) string { return "others: " + task }

// cases returns the cases of a task: each step in each gap and, with -full, some with a failed request before the step.
func (t task) cases(from begun, seed uint64) (all []otherCase) {
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
				all = append(all, otherCase{t, g, s})
			}
		}
	}
	return all
}

// sample returns the cases that are run, including the witnesses of all known findings.
func (t task) sample(all []otherCase) []otherCase {
	if *oneCase != "" {
		return slices.DeleteFunc(all, func(c otherCase) bool { return !strings.Contains(c.String(), *oneCase) })
	}
	some := sample(all, othersStride)
	for _, c := range all {
		if isWitness(c) && !slices.ContainsFunc(some, func(o otherCase) bool { return o.String() == c.String() }) {
			some = append(some, c)
		}
	}
	return some
}

// run runs one case: the task with the step, and the task again when nothing is under way. It reports false if there was
// nothing to do for the step.
func (o otherCase) run(t *testing.T, from begun) (found []finding, acted bool) {
	s := newScene(t, o.task, o.step.credentials)
	s.step = o.step
	s.replay(from)
	running := true
	s.gate.arm(o.gap, func() {
		if running {
			s.stepped.requests, s.stepped.at = len(s.service.Journal()), time.Now()
			s.stepped.taken = o.step.do(s)
		}
	})
	first := s.run()
	running = false
	if s.gate.disarm(); !s.stepped.taken {
		return nil, false
	}
	s.calm()
	note := func(p promise, c *course, what []string) {
		for _, text := range what {
			found = append(found, finding{p, o, text, s.tell(first, c)})
		}
	}
	for _, p := range promises() {
		if p.judge != nil && (p.name == othersKeep || !s.isMisled(first)) {
			note(p, first, p.judge(s, first))
		}
	}
	if s.isMisled(first) || o.task.may != nil || len(found) > 0 { // an action is not invoked again, and a finding has many consequences
		return found, true
	}
	s.theirs.settle(s)
	second := s.again()
	for _, p := range promises() {
		switch {
		case p.name == nextGoesOn:
			note(p, second, s.goesOn(second))
		case !p.once:
			note(p, second, p.judge(s, second))
		}
	}
	return found, true
}

// again runs the task again. If a request failed, and the error advises to import what it may have created, again follows
// the advice and runs the task once more.
func (s *scene) again() *course {
	c := s.run()
	s.calm()
	subject := s.parts[s.task.subject]
	advised := importID.FindStringSubmatch(acctest.DiagText(c.diags))
	for _, p := range s.parts { // the error may be about another part
		if m, ok := s.adviceOn(advised); ok && p.after != nil && p.after["name"] == m.Name {
			subject = p
		}
	}
	if s.gate.gap.first == nil || !acctest.HasErrors(c.diags) || advised == nil || subject.state != nil || s.theirs.answersTo(advised[1]) {
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
		if toldApart := s.ledAstray && strings.Contains(said, origin.AnotherService); s.step.trouble && !toldApart {
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
	if s.task.do != nil || !changes && !s.task.noRefresh { // the plan of this run was empty already
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
