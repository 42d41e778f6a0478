package vm_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

var stranger = regexp.MustCompile(`already exists \(ID (\d+)\), and no resource that this run has read`)

// judgeStrangers: no machine of this run is called a stranger.
func (l *life) judgeStrangers(diags []*tfprotov6.Diagnostic, ours func(id string) bool) {
	for _, found := range stranger.FindAllStringSubmatch(acctest.DiagText(diags), -1) {
		if ours(found[1]) {
			l.fail("machine %s is called a stranger:\n%s", found[1], acctest.DiagText(diags))
		}
	}
}

// noteRun tells each turn which machines the run changes.
func (l *life) noteRun(turns []*turn) {
	changed := map[string]bool{}
	for _, turn := range turns {
		if turn.existed && turn.plan.Action != acctest.ActionNoOp {
			changed[fmt.Sprint(turn.before.ID)] = true
		}
	}
	for _, turn := range turns {
		turn.inRun = func(id string) bool { return changed[id] }
	}
}

// judgeRefresh: a refresh tells of a machine that has gone off, which no plan
// would show, and forgets only those that are gone.
func (l *life) judgeRefresh(s *slot, prior *acctest.Object, said string) {
	if s.o == nil {
		return
	}
	m, ok := l.machine(s)
	if prior == nil {
		if ok && !m.Deleted {
			l.fail("a refresh of %s forgets machine %d, which exists", s.name, m.ID)
		}
		return
	}
	l.read[fmt.Sprint(m.ID)] = true
	if prior.Get("id") != s.o.Get("id") {
		l.fail("a refresh of %s takes machine %v for %v", s.name, prior.Get("id"), s.o.Get("id"))
	}
	wentOff := s.o.Get("power_on") == true && prior.Get("power_on") == false
	if wentOff != strings.Contains(said, "has gone off") {
		l.fail("a refresh of %s, whose power_on was %v and is %v, says\n%s", s.name, s.o.Get("power_on"), prior.Get("power_on"), said)
	}
}

// judgeNames: two machines of one name in one group are refused at plan, and
// nothing else is refused for that.
func (l *life) judgeNames(turns []*turn) {
	refused, holders := false, map[string]string{}
	for _, turn := range turns {
		refused = refused || turn.plan.Action == acctest.ActionError
	}
	for _, turn := range turns {
		if text := acctest.DiagText(turn.plan.Diagnostics); strings.Contains(text, "Two machines of this configuration") && !l.sharesName(turn, turns) {
			l.fail("plan %s: no other machine has the name:\n%s", turn.name, text)
		}
		name, group := textOf(turn.plan.Get("name")), l.groupOf(turn.plan)
		if refused || turn.plan.Action == acctest.ActionDelete || name == "" || group == 0 {
			continue
		}
		place := fmt.Sprintf("%d/%s", group, name)
		if other := holders[place]; other != "" {
			l.fail("%s and %s both plan the name %q in group %d, and neither is refused", other, turn.name, name, group)
		}
		holders[place] = turn.name
	}
	l.judgeExchange(turns)
}

// judgeExchange: machines that exchange their names are refused at plan.
func (l *life) judgeExchange(turns []*turn) {
	had, gets := map[string]*turn{}, map[*turn]string{}
	for _, turn := range turns {
		if turn.plan.Action == acctest.ActionUpdate {
			had[fmt.Sprint(turn.plan.Prior.Get("group_id"), "/", turn.plan.Prior.Get("name"))] = turn
			gets[turn] = fmt.Sprint(l.groupOf(turn.plan), "/", turn.plan.Get("name"))
		}
	}
	for turn, place := range gets {
		other := had[place]
		if other != nil && other != turn && had[gets[other]] == turn {
			l.fail("%s and %s plan to exchange their names", turn.name, other.name)
		}
	}
}

// sharesName reports whether another resource has, or is to have, a name that
// this one is to have.
func (l *life) sharesName(t *turn, turns []*turn) bool {
	return slices.ContainsFunc(turns, func(other *turn) bool {
		return other != t && slices.ContainsFunc(t.names(), func(name string) bool { return slices.Contains(other.names(), name) })
	})
}

// names are those that a machine has and is to have.
func (t *turn) names() []string {
	var all []string
	if t.plan.Prior != nil {
		all = append(all, textOf(t.plan.Prior.Get("name")))
	}
	if t.wish != nil {
		all = append(all, t.wish.name)
	}
	return all
}

// groupOf returns the ID of the group that a plan names; 0 where it is not known.
func (l *life) groupOf(plan *acctest.PlanResult) int64 {
	if id := parsed(plan.Get("group_id")); id != 0 {
		return id
	}
	for _, p := range l.groups {
		if p.account == plan.Get("account") && p.name == plan.Get("group") {
			return p.id
		}
	}
	return 0
}
