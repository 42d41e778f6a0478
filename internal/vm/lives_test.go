// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// longestLife is how many chapters of a life are lived.
const longestLife = 8

// FuzzLives lives whole lives of a machine. Each chapter has three edits of the configuration, something that somebody
// else does, and a trouble during the apply: a byte each, of which 0 is nothing, and one more for how it goes on. The
// judge is the next plan: after an apply that succeeds it is empty, and after one that fails the next apply ends there.
func FuzzLives(f *testing.F) {
	const all = 1 // this edit changes all that stops, erases and purges
	for i := range byte(6) {
		f.Add([]byte{
			0, 0, 0, 0, 0, 0,
			all, 0, 0, 6 * i, 20 * i, i,
			16 * i, 16*i + 5, 16*i + 10, 0, 20*i + 10, i,
		})
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		synctest.Test(t, func(t *testing.T) { newLife(t).live(script) })
	})
}

// life is that of one machine.
type life struct {
	t      *testing.T
	e      *acctest.Emulator
	config object
	o      *acctest.Object
}

func newLife(t *testing.T) *life {
	t.Helper()
	_, e := acctest.Drive(t, emulator.Options{BootTime: 34 * time.Second, ShutdownTime: 5 * time.Second, Guests: true, GuestBoot: 10 * time.Second}, nil)
	e.AddAccount("other", false)
	e.AddGroup("other", emulator.PrivateGroup, true)
	return &life{t: t, e: e, config: configured(mayStop, inPlace, given{"reimage.revision": "1"})}
}

// chapter is a part of a life.
type chapter struct {
	edits     []edit
	elsewhere event
	trouble   trouble
	waits     bool // until all is quiet after a failure
	restarts  bool // plan and apply are in two processes
}

// live lives the chapters of a script.
func (l *life) live(script []byte) {
	others, all := elsewhere(l.e), troubles()
	for n := 0; len(script) > 0 && n < longestLife && !l.t.Failed(); n++ {
		var b [6]byte
		script = script[copy(b[:], script):]
		c := chapter{elsewhere: pick(others, b[3]), trouble: pick(all, b[4]), waits: b[5]&1 > 0, restarts: b[5]&2 > 0}
		for _, which := range b[:3] {
			c.edits = append(c.edits, pick(edits, which))
		}
		if !l.readChapter(c) {
			return
		}
	}
}

func pick[T any](all []T, which byte) T { return all[int(which)%len(all)] }

// readChapter reports whether the life goes on. It ends if nothing but another configuration could help.
func (l *life) readChapter(c chapter) (goesOn bool) {
	if l.o != nil && c.elsewhere.do != nil {
		l.t.Logf("elsewhere: %s", c.elsewhere.name)
		c.elsewhere.do(l)
	}
	edited := l.config
	for _, e := range c.edits {
		edited = e.apply(edited)
	}
	l.t.Logf("the configuration is %v", edited)
	planning := l.e.NewDriver(l.t, nil)
	isMeantOn := l.isOn()
	plan := l.plan(planning, edited)
	if isHopeless(plan) {
		edited = l.config
		if plan = l.plan(planning, edited); isHopeless(plan) {
			return false
		}
	}
	l.config = edited
	if power, ok := edited["power_on"].(bool); ok {
		isMeantOn = power
	} else if plan.Action == acctest.ActionCreate || plan.Action == acctest.ActionReplace || edited["autoreboot_on"] == true {
		isMeantOn = true
	}
	if !l.apply(c, planning, plan) {
		return false
	}
	time.Sleep(2 * time.Minute)
	again := c.trouble.elsewhere || strings.Contains(acctest.DiagText(plan.Diagnostics), "the service starts it") // a later plan sees it
	if again && !l.apply(chapter{}, l.e.NewDriver(l.t, nil), l.plan(l.e.NewDriver(l.t, nil), l.config)) {
		return false
	}
	if is := l.isOn(); is != isMeantOn && !c.trouble.power {
		l.t.Errorf("at the end of the chapter the machine is on: %t, want %t", is, isMeantOn)
	}
	l.expectEmpty("at the end of the chapter")
	return true
}

// isHopeless reports whether a plan is refused, or warns of what the service refuses.
func isHopeless(plan *acctest.PlanResult) bool {
	return plan.Action == acctest.ActionError || strings.Contains(acctest.DiagText(plan.Diagnostics), "Too many discs of")
}

// apply applies a plan, and again until the next plan is empty. It reports whether that was possible.
func (l *life) apply(c chapter, planning *acctest.Driver, plan *acctest.PlanResult) bool {
	applying := planning
	if c.restarts {
		applying = l.e.NewDriver(l.t, nil)
	}
	l.e.ResetJournal()
	end := c.trouble.begin(l, applying)
	o, diags := applying.Apply(l.t.Context(), vmType, plan)
	end()
	l.o = o
	l.t.Logf("%s of %v in trouble %q: %s", plan.Action, plan.Changes(), c.trouble.name, acctest.DiagText(diags))
	l.checkMessages(acctest.DiagText(diags))
	if !acctest.HasErrors(diags) {
		if l.expectNothingPending(); plan.Action == acctest.ActionUpdate && !c.trouble.elsewhere {
			l.expectLastChange(plan)
		}
		if !c.trouble.elsewhere {
			l.expectEmpty("after the apply")
		}
		return true
	}
	if c.waits {
		time.Sleep(time.Minute)
	}
	for round := range 3 {
		if round == 2 {
			l.followAdvice()
		}
		d := l.e.NewDriver(l.t, nil)
		if plan = l.plan(d, l.config); plan.Action == acctest.ActionError {
			l.t.Errorf("after a failure, the plan is refused")
			return false
		}
		l.expectSettled(plan)
		o, diags := d.Apply(l.t.Context(), vmType, plan)
		l.o = o
		l.t.Logf("%s of %v: %s", plan.Action, plan.Changes(), acctest.DiagText(diags))
		if !acctest.HasErrors(diags) {
			l.expectNothingPending()
			l.expectEmpty("after the second apply")
			return true
		}
	}
	l.t.Errorf("the apply does not succeed without trouble")
	return false
}

// followAdvice does what the messages of failures advise, where an apply alone cannot succeed.
func (l *life) followAdvice() {
	time.Sleep(time.Minute) // an image may be being installed
	l.config = edit{set: given{"timeouts": nil, "shutdown_timeout": nil, "on_shutdown_timeout": nil}}.apply(l.config)
	if l.o != nil {
		l.change(func(m *emulator.Machine) { m.Deaf, m.IgnoresPowerdown = false, false })
	}
}

// plan refreshes and plans.
func (l *life) plan(d *acctest.Driver, config object) *acctest.PlanResult {
	var plan *acctest.PlanResult
	if l.o == nil {
		plan = d.Plan(l.t.Context(), vmType, nil, config)
	} else {
		plan = d.RefreshAndPlan(l.t.Context(), l.o, config)
	}
	text := acctest.DiagText(plan.Diagnostics)
	l.t.Logf("the plan: %s of %v, %s", plan.Action, plan.Changes(), text)
	l.checkMessages(text)
	return plan
}

// isOn reports whether the machine is on, or about to be.
func (l *life) isOn() bool {
	for _, m := range l.e.Machines() {
		if l.o != nil && fmt.Sprint(m.ID) == l.o.Get("id") {
			return !m.Deleted && (m.PowerOn || m.AutorebootOn)
		}
	}
	return false
}

// expectEmpty expects an empty plan of another process.
func (l *life) expectEmpty(when string) {
	if plan := l.plan(l.e.NewDriver(l.t, nil), l.config); !plan.Empty() {
		l.t.Errorf("%s, the plan is %s of %v", when, plan.Action, plan.Changes())
	}
}

// expectSettled: what is pending makes a plan that settles it.
func (l *life) expectSettled(plan *acctest.PlanResult) {
	if plan.Prior == nil || plan.Prior.Tainted || plan.Prior.Get("pending") == nil {
		return
	}
	if plan.Action != acctest.ActionUpdate || plan.Get("pending") != nil {
		l.t.Errorf("pending is %v, and the plan is %s to %v", plan.Prior.Get("pending"), plan.Action, plan.Get("pending"))
	}
}

func (l *life) expectNothingPending() {
	if l.o != nil && l.o.Get("pending") != nil {
		l.t.Errorf("after a success, pending is %v", l.o.Get("pending"))
	}
}

// expectLastChange compares what a plan has announced with what the service did.
func (l *life) expectLastChange(plan *acctest.PlanResult) {
	stops, erases, purges := false, 0, 0
	for _, r := range l.e.Journal() {
		if !r.Reached.Done {
			continue
		}
		switch {
		case (strings.HasSuffix(r.Path, "/signal") || strings.Contains(string(r.Body), `"power_on":false`)) && erases == 0:
			stops = true // after an image, the machine is stopped again
		case strings.HasSuffix(r.Path, "/reimage"):
			erases++
		case r.Method == http.MethodDelete && r.Reached.Disc != 0:
			purges++
		}
	}
	cost, _ := plan.Get("last_change").(map[string]any)
	erased, _ := cost["erases"].(map[string]any)
	purged, _ := cost["purges"].([]any)
	if (cost["stops"] != nil) != stops || len(erased) != erases || len(purged) != purges {
		l.t.Errorf("last_change is %v, and the service was asked for %v", plan.Get("last_change"), sent(l.e))
	}
}

// checkMessages checks what nobody may read.
func (l *life) checkMessages(text string) {
	if blamesProvider(text) || strings.Contains(text, "%!") || strings.Contains(text, "<nil>") || strings.Contains(text, "<null>") || strings.Contains(text, "<unknown>") {
		l.t.Errorf("a message: %s", text)
	}
}
