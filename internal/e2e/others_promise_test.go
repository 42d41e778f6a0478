package e2e_test

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// promise is what the provider promises whatever somebody else does, and how a run is judged by it.
type promise struct {
	name   string
	column func(*counts) *int // in the table of results
	judge  func(s *scene, c *course) []string
	once   bool // only the first run is judged, not the next one, during which nothing happens
	faults bool // it is about faults alone
	early  bool // it is judged at once after a run with a fault, while the service may still be at work
}

// isOf reports whether the promise is judged after the first run of a case.
func (p promise) isOf(o sweepCase, first *course) bool {
	if !o.isFault() {
		return !p.faults
	}
	return p.early || p.faults && p.once
}

// The promises, as the list of expected findings names them.
const (
	planShows   = "nothing that the plan did not show"
	othersKeep  = "nothing of others lost"
	staysSet    = "nothing overwritten that the plan did not see"
	allTracked  = "nothing untracked without an error that names it"
	powerStays  = "powered as before, or the debt kept and told"
	stateTrue   = "no state that says what is not so"
	wordsTrue   = "no message that says what is not so"
	noTaint     = "nothing tainted by what passes"
	endsInTime  = "an end in bounded time"
	nextGoesOn  = "the next apply goes on"
	costsNone   = "what passes costs nothing"
	refusalTold = "an error says what the service answered"
	errorsHelp  = "an error names its object, the call and the way on"
	noSecrets   = "no secret shown, and nothing sent elsewhere"
	asHealthy   = "the end that it would have had without the fault"
)

// promises returns all promises, each of which is judged after each run. To add a promise, add a row.
func promises() []promise {
	return []promise{
		{name: planShows, column: func(c *counts) *int { return &c.unplanned }, judge: (*scene).judgeShown, early: true},
		{name: othersKeep, column: func(c *counts) *int { return &c.lost }, judge: (*scene).judgeKept},
		{name: staysSet, column: func(c *counts) *int { return &c.lost }, judge: (*scene).judgeOverwritten, once: true},
		{name: allTracked, column: func(c *counts) *int { return &c.orphans }, judge: (*scene).judgeTracked},
		{name: powerStays, column: func(c *counts) *int { return &c.power }, judge: (*scene).judgePower, once: true},
		{name: stateTrue, column: func(c *counts) *int { return &c.untrue }, judge: (*scene).judgeState},
		{name: wordsTrue, column: func(c *counts) *int { return &c.untrue }, judge: (*scene).judgeWords, early: true},
		{name: noTaint, column: func(c *counts) *int { return &c.tainted }, judge: (*scene).judgeTaint, once: true},
		{name: costsNone, column: func(c *counts) *int { return &c.stuck }, judge: (*scene).judgeCost, once: true},
		{name: endsInTime, column: func(c *counts) *int { return &c.endless }, judge: (*scene).judgeEnd, early: true},
		{name: refusalTold, column: func(c *counts) *int { return &c.untrue }, judge: (*scene).judgeTold, once: true},
		{name: errorsHelp, column: func(c *counts) *int { return &c.untrue }, judge: (*scene).judgeHelp, faults: true, once: true},
		{name: noSecrets, column: func(c *counts) *int { return &c.leaks }, judge: (*scene).judgeSecrets, early: true},
		{name: asHealthy, column: func(c *counts) *int { return &c.orphans }, judge: (*scene).judgeHealthy, faults: true},
		{name: nextGoesOn, column: func(c *counts) *int { return &c.stuck }}, // goesOn judges it in the next run
	}
}

// judgeShown checks that every request that changed something is in a plan, or is one that the action may send, and that
// the provider broke no rule of Terraform's core.
func (s *scene) judgeShown(c *course) (all []string) {
	var promised []acctest.Promise
	if s.task.may != nil {
		promised = s.task.may(s)
	}
	for _, plan := range c.plans {
		if plan != nil {
			promised = append(promised, acctest.Promises(plan)...)
		}
	}
	requests, restores := s.requests(c), 0
	for _, request := range acctest.Unplanned(requests, promised) {
		all = append(all, "no plan accounts for "+request)
	}
	for _, r := range requests {
		if r.Reached.Done && r.Method == http.MethodPut && strings.Contains(r.Path, "/backups/") {
			restores++
		}
	}
	if restores > 1 {
		all = append(all, fmt.Sprintf("the backup was restored %d times", restores))
	}
	return append(all, c.broken...)
}

// judgeKept checks that the objects of somebody else exist, and also the discs of the task's machines, unless the plan
// names them. What somebody else has created may be in the state only if a warning says so.
func (s *scene) judgeKept(c *course) []string {
	all := s.lost(c)
	exists := discsOf(s.service.Machines())
	for _, m := range c.before {
		for _, d := range m.Discs {
			if s.theirs.discs[d.ID] == "" && !exists[d.ID] && !s.stepped.removed[d.ID] && !s.isShown(c, d) {
				all = append(all, fmt.Sprintf("disc %d %q of machine %d is destroyed, and no plan names it", d.ID, d.Label, m.ID))
			}
		}
	}
	for _, p := range s.parts {
		if (p.typeName() == vmType && s.theirs.has(p.id()) || p.kind == groupType && s.theirs.groups[p.id()] != "") &&
			!acctest.Warning("", "").IsIn(c.diags, text(p.id())) && !s.adopted[p.id()] {
			all = append(all, fmt.Sprintf("%s %d, which somebody else has created, is in the state, and no warning says so", p.typeName(), p.id()))
		}
	}
	for _, p := range s.parts { // each is reported, or has to be warned of, once
		s.adopted[p.id()] = true
		m, _ := s.service.Machine(p.id())
		for _, d := range m.Discs {
			isSaid := slices.ContainsFunc(acctest.Blocks(p.state.Get("disc")), func(disc map[string]any) bool { return acctest.ID(disc["id"]) == d.ID })
			if isSaid && s.theirs.discs[d.ID] != "" && !s.adopted[d.ID] && !acctest.Warning("", "").IsIn(c.diags, text(d.ID)) {
				all = append(all, fmt.Sprintf("disc %d, which somebody else has attached, is in the state, and no warning says so", d.ID))
			}
			s.adopted[d.ID] = s.adopted[d.ID] || isSaid
		}
	}
	return all
}

// judgeOverwritten checks that what somebody else has set between plan and apply is as it was set, unless its object was
// destroyed, which judgeKept judges. After an import, the plan is the second process.
func (s *scene) judgeOverwritten(c *course) []string {
	if s.theirs.what == "" || c.applier == 0 || s.wire.gap.process != c.applier {
		return nil
	}
	for _, plan := range c.plans {
		if plan != nil && (plan.Action == acctest.ActionCreate || plan.Action == acctest.ActionReplace || plan.Action == acctest.ActionDelete) {
			return nil
		}
	}
	if is := s.valueOf(s.theirs.what); is != "" && is != s.theirs.value {
		return []string{fmt.Sprintf("somebody has set the %s to %q after the plan, and it is %q now", s.theirs.what, s.theirs.value, is)}
	}
	return nil
}

// isShown reports whether a plan shows that the disc is destroyed, or the action may purge its machine.
func (s *scene) isShown(c *course, d emulator.Disc) bool {
	if s.task.may != nil && slices.ContainsFunc(s.task.may(s), func(p acctest.Promise) bool { return p.Kind == purges }) {
		return true
	}
	return slices.ContainsFunc(c.plans, func(p *acctest.PlanResult) bool {
		return p != nil && p.TypeName == vmType && acctest.Showing(p).Names(d)
	})
}

// judgeTracked checks that everything that the task has created is in a state, or is named by an error.
func (s *scene) judgeTracked(c *course) (all []string) {
	names := func(id int64, owed acctest.Kind, name string) bool {
		return acctest.Error("", "").IsIn(c.diags, text(id)) || owed.IsIn(slices.DeleteFunc(slices.Clone(c.diags), denies), name)
	}
	for _, m := range s.service.Machines() {
		isNew := !slices.ContainsFunc(c.before, func(b emulator.Machine) bool { return b.ID == m.ID })
		if isNew && !s.theirs.has(m.ID) && !s.inState(vmType, m.ID) && !names(m.ID, machineNotCreated, strconv.Quote(m.Name)) {
			all = append(all, fmt.Sprintf("machine %d %q is in no state, and no error names it", m.ID, m.Name))
		}
	}
	for _, g := range s.groups() {
		isNew := !slices.ContainsFunc(c.groups, func(b aGroup) bool { return b.id == g.id })
		if isNew && s.theirs.groups[g.id] == "" && !s.inState(groupType, g.id) && !names(g.id, groupNotCreated, strconv.Quote(g.name)) {
			all = append(all, fmt.Sprintf("group %d %q is in no state, and no error names it", g.id, g.name))
		}
	}
	for _, id := range s.schedules() {
		if !slices.Contains(c.schedules, id) && !s.theirs.schedules[id] && !s.inState(scheduleType, id) && !names(id, scheduleNotCreated, "") {
			all = append(all, fmt.Sprintf("schedule %d is in no state, and no error names it", id))
		}
	}
	return all
}

// denies reports whether a message claims that nothing was created.
func denies(d *tfprotov6.Diagnostic) bool { return strings.Contains(d.Detail, tfkit.NothingCreated) }

func (s *scene) inState(kind string, id int64) bool {
	return slices.ContainsFunc(s.parts, func(p *part) bool { return p.typeName() == kind && p.id() == id })
}

// judgePower checks that a machine that existed before has the power that it had, or that was planned. If it has not, an
// error must say so. That is not enough if the trouble ends within the two minutes in which the power is restored.
func (s *scene) judgePower(c *course) (all []string) {
	if slices.Contains(s.step.changes, "power_on") || s.other != nil {
		return nil
	}
	for _, was := range c.before {
		is, exists := s.service.Machine(was.ID)
		if !exists || is.Deleted || was.Deleted || s.theirs.has(was.ID) || s.step.touches == theTarget && was.ID == s.task.also {
			continue
		}
		planned, failed := s.plannedPower(c, was)
		may := []bool{planned}
		if failed {
			may = append(may, was.PowerOn)
		}
		told := powerOwed.IsIn(c.diags, text(was.ID)) || powerOwed.IsIn(c.diags, was.Name)
		passes := s.step.trouble && !s.step.lasting
		switch {
		case slices.Contains(may, is.PowerOn):
		case !told:
			all = append(all, fmt.Sprintf("machine %d was on: %t, is on: %t, planned: %t, and nothing says that this is owed", was.ID, was.PowerOn, is.PowerOn, planned))
		case passes:
			all = append(all, fmt.Sprintf("machine %d was on: %t, is on: %t, though the trouble has passed in time to restore it", was.ID, was.PowerOn, is.PowerOn))
		}
	}
	return all
}

// plannedPower returns the power that the machine should have after the run, and whether the run failed.
func (s *scene) plannedPower(c *course, m emulator.Machine) (on, failed bool) {
	failed = acctest.HasErrors(c.diags)
	switch s.task.name {
	case "action start", "action reimage", "action restart", "action reset":
		return true, failed
	case "action stop":
		return false, failed
	}
	for i, plan := range c.plans {
		if plan == nil || plan.Prior == nil || acctest.ID(plan.Prior.Get("id")) != m.ID || plan.Planned.IsNull() {
			continue
		}
		if planned, ok := plan.Get("power_on").(bool); ok {
			return planned, acctest.HasErrors(c.applied[i])
		}
	}
	return m.PowerOn, failed
}

// judgeTaint checks that trouble of less than two minutes does not taint a machine that has just been created.
func (s *scene) judgeTaint(c *course) (all []string) {
	first := s.wire.gap.first
	isLonger := first != nil && (first.name == "401" || first.name == "time-out after") // with the step, than a wait is patient
	if !s.step.trouble || s.step.lasting || s.step.refuses || isLonger {
		return nil
	}
	for _, p := range s.parts {
		if p.state != nil && p.state.Tainted {
			all = append(all, fmt.Sprintf("%s %d is tainted", p.typeName(), p.id()))
		}
	}
	return all
}

// judgeCost checks that a task succeeds if the step costs nothing, or has done what the task is about, and if there was
// no other fault than the lost answer to a creation.
func (s *scene) judgeCost(c *course) []string {
	if told := s.judgePatience(c); told != nil {
		return told
	}
	creates := strings.HasSuffix(s.wire.gap.at.call, "/vm_create") || strings.HasSuffix(s.wire.gap.at.call, "/groups")
	isLost := s.wire.gap.first == nil || s.wire.gap.first.name == "reset after" && creates
	if !s.step.passes && !s.task.isDoneBy(s.step) || !isLost || !acctest.HasErrors(c.diags) {
		return nil
	}
	return []string{"it fails:\n" + acctest.DiagText(acctest.Errors(c.diags))}
}

// judgePatience checks that a copy of a disc which the service has accepted is waited for through trouble of less than
// two minutes, and wherever its machine is moved; and that the wait for a machine to come on ends soon after somebody
// has switched it off.
func (s *scene) judgePatience(c *course) []string {
	journal := s.service.Journal()
	if s.wire.gap.first != nil || s.other != nil || s.stepped.requests < c.from {
		return nil
	}
	copies, starts := false, false
	for _, r := range journal[c.from:s.stepped.requests] {
		isWrite := r.Method != http.MethodGet && r.Reached.Done && !isTheirs(r)
		copies = copies || isWrite && strings.Contains(r.Path, "/backups")
		if isWrite && r.Method == http.MethodPut && strings.Contains(string(r.Body), "power_on") { // a creation waits for its first boot
			starts = strings.Contains(string(r.Body), `"power_on":true`)
		}
		starts = starts && !strings.HasSuffix(r.Path, "/reimage")
	}
	outlasted := s.step.trouble && !s.step.lasting || strings.HasPrefix(s.step.name, "move to another")
	switch {
	case copies && outlasted && acctest.HasErrors(c.diags):
		return []string{"the wait for the copy ends:\n" + acctest.DiagText(acctest.Errors(c.diags))}
	case starts && s.step.name == "switch off" && c.ended.Sub(s.stepped.at) > time.Minute:
		return []string{fmt.Sprintf("somebody has switched the machine off, and it took another %s", c.ended.Sub(s.stepped.at).Round(time.Second))}
	}
	return nil
}

// judgeEnd checks that a run ends in time: waits have timeouts, and the number of retries is limited. A service that only
// asks to wait is waited for until the timeout, which the user has chosen.
func (s *scene) judgeEnd(c *course) []string {
	limit := cmp.Or(s.task.timeout, 20*time.Minute) + 5*time.Minute
	if s.step.within > 0 {
		limit = s.step.within
	}
	if took := c.ended.Sub(c.began); took > limit {
		return []string{fmt.Sprintf("it took %s, with %d requests", took.Round(time.Second), c.to-c.from)}
	}
	return nil
}

// judgeTold checks that the error has the service's answer if the service gave the same one until the end.
func (s *scene) judgeTold(c *course) (all []string) {
	if s.step.says == "" || s.wire.gap.first != nil {
		return nil
	}
	ended := c.applied // the plan is not judged: it stops waiting after ten seconds, and says so
	if s.task.do != nil {
		ended = []diagnostics{c.diags}
	}
	for i, applied := range ended {
		said := acctest.DiagText(acctest.Errors(applied))
		if said != "" && !strings.Contains(said, s.step.says) {
			all = append(all, fmt.Sprintf("error %d does not say %q:\n%s", i, s.step.says, said))
		}
	}
	return all
}
