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
	sequences = 90
	lifetime  = 4 // configurations of a sequence
)

// TestPropertyWhatThePlanShowsIsWhatTheApplyDoes takes machines through random
// configurations, at services that use the freedoms of the API, beside machines
// of others, changed elsewhere, with values that are known only at apply, with
// ignore_changes, and with requests that fail. After every step nothing may have
// been asked of the service that the plan did not account for, no data lost that
// it did not name, and no other object reached. In the end the machines are as
// planned, and the next plan is empty.
//
// The seeds are fixed. PROPERTY_SEED=n repeats the sequence that a failure names,
// or n:m several, and PROPERTY_SEED=random draws others.
func TestPropertyWhatThePlanShowsIsWhatTheApplyDoes(t *testing.T) {
	t.Parallel()
	first, count := seeds(t)
	t.Logf("seeds %d to %d", first, first+count-1)
	for seed := first; seed < first+count; seed++ {
		t.Run(fmt.Sprintf("PROPERTY_SEED=%d", seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				newLife(t, rand.New(rand.NewPCG(seed, 0))).live()
				time.Sleep(time.Hour) // what the processes leave running ends by itself
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

// live takes the machines through their life, and destroys them.
func (l *life) live() {
	for step := range lifetime {
		l.tell("step %d", step)
		if step > 0 && chance(l.rng, 2) {
			for range 1 + l.rng.IntN(2) {
				l.elsewhere()
			}
		}
		l.importOne()
		l.draw(step)
		l.converge(true)
	}
	for _, s := range l.slots {
		s.wish = nil
	}
	l.tell("destroy")
	l.converge(chance(l.rng, 2))
	if refused, failed := l.run(nil, false); len(refused)+len(failed) > 0 {
		l.fail("not destroyed")
	}
}

// draw draws the next configurations.
func (l *life) draw(step int) {
	for _, s := range l.slots {
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
			next.set("deletion_protection", one[any](l.rng, nil, true))
			s.wish = &next
		case !chance(l.rng, 4):
			next := l.mutate(*s.wish)
			if chance(l.rng, 3) {
				l.ignore(&next)
			}
			s.wish = &next
		}
	}
	for _, s := range l.slots {
		if s.wish != nil && chance(l.rng, 8) {
			w := s.wish.clone()
			l.drawIPs(s, w)
			s.wish = &w
		}
	}
	if !chance(l.rng, 10) { // two machines of one name, now and then
		l.free()
	}
	if chance(l.rng, 3) { // swapped, or passed on
		a, b := one(l.rng, l.slots...), one(l.rng, l.slots...)
		if a.wish != nil && b.wish != nil && a != b && a.was != nil && b.was != nil {
			v, w := a.wish.clone(), b.wish.clone()
			v.set("name", b.was.name())
			w.set("name", one(l.rng, a.was.name(), "chain-end"))
			a.wish, b.wish = &v, &w
		}
	}
}

// converge applies, perhaps with a fault, and applies again until all is well.
func (l *life) converge(mayFail bool) {
	var fault *trouble
	if mayFail && chance(l.rng, 2) {
		fault = l.drawTrouble()
	}
	if fault != nil {
		l.tell("fault: %s", fault.name)
	}
	for _, s := range l.slots {
		s.agreed = nil
	}
	refused, failed := l.run(fault, true)
	mayDisturb := fault != nil && !fault.harmless
	for _, turn := range refused {
		text := acctest.DiagText(turn.diags)
		if mayDisturb && fault.inPlan {
			if blamesProvider(text) {
				l.fail("plan %s: an error that a user cannot act on:\n%s", turn.name, text)
			}
			continue
		}
		if !legitimate(turn.diags) {
			l.fail("plan %s: an error that a user cannot act on:\n%s", turn.name, text)
		}
		l.follow(turn, 0)
	}
	for _, turn := range failed {
		if turn.plan.Action == acctest.ActionReplace {
			turn.agreed = nil // values that were not known yet need not replace it now
		}
		if text := acctest.DiagText(turn.diags); blamesProvider(text) || !mayDisturb && !legitimate(turn.diags) {
			l.fail("apply %s: an error that a user cannot act on:\n%s", turn.name, text)
		} else if m := l.holder(turn); fault == nil && strings.Contains(text, "already been taken") && !strings.Contains(text, "soft-deleted machine") && m != "" {
			l.fail("apply %s: %s has the name, and gives it up in the same apply:\n%s", turn.name, m, text)
		}
	}
	if len(refused)+len(failed) > 0 {
		l.again()
	}
	l.settled()
	for _, s := range l.slots {
		if s.calm = true; s.wish != nil {
			done := s.wish.clone()
			s.was = &done
		}
	}
}

// holder returns the other resource that had the name before the apply, and has
// given it up since.
func (l *life) holder(turn *turn) string {
	for _, s := range l.slots {
		if m, ok := l.machine(s); s != turn.slot && s.was != nil && turn.wish != nil && s.was.name() == turn.wish.name() && ok && m.Name != s.was.name() {
			return s.name
		}
	}
	return ""
}
