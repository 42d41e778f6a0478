package vm_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

const (
	sequences = 60
	lifetime  = 4 // configurations of a sequence
)

// TestPropertyWhatThePlanShowsIsWhatTheApplyDoes applies random configurations one after another: to services that use
// the freedoms of the API, next to machines of others, after changes outside Terraform, with values that are known only
// after apply, with ignore_changes, and with requests that fail. After every step it checks that all requests were in
// the plan, that no data was lost which the plan did not name, and that no request reached another object. In the end
// the machines are as planned, and the next plan is empty.
//
// The seeds are fixed. PROPERTY_SEED=n repeats the sequence that a failure names, PROPERTY_SEED=n:m repeats several,
// and PROPERTY_SEED=random draws others.
func TestPropertyWhatThePlanShowsIsWhatTheApplyDoes(t *testing.T) {
	t.Parallel()
	first, count := seeds(t)
	t.Logf("seeds %d to %d", first, first+count-1)
	for seed := first; seed < first+count; seed++ {
		t.Run(fmt.Sprintf("PROPERTY_SEED=%d", seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				newLife(t, rand.New(rand.NewPCG(seed, 0))).live()
				time.Sleep(time.Hour) // background work of the processes ends by itself
			})
		})
	}
}

// seeds returns those of the environment, or the fixed ones.
func seeds(t *testing.T) (first, count uint64) {
	t.Helper()
	text := os.Getenv("PROPERTY_SEED")
	if text == "" {
		return 1, sequences
	}
	if text == "random" {
		return uint64(time.Now().UnixNano()), 10 * sequences
	}
	var last uint64
	if n, _ := fmt.Sscanf(text, "%d:%d", &first, &last); n == 0 || n == 2 && last < first {
		t.Fatalf("PROPERTY_SEED=%s is not a number, a range such as 1:20, or random", text)
	}
	return first, max(last, first) - first + 1
}

// live applies several configurations, and destroys the machines at the end.
func (l *life) live() {
	for step := range lifetime {
		l.record("step %d", step)
		if step > 0 && chance(l.rng, 2) {
			for range 1 + l.rng.IntN(2) {
				l.changeElsewhere()
			}
		}
		l.reimport()
		l.draw(step)
		l.converge(true)
	}
	for _, s := range l.instances {
		s.wish = nil
	}
	l.record("destroy")
	l.converge(chance(l.rng, 2))
	if refused, failed := l.applyOnce(nil, false); len(refused)+len(failed) > 0 {
		l.fail("not destroyed")
	}
}

// draw draws the next configurations.
func (l *life) draw(step int) {
	for _, s := range l.instances {
		switch {
		case step == 0:
		case s.wish == nil:
			again := l.mutate(*s.was)
			again.set("deletion_protection", nil)
			s.wish = &again
		case chance(l.rng, 12):
			s.wish = nil
		case chance(l.rng, 20):
			s.forced = true
			next := s.wish.clone()
			next.set("deletion_protection", pick[any](l.rng, nil, true))
			s.wish = &next
		case !chance(l.rng, 4):
			next := l.mutate(*s.wish)
			if chance(l.rng, 3) {
				l.ignore(&next)
			}
			s.wish = &next
		}
	}
	for _, s := range l.instances {
		if s.wish != nil && chance(l.rng, 8) {
			w := s.wish.clone()
			l.drawIPs(s, w)
			s.wish = &w
		}
	}
	if !chance(l.rng, 10) { // in one of ten cases, two machines may want the same name
		l.separateNames()
	}
	if chance(l.rng, 3) { // two machines swap names, or one gets the name of the other
		a, b := pick(l.rng, l.instances...), pick(l.rng, l.instances...)
		if a.wish != nil && b.wish != nil && a != b && a.was != nil && b.was != nil {
			v, w := a.wish.clone(), b.wish.clone()
			v.set("name", b.was.name())
			w.set("name", pick(l.rng, a.was.name(), "chain-end"))
			a.wish, b.wish = &v, &w
		}
	}
}

// converge applies, perhaps with a fault, and applies again until everything is as configured.
func (l *life) converge(mayFail bool) {
	var fault *disturbance
	if mayFail && chance(l.rng, 2) {
		fault = l.drawDisturbance()
	}
	if fault != nil {
		l.record("fault: %s", fault.name)
	}
	for _, s := range l.instances {
		s.agreed = nil
	}
	refused, failed := l.applyOnce(fault, true)
	mayDisturb := fault != nil && !fault.harmless
	for _, turn := range refused {
		text := acctest.DiagText(turn.diags)
		if mayDisturb && fault.inPlan {
			if blamesProvider(text) {
				l.fail("plan %s: an error that a user cannot act on:\n%s", turn.name, text)
			}
			continue
		}
		if !isLegitimate(turn.diags) {
			l.fail("plan %s: an error that a user cannot act on:\n%s", turn.name, text)
		}
		l.followAdvice(turn, 0)
	}
	for _, turn := range failed {
		if turn.plan.Action == acctest.ActionReplace {
			turn.agreed = nil // values that were unknown then may not require a replacement now
		}
		if text := acctest.DiagText(turn.diags); blamesProvider(text) || !mayDisturb && !isLegitimate(turn.diags) {
			l.fail("apply %s: an error that a user cannot act on:\n%s", turn.name, text)
		} else if m := l.holder(turn); fault == nil && strings.Contains(text, "already been taken") && !strings.Contains(text, "soft-deleted machine") && m != "" {
			l.fail("apply %s: %s had the name, and was renamed in the same apply:\n%s", turn.name, m, text)
		}
	}
	if len(refused)+len(failed) > 0 {
		l.applyAgain()
	}
	l.expectConverged()
	for _, s := range l.instances {
		if s.calm = true; s.wish != nil {
			done := s.wish.clone()
			s.was = &done
		}
	}
}

// holder returns the other instance that had the name before the apply, and no longer has it.
func (l *life) holder(turn *turn) string {
	for _, s := range l.instances {
		if m, ok := l.machine(s); s != turn.instance && s.was != nil && turn.wish != nil && s.was.name() == turn.wish.name() && ok && m.Name != s.was.name() {
			return s.name
		}
	}
	return ""
}
