package vm_test

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// plot is what one machine of a life is taken through, which chance alone hardly
// ever does.
type plot int

const (
	noPlot plot = iota
	lostCreation
	failedDestroy
)

// steer takes the first machine a step further in the plot.
func (l *life) steer() {
	s := l.slots[0]
	m, ok := l.machine(s)
	if l.plot == lostCreation {
		l.trouble, l.plot = lostThenRefused(), noPlot
		return
	}
	if l.plot == noPlot || !ok || m.Deleted || s.was == nil || s.wish == nil {
		return
	}
	w := s.was.clone()
	w.ignored, w.protected, w.soft = nil, nil, nil
	w.account, w.group, w.groupID = m.Account, "", fmt.Sprint(m.GroupID)
	if w.shutdownBefore != nil && m.PowerOn {
		s.wish, l.trouble, l.plot = nil, deleteOutage(), noPlot
		return
	}
	w.shutdownBefore, w.power, w.autoreboot = new(true), nil, nil
	s.wish = &w
}

// deleteOutage has the service fail once a guest has been shut down for a destroy.
func deleteOutage() *trouble {
	return &trouble{name: "outage at a destroy", back: true, Fault: emulator.Fault{
		Status: http.StatusServiceUnavailable,
		Match: func(r emulator.Request) bool {
			return r.Method == http.MethodDelete || r.Method == http.MethodPut && string(r.Body) != `{"autoreboot_on":false}`
		},
	}}
}

// lostThenRefused loses the answer to a creation, refuses the next attempt, and
// shows no machine in between. It goes with a first apply: of a machine that
// exists already it would be a lie.
func lostThenRefused() *trouble {
	return &trouble{
		name: "lost creation, then a refusal",
		Fault: emulator.Fault{
			Match: func(r emulator.Request) bool { return r.Method == http.MethodPost },
			Rewrite: func(status int, header http.Header, _ []byte) (int, http.Header, []byte) {
				return map[bool]int{true: http.StatusInternalServerError, false: http.StatusForbidden}[status < 300], header, []byte("broken for the test")
			},
		},
		also: emulator.Fault{
			Match:  func(r emulator.Request) bool { return isGet(r) && strings.Contains(r.Path, "/virtual_machines") },
			Status: http.StatusNotFound,
		},
	}
}

// owes notes a machine that a failed destroy has left off, and that is to be kept
// now.
func (l *life) owes(turns []*turn) {
	for _, turn := range turns {
		m, ok := l.machine(turn.slot)
		if turn.failed && turn.existed && turn.plan.Action == acctest.ActionDelete && ok {
			turn.owed, turn.wish = turn.before.PowerOn && !m.PowerOn, turn.was
			l.count("kept after a failed destroy")
		}
	}
}

// judgeOwed: the next plan of a machine that a failed destroy has left off shows
// that it is started again.
func (l *life) judgeOwed(s *slot, plan *acctest.PlanResult) {
	if s.owed && s.wish.power == nil && plan.Action != acctest.ActionError && plan.Get("power_on") != true {
		l.fail("a failed destroy left %s off, and the next plan leaves it so: %s of %v", s.name, plan.Action, plan.Changes())
	}
	s.owed = false
}
