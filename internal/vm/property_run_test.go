package vm_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// turn is the part of one instance in a run.
type turn struct {
	*instance
	plan    *acctest.PlanResult
	config  object
	before  emulator.Machine // its machine before the apply
	existed bool
	diags   []*tfprotov6.Diagnostic // of the plan if it ended with an error, otherwise of the apply
	failed  bool
	forced  bool // -replace
}

// applyOnce does what one `terraform apply` does: one process refreshes and plans everything and, if all plans succeed,
// another process applies them. It returns the turns whose plan or apply failed.
func (l *life) applyOnce(fault *disturbance, blurs bool) (refused, failed []*turn) {
	disarm := func() {}
	if fault != nil && fault.inPlan {
		disarm = l.e.Inject(fault.Fault)
	}
	turns := l.planAll(blurs, fault)
	disarm()
	for _, turn := range turns {
		if turn.plan.Action == acctest.ActionError {
			turn.diags = turn.plan.Diagnostics
			refused = append(refused, turn)
		}
	}
	if len(refused) > 0 {
		return refused, nil
	}
	for _, turn := range turns {
		turn.o = turn.plan.Prior
		if blurs && !turn.forced { // the first run; the following ones plan the same
			turn.agreed = turn.plan
		}
		turn.before, turn.existed = l.machine(turn.instance)
	}
	before := l.e.Machines()
	l.e.ResetJournal()
	if fault != nil && !fault.inPlan {
		disarm = l.e.Inject(fault.Fault)
	}
	l.applyAll(turns)
	disarm()
	l.judge(turns, before)
	for _, turn := range turns {
		if turn.failed {
			failed = append(failed, turn)
		}
	}
	return nil, failed
}

// planAll refreshes and plans everything in random order. With a fault, a refresh may fail.
func (l *life) planAll(blurs bool, fault *disturbance) []*turn {
	l.e.ResetJournal()
	d := l.process()
	var turns []*turn
	for _, i := range l.rng.Perm(len(l.instances)) {
		if turn := l.plan(d, l.instances[i], blurs, fault); turn != nil {
			turns = append(turns, turn)
		}
	}
	if writes := acctest.Unplanned(l.e.Journal(), nil); len(writes) > 0 {
		l.fail("refreshing and planning changed something: %v", writes)
	}
	return turns
}

func (l *life) plan(d *acctest.Driver, s *instance, blurs bool, fault *disturbance) *turn {
	ctx := l.t.Context()
	prior, diags := d.Refresh(ctx, s.o)
	if acctest.HasErrors(diags) {
		if fault == nil || !fault.inPlan || fault.harmless || !prior.State.Equal(s.o.State) {
			l.fail("refresh %s:\n%s", s.name, acctest.DiagText(diags))
		}
		refused := &acctest.PlanResult{Action: acctest.ActionError, Prior: s.o, Diagnostics: diags}
		return l.recordPlan(&turn{instance: s, plan: refused}, "")
	}
	l.judgeRefresh(s, prior, acctest.DiagText(diags))
	s.refreshed += acctest.DiagText(diags)
	if prior == nil && s.wish == nil {
		s.o = nil
		return nil
	}
	if s.wish == nil {
		return l.recordPlan(&turn{instance: s, plan: d.Plan(ctx, vmType, prior, nil)}, "")
	}
	config := s.wish.config
	shown, paths := config, []string(nil)
	if blurs && chance(l.rng, 2) {
		shown, paths = s.wish.blur(l.rng)
	}
	ignore := acctest.IgnoreChanges(s.wish.ignored...)
	var plan *acctest.PlanResult
	forced := s.forced
	if forced && prior != nil {
		plan = d.PlanReplace(ctx, prior, shown, ignore)
	} else {
		plan = d.Plan(ctx, vmType, prior, shown, ignore)
	}
	s.forced = false
	l.keepsDiscs(s, plan)
	return l.recordPlan(&turn{instance: s, plan: plan, config: config, forced: forced}, fmt.Sprintf("unknown %v, ignoring %v", paths, s.wish.ignored))
}

// keepsDiscs checks that a disc whose ID is in the state keeps it in the plan, even if its label was changed outside
// Terraform.
func (l *life) keepsDiscs(s *instance, plan *acctest.PlanResult) {
	m, ok := l.machine(s)
	if !ok || plan.Action != acctest.ActionUpdate && plan.Action != acctest.ActionNoOp {
		return
	}
	for _, had := range blocksOf(s.o.Get("disc")) {
		there := slices.ContainsFunc(m.Discs, func(d emulator.Disc) bool { return d.ID == parsed(had["id"]) })
		for _, planned := range blocksOf(plan.Get("disc")) {
			if there && planned["label"] == had["label"] && planned["id"] != had["id"] {
				l.fail("disc %v, %v in the state, is planned as %v", had["label"], had["id"], planned["id"])
			}
		}
	}
}

func (l *life) recordPlan(turn *turn, note string) *turn {
	l.record("plan %s: %s of %v, %s\n    configuration %v", turn.name, turn.plan.Action, turn.plan.Changes(), note, turn.config)
	for _, d := range turn.plan.Diagnostics {
		l.record("    %s: %s", d.Severity, d.Summary)
	}
	return turn
}

// applyAll applies all plans, in some runs at the same time, and always at the same time if a machine gets the name of
// another one.
func (l *life) applyAll(turns []*turn) {
	d := l.process()
	var wait sync.WaitGroup
	together := chance(l.rng, 4) || passesNames(turns)
	for _, turn := range turns {
		apply := func() { l.apply(d, turn) }
		if together {
			wait.Go(apply)
		} else {
			apply()
		}
	}
	wait.Wait()
	for _, turn := range turns {
		l.record("apply %s: %s%s", turn.name, map[bool]string{true: "failed\n", false: "done"}[turn.failed], strings.ReplaceAll(acctest.DiagText(turn.diags), "\n", "\n    "))
	}
	for _, r := range l.e.Journal() {
		line := fmt.Sprintf("    %s %s?%s %s -> %d (%+v)", r.Method, r.Path, r.Query, r.Body, r.Status, r.Reached)
		if (r.Method != "GET" || r.Status >= 400 || r.Status == 0) && l.story[len(l.story)-1] != line {
			l.story = append(l.story, line)
		}
	}
}

func (l *life) apply(d *acctest.Driver, turn *turn) {
	ctx := l.t.Context()
	var diags []*tfprotov6.Diagnostic
	if turn.config == nil {
		turn.o, diags = d.Apply(ctx, vmType, turn.plan)
	} else {
		turn.o, diags = d.ApplyWith(ctx, turn.plan, turn.config)
	}
	turn.diags, turn.failed = diags, acctest.HasErrors(diags)
}

func passesNames(turns []*turn) bool {
	had := map[any]bool{}
	for _, turn := range turns {
		if turn.existed {
			had[turn.before.Name] = true
		}
	}
	return slices.ContainsFunc(turns, func(t *turn) bool {
		return t.config != nil && (!t.existed || t.before.Name != t.config["name"]) && had[t.config["name"]]
	})
}

// applyAgain applies without faults until everything is as configured. After an error, it first does what the messages
// ask for.
func (l *life) applyAgain() {
	for attempt := range 4 {
		refused, failed := l.applyOnce(nil, false)
		if len(refused)+len(failed) == 0 {
			return
		}
		for _, turn := range append(refused, failed...) {
			if !isLegitimate(turn.diags) {
				l.fail("apply again, attempt %d: %s\n%s", attempt, turn.name, acctest.DiagText(turn.diags))
			}
			l.followAdvice(turn, attempt)
		}
		l.clearObstacles()
		l.separateNames()
	}
	l.fail("no configuration is accepted")
}

// followAdvice does what the messages of a failed turn ask for.
func (l *life) followAdvice(turn *turn, attempt int) {
	s := turn.instance
	s.agreed = nil
	advised := importAdvice.FindStringSubmatch(acctest.DiagText(turn.diags))
	switch {
	case s.o == nil && advised != nil && l.orphan(parsed(advised[1])):
		l.rest() // a user needs some time, in which the machine boots
		imported, diags := l.process().Import(l.t.Context(), vmType, advised[1])
		if acctest.HasErrors(diags) {
			l.fail("the advice to import %s fails:\n%s", advised[1], acctest.DiagText(diags))
		}
		s.o = imported
		l.record("imported %s as advised", advised[1])
	case attempt == 0 && s.was != nil:
		s.wish = s.was
	case s.o == nil && s.wish != nil:
		w := s.wish.clone()
		l.groups[0].put(w)
		w.set("ips", nil)
		if w.set("name", fmt.Sprintf("fresh-%s%d", s.name, attempt)); s.was == nil {
			w.set("disc", discs("vda:25600"))
		}
		s.wish = &w
	case s.o != nil:
		prior, diags := l.process().Refresh(l.t.Context(), s.o)
		if acctest.HasErrors(diags) || prior == nil {
			return
		}
		state, _ := prior.Get("").(map[string]any)
		labels := 0
		if s.wish != nil {
			labels = s.wish.labels
		}
		w := wishOf(state, labels)
		w.set("disc", slices.DeleteFunc(w.discs(), func(d object) bool { return l.isElsewhere(s, textOf(d["label"]), prior) }))
		s.wish = &w
	}
}

// isElsewhere reports whether the state has a disc that is no longer on the machine. The messages ask to remove it from
// the configuration.
func (l *life) isElsewhere(s *instance, label string, prior *acctest.Object) bool {
	m, _ := l.machine(s)
	for _, d := range blocksOf(prior.Get("disc")) {
		if d["label"] == label {
			return !slices.ContainsFunc(m.Discs, func(on emulator.Disc) bool { return idOf(on.ID) == d["id"] })
		}
	}
	return false
}

// orphan reports whether the machine is in no state although this test created it.
func (l *life) orphan(id int64) bool {
	_, others := l.others[id]
	m, ok := l.e.Machine(id)
	return ok && !m.Deleted && !others && !slices.ContainsFunc(l.instances, func(s *instance) bool { return s.o != nil && parsed(s.o.Get("id")) == id })
}

// reimport removes a machine that is as configured from the state, imports it, and checks that the next apply sends
// nothing.
func (l *life) reimport() {
	s := pick(l.rng, l.instances...)
	m, ok := l.machine(s)
	if !chance(l.rng, 5) || !ok || !s.calm || s.was == nil || s.wish == nil || len(s.wish.ignored) > 0 {
		return
	}
	if l.options.Answers.ObjectShapes && s.was.config["keymap"] != nil {
		return // the service reports the keymap in an unspecified form, so the configured one is sent
	}
	if slices.ContainsFunc(m.Discs, func(d emulator.Disc) bool { return l.relabelled[d.ID] }) {
		return // the configured label would be sent
	}
	if slices.ContainsFunc(s.was.discs(), func(d object) bool {
		return d["storage_grade"] != nil && discOf(m, textOf(d["label"])).StorageGrade != d["storage_grade"]
	}) {
		return // its grade was changed outside Terraform, so the configuration does not match
	}
	if image, ok := s.was.config["reimage"].(object); ok && m.LastImagedWith != "" && m.LastImagedWith != image["distribution"] {
		return // it was imaged outside Terraform, so the configured image would be installed
	}
	id := pick(l.rng, fmt.Sprint(m.ID), m.Account+"/"+m.Group+"/"+m.Name)
	imported, diags := l.process().Import(l.t.Context(), vmType, id)
	if acctest.HasErrors(diags) {
		l.fail("import %s:\n%s", id, acctest.DiagText(diags))
	}
	l.record("imported %s as %s", s.name, id)
	s.o, s.wish = imported, s.was
	l.e.ResetJournal()
	d := l.process()
	prior := d.MustRefresh(l.t.Context(), s.o)
	plan := d.Plan(l.t.Context(), vmType, prior, s.wish.config)
	if plan.Action != acctest.ActionNoOp && plan.Action != acctest.ActionUpdate {
		l.fail("the plan after an import: %s of %v\n%s", plan.Action, plan.Changes(), acctest.DiagText(plan.Diagnostics))
	}
	if s.o, diags = l.process().Apply(l.t.Context(), vmType, plan); acctest.HasErrors(diags) {
		l.fail("the apply after an import:\n%s", acctest.DiagText(diags))
	}
	if sent := acctest.Unplanned(l.e.Journal(), nil); len(sent) > 0 {
		l.fail("the apply after an import sends %v", sent)
	}
}
