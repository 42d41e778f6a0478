package vm_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// judgeRefresh: a refresh warns of a machine that has gone off, which no plan
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
	if prior.Get("id") != s.o.Get("id") {
		l.fail("a refresh of %s takes machine %v for %v", s.name, prior.Get("id"), s.o.Get("id"))
	}
	wentOff := s.o.Get("power_on") == true && prior.Get("power_on") == false
	if wentOff != strings.Contains(said, "has gone off") {
		l.fail("a refresh of %s, whose power_on was %v and is %v, says\n%s", s.name, s.o.Get("power_on"), prior.Get("power_on"), said)
	}
}

// judgeNames: two new machines of one name in one group are refused at plan, and
// nothing else is refused for that.
func (l *life) judgeNames(turns []*turn) {
	refused, created := false, map[string]string{}
	for _, turn := range turns {
		refused = refused || turn.plan.Action == acctest.ActionError
	}
	for _, turn := range turns {
		if text := acctest.DiagText(turn.plan.Diagnostics); strings.Contains(text, "Two machines of this configuration") && !l.sharesName(turn, turns) {
			l.fail("plan %s: no other machine has the name:\n%s", turn.name, text)
		}
		name, group := textOf(turn.plan.Get("name")), turn.plan.Get("group")
		if refused || turn.plan.Action != acctest.ActionCreate || name == "" || group == nil || group == acctest.Unknown {
			continue
		}
		place := fmt.Sprintf("%v/%v/%s", turn.plan.Get("account"), group, name)
		if other := created[place]; other != "" {
			l.fail("%s and %s create the name %q in group %v, and neither is refused", other, turn.name, name, group)
		}
		created[place] = turn.name
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
