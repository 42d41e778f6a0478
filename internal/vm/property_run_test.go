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

// turn is what one run does with one slot.
type turn struct {
	*slot
	plan    *acctest.PlanResult
	config  object
	before  emulator.Machine // at the service, before the apply
	existed bool
	diags   []*tfprotov6.Diagnostic // of the plan if it was refused, else of the apply
	failed  bool
	forced  bool // -replace
}

// run is one `terraform apply`: a process that refreshes and plans everything,
// and, if nothing is refused, another one that applies it. It returns what was
// refused, or what failed.
func (l *life) run(fault *trouble, blurs bool) (refused, failed []*turn) {
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
		if blurs && !turn.forced { // the first run of several, and the next ones plan the same
			turn.agreed = turn.plan
		}
		turn.before, turn.existed = l.machine(turn.slot)
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

// planAll refreshes and plans everything, in any order. With a fault, a refresh
// may fail.
func (l *life) planAll(blurs bool, fault *trouble) []*turn {
	l.e.ResetJournal()
	d := l.process()
	var turns []*turn
	for _, i := range l.rng.Perm(len(l.slots)) {
		if turn := l.plan(d, l.slots[i], blurs, fault); turn != nil {
			turns = append(turns, turn)
		}
	}
	if writes := acctest.Unplanned(l.e.Journal(), nil); len(writes) > 0 {
		l.fail("refreshing and planning changed something: %v", writes)
	}
	return turns
}

func (l *life) plan(d *acctest.Driver, s *slot, blurs bool, fault *trouble) *turn {
	ctx := l.t.Context()
	prior, diags := d.Refresh(ctx, s.o)
	if acctest.HasErrors(diags) {
		if fault == nil || !fault.inPlan || fault.harmless || !prior.State.Equal(s.o.State) {
			l.fail("refresh %s:\n%s", s.name, acctest.DiagText(diags))
		}
		refused := &acctest.PlanResult{Action: acctest.ActionError, Prior: s.o, Diagnostics: diags}
		return l.planned(&turn{slot: s, plan: refused}, "")
	}
	l.judgeRefresh(s, prior, acctest.DiagText(diags))
	s.refreshed += acctest.DiagText(diags)
	if prior == nil && s.wish == nil {
		s.o = nil
		return nil
	}
	if s.wish == nil {
		return l.planned(&turn{slot: s, plan: d.Plan(ctx, vmType, prior, nil)}, "")
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
	return l.planned(&turn{slot: s, plan: plan, config: config, forced: forced}, fmt.Sprintf("unknown %v, ignoring %v", paths, s.wish.ignored))
}

// keepsDiscs: a disc whose id is in the state is the same disc, whatever happened
// to its label elsewhere.
func (l *life) keepsDiscs(s *slot, plan *acctest.PlanResult) {
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

func (l *life) planned(turn *turn, note string) *turn {
	l.tell("plan %s: %s of %v, %s\n    configuration %v", turn.name, turn.plan.Action, turn.plan.Changes(), note, turn.config)
	for _, d := range turn.plan.Diagnostics {
		l.tell("    %s: %s", d.Severity, d.Summary)
	}
	return turn
}

// applyAll applies all at once now and then, and always where names are passed
// on from one machine to another.
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
		l.tell("apply %s: %s%s", turn.name, map[bool]string{true: "failed\n", false: "done"}[turn.failed], strings.ReplaceAll(acctest.DiagText(turn.diags), "\n", "\n    "))
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

// again runs applies of a healthy service until all is as configured: once, or
// once more after whoever is responsible has done what the messages ask for.
func (l *life) again() {
	for attempt := range 4 {
		refused, failed := l.run(nil, false)
		if len(refused)+len(failed) == 0 {
			return
		}
		for _, turn := range append(refused, failed...) {
			if !legitimate(turn.diags) {
				l.fail("apply again, attempt %d: %s\n%s", attempt, turn.name, acctest.DiagText(turn.diags))
			}
			l.follow(turn, attempt)
		}
		l.clear()
		l.free()
	}
	l.fail("no configuration is accepted")
}

// follow does what the messages ask for.
func (l *life) follow(turn *turn, attempt int) {
	s := turn.slot
	s.agreed = nil
	advised := importAdvice.FindStringSubmatch(acctest.DiagText(turn.diags))
	switch {
	case s.o == nil && advised != nil && l.orphan(parsed(advised[1])):
		l.settle() // whoever does it takes a while, and the machine has booted
		imported, diags := l.process().Import(l.t.Context(), vmType, advised[1])
		if acctest.HasErrors(diags) {
			l.fail("the advice to import %s fails:\n%s", advised[1], acctest.DiagText(diags))
		}
		s.o = imported
		l.tell("imported %s as advised", advised[1])
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

// isElsewhere reports whether the state has a disc that is not on the machine any more,
// which the messages ask to give up.
func (l *life) isElsewhere(s *slot, label string, prior *acctest.Object) bool {
	m, _ := l.machine(s)
	for _, d := range blocksOf(prior.Get("disc")) {
		if d["label"] == label {
			return !slices.ContainsFunc(m.Discs, func(on emulator.Disc) bool { return idOf(on.ID) == d["id"] })
		}
	}
	return false
}

// orphan reports whether the machine is in no state, and nobody else's.
func (l *life) orphan(id int64) bool {
	_, others := l.others[id]
	m, ok := l.e.Machine(id)
	return ok && !m.Deleted && !others && !slices.ContainsFunc(l.slots, func(s *slot) bool { return s.o != nil && parsed(s.o.Get("id")) == id })
}

// importOne forgets a machine that is as configured, imports it, and plans: the
// first plan after an import sends nothing.
func (l *life) importOne() {
	s := one(l.rng, l.slots...)
	m, ok := l.machine(s)
	if !chance(l.rng, 5) || !ok || !s.calm || s.was == nil || s.wish == nil || len(s.wish.ignored) > 0 {
		return
	}
	if l.options.Answers.ObjectShapes && s.was.config["keymap"] != nil {
		return // the service shows a keymap in a form that nobody knows: the configured one is sent
	}
	if slices.ContainsFunc(m.Discs, func(d emulator.Disc) bool { return l.relabelled[d.ID] }) {
		return // the configured label would be sent
	}
	if slices.ContainsFunc(s.was.discs(), func(d object) bool {
		return d["storage_grade"] != nil && discOf(m, textOf(d["label"])).StorageGrade != d["storage_grade"]
	}) {
		return // regraded elsewhere: the configuration does not match
	}
	if image, ok := s.was.config["reimage"].(object); ok && m.LastImagedWith != "" && m.LastImagedWith != image["distribution"] {
		return // imaged elsewhere: the configured image would be installed
	}
	id := one(l.rng, fmt.Sprint(m.ID), m.Account+"/"+m.Group+"/"+m.Name)
	imported, diags := l.process().Import(l.t.Context(), vmType, id)
	if acctest.HasErrors(diags) {
		l.fail("import %s:\n%s", id, acctest.DiagText(diags))
	}
	l.tell("imported %s as %s", s.name, id)
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
