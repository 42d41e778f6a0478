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
	forced  bool  // -replace
	late    int64 // disc that somebody attached after the plan; 0: none
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
	l.judgeNames(turns)
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
	if blurs && len(turns) > 0 && chance(l.besides, 4) {
		l.attachLate(one(l.besides, turns...))
	}
	before := l.e.Machines()
	l.e.ResetJournal()
	if fault != nil && !fault.inPlan {
		disarm = l.e.Inject(fault.Fault)
		if fault.also.Match != nil {
			defer l.e.Inject(fault.also)()
		}
	}
	l.applyAll(turns)
	disarm()
	l.judge(turns, before)
	if fault != nil && fault.back {
		l.owes(turns)
	}
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
	config := s.wish.config()
	shown, paths := config, []string(nil)
	if blurs && chance(l.rng, 2) {
		shown, paths = blur(l.rng, config, acctest.Unknown)
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
	l.judgeOwed(s, plan)
	if forced && prior != nil && !prior.Tainted && plan.Action != acctest.ActionError && (prior.Get("deletion_protection") == true || config["deletion_protection"] == true && !slices.Contains(s.wish.ignored, "deletion_protection") && !slices.Contains(s.wish.ignored, "all")) {
		l.fail("%s is protected, and replaced by force", s.name)
	}
	if plan.Action == acctest.ActionReplace && !forced && !prior.Tainted {
		l.staysWhereItWas(plan, config)
		if len(s.wish.ignored) == 0 { // otherwise the provider takes the prior values for configured ones
			l.saysWhatIsChosen(plan, config)
		}
	}
	return l.planned(&turn{slot: s, plan: plan, config: config, forced: forced}, fmt.Sprintf("unknown %v", paths))
}

// staysWhereItWas: a replacement is created where the machine was, unless the
// configuration says where.
func (l *life) staysWhereItWas(plan *acctest.PlanResult, config object) {
	for _, name := range []string{"account", "group"} {
		if config["account"] == nil && config["group"] == nil && config["group_id"] == nil && plan.Get(name) != plan.Prior.Get(name) {
			l.fail("a replacement goes from %s %v to %v unasked", name, plan.Prior.Get(name), plan.Get(name))
		}
	}
}

// saysWhatIsChosen: a replacement names what the service chooses again.
func (l *life) saysWhatIsChosen(plan *acctest.PlanResult, config object) {
	for _, name := range []string{"cores", "memory", "hardware_profile", "zone_name"} {
		if said := fmt.Sprintf("  %s = ", name); config[name] == nil && plan.Prior.Get(name) != nil && !strings.Contains(acctest.DiagText(plan.Warnings()), said) {
			l.fail("a replacement does not say that %s is chosen again:\n%s", name, acctest.DiagText(plan.Warnings()))
		}
	}
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
	l.tell("plan %s: %s of %v, ignoring %v, %s\n    configuration %v", turn.name, turn.plan.Action, turn.plan.Changes(), ignoredBy(turn.wish), note, turn.config)
	for _, d := range turn.plan.Diagnostics {
		l.tell("    %s: %s", d.Severity, d.Summary)
		l.count(fmt.Sprintf("plan %s: %s", d.Severity, kindOfMessage(d.Summary)))
	}
	l.count("plan: " + string(turn.plan.Action))
	return turn
}

func ignoredBy(w *wish) []string {
	if w == nil {
		return nil
	}
	return w.ignored
}

// kindOfMessage is a summary without the names in it.
func kindOfMessage(summary string) string {
	parts := strings.Split(summary, `"`)
	for i := 1; i < len(parts); i += 2 {
		parts[i] = "…"
	}
	return strings.Join(parts, `"`)
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
			l.count("again: " + kindOfMessage(acctest.Errors(turn.diags)[0].Summary))
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
	case s.o != nil && s.o.Tainted && strings.Contains(acctest.DiagText(turn.diags), "terraform untaint"):
		s.o = s.o.Untaint()
		l.tell("untainted %s as advised", s.name)
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
		w.account, w.group, w.groupID, w.name, w.ipv4 = "demo", "default", "", fmt.Sprintf("fresh-%s%d", s.name, attempt), ""
		if s.was == nil {
			w.discs = []discWish{{label: "vda", size: 25600}}
		}
		s.wish = &w
	case s.o != nil:
		prior, diags := l.process().Refresh(l.t.Context(), s.o)
		if acctest.HasErrors(diags) || prior == nil {
			return
		}
		state, _ := prior.Get("").(map[string]any)
		before := wish{}
		if s.wish != nil {
			before = *s.wish
		}
		w := wishOf(state, before)
		s.wish = &w
	}
}

// orphan reports whether the machine is in no state, and nobody else's.
func (l *life) orphan(id int64) bool {
	_, others := l.others[id]
	m, ok := l.e.Machine(id)
	return ok && !m.Deleted && !others && !slices.ContainsFunc(l.slots, func(s *slot) bool { return s.o != nil && idIn(map[string]any{"id": s.o.Get("id")}) == id })
}
