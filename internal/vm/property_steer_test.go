package vm_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
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
	otherDisc
	otherImage
	otherAddress
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
	done := false
	switch l.plot {
	case failedDestroy:
		if w.shutdownBefore != nil && m.PowerOn {
			s.wish, l.trouble, l.plot = nil, deleteOutage(), noPlot
			return
		}
		w.shutdownBefore, w.power, w.autoreboot = new(true), nil, nil
	case otherDisc:
		done = l.otherDisc(m, s, &w)
	case otherImage:
		done = l.otherImage(m, s, &w)
	case otherAddress:
		done = l.otherAddress(m, s, &w)
	}
	if s.wish = &w; done {
		l.plot = noPlot
	}
}

// otherDisc has the last block become that of another disc, which may be one that
// somebody else attaches.
func (l *life) otherDisc(m emulator.Machine, s *slot, w *wish) bool {
	last := len(w.discs) - 1
	if last < 1 {
		w.discs = append(w.discs, discWish{label: "second", size: 5000, grade: "sata"})
		return false
	}
	found := emulator.Disc{Label: "found", Size: 5000, StorageGrade: "archive"}
	if chance(l.beside.rng, 2) && l.e.AttachDisc(m.ID, found) != nil {
		return false
	}
	w.discs[last] = discWish{label: found.Label, size: 5000, grade: found.StorageGrade}
	s.unknown = fmt.Sprintf("disc.%d.label", last)
	return true
}

// otherImage changes the image, and how it is installed is not known yet.
func (l *life) otherImage(m emulator.Machine, s *slot, w *wish) bool {
	image := imageWish{distribution: "bookworm"}
	known := w.image == nil
	if !known {
		image = *w.image
		image.distribution = map[bool]string{true: "noble", false: "trixie"}[m.LastImagedWith == "trixie"]
		s.unknown = "reimage.on_change"
	}
	image.onChange = one(l.beside.rng, "reimage", "reimage", "replace")
	w.image = &image
	return !known
}

// otherAddress wants an address that is not known yet, where one can be chosen.
func (l *life) otherAddress(m emulator.Machine, s *slot, w *wish) bool {
	i := slices.IndexFunc(l.groups, func(p place) bool { return p.address != "" && p.account == m.Account })
	if i < 0 {
		return true
	}
	if l.groups[i].id != m.GroupID {
		w.groupID = fmt.Sprint(l.groups[i].id)
		return false
	}
	w.ipv4, s.unknown = netip.MustParseAddr(l.groups[i].address).Next().Next().Next().Next().Next().String(), "ips.ipv4"
	return true
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

// blurAt returns the configuration with one value that is known only after apply.
func blurAt(config object, path string) object {
	config = maps.Clone(config)
	parts := strings.Split(path, ".")
	name, attribute := parts[0], parts[len(parts)-1]
	switch block := config[name].(type) {
	case objects:
		i, _ := strconv.Atoi(parts[1])
		block = slices.Clone(block)
		block[i] = maps.Clone(block[i])
		block[i][attribute] = acctest.Unknown
		config[name] = block
	case object:
		block = maps.Clone(block)
		block[attribute] = acctest.Unknown
		config[name] = block
	}
	return config
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

// judgeUnknownImage: a machine is not replaced for a value that may keep it.
func (l *life) judgeUnknownImage(s *slot, prior *acctest.Object, plan *acctest.PlanResult, paths []string) {
	if plan.Action != acctest.ActionReplace || !slices.Contains(paths, "reimage") && !slices.Contains(paths, "reimage.on_change") {
		return
	}
	known := l.e.NewDriver(l.t, l.settings).Plan(l.t.Context(), vmType, prior, s.wish.config(), acctest.IgnoreChanges(s.wish.ignored...))
	if known.Action == acctest.ActionUpdate || known.Action == acctest.ActionNoOp {
		if !slices.ContainsFunc(plan.RequiresReplace, func(path string) bool { return !strings.HasPrefix(path, "reimage") }) {
			l.fail("%s is replaced because of unknown %v, and would be kept: %v", s.name, paths, plan.RequiresReplace)
		}
	}
}
