package vm_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

var importAdvice = regexp.MustCompile(`import \{\n[^}]*\n\s*id\s+= "([^"]+)"\n\s*\}`)

// judge compares an apply, whether it succeeded or failed, with the plans that were shown.
func (l *life) judge(turns []*turn, before []emulator.Machine) {
	l.t.Helper()
	var promised []acctest.Promise
	for _, turn := range turns {
		promised = append(promised, acctest.Showing(turn.plan).Promises()...)
	}
	if more := acctest.Unplanned(l.e.Journal(), promised); len(more) > 0 {
		l.fail("requests that no plan accounts for:\n%s\nthe plans account for:\n%v", strings.Join(more, "\n"), promised)
	}
	for _, r := range l.e.Journal() {
		if _, others := l.others[r.Reached.Machine]; others && r.Method != "GET" && r.Reached.Done {
			l.fail("a request reached somebody else's machine %d: %s %s", r.Reached.Machine, r.Method, r.Path)
		}
	}
	l.judgeOthers()
	after := l.e.Machines()
	l.judgeData(turns, before, after)
	l.judgeState(turns, after)
}

// judgeRefresh checks that a refresh warns of a machine that was switched off, which no plan would show, and that it
// removes only machines that are gone.
func (l *life) judgeRefresh(s *instance, prior *acctest.Object, said string) {
	m, ok := l.machine(s)
	switch {
	case s.o == nil:
	case prior == nil && ok && !m.Deleted:
		l.fail("a refresh of %s forgets machine %d, which exists", s.name, m.ID)
	case prior == nil:
	case prior.Get("id") != s.o.Get("id"):
		l.fail("a refresh of %s takes machine %v for %v", s.name, prior.Get("id"), s.o.Get("id"))
	case (s.o.Get("power_on") == true && prior.Get("power_on") == false) != strings.Contains(said, "has gone off"):
		l.fail("a refresh of %s, whose power_on was %v and is %v, says\n%s", s.name, s.o.Get("power_on"), prior.Get("power_on"), said)
	case strings.Contains(said, "it is left off") && s.o.Get("autoreboot_on") == true && prior.Get("autoreboot_on") == true:
		l.fail("a refresh of %s says that it is left off, and the service starts it:\n%s", s.name, said)
	}
}

// judgeOthers checks that machines in no state are unchanged.
func (l *life) judgeOthers() {
	for id, was := range l.others {
		if is, ok := l.e.Machine(id); !ok || !cmp.Equal(was, is) {
			l.fail("somebody else's machine %d has changed (exists: %t):\n%s", id, ok, cmp.Diff(was, is))
		}
	}
}

// judgeData checks that every disc that was lost, and every image that was installed, was in a plan.
func (l *life) judgeData(turns []*turn, before, after []emulator.Machine) {
	exists, images := map[int64]bool{}, map[int64]int{}
	for _, m := range after {
		images[m.ID] = m.Images
		for _, d := range m.Discs {
			exists[d.ID] = true
		}
	}
	for _, m := range before {
		at := slices.IndexFunc(turns, func(t *turn) bool { return t.existed && t.before.ID == m.ID })
		for _, d := range m.Discs {
			if !exists[d.ID] && (at < 0 || !acctest.Showing(turns[at].plan).Names(d) && !turns[at].wasWarnedBefore(d)) {
				l.fail("disc %d %q of machine %d is lost, and no plan named it", d.ID, d.Label, m.ID)
			}
		}
		if is, ok := images[m.ID]; ok && is > m.Images && m.Images > 0 && (at < 0 || !acctest.Showing(turns[at].plan).Reimages()) {
			l.fail("machine %d was imaged, and no plan said so", m.ID)
		}
	}
}

// wasWarnedBefore reports whether an earlier refresh named the disc. It is asked for forced replacements: with -replace
// the provider cannot warn of an unmanaged disc in the plan itself.
func (t *turn) wasWarnedBefore(d emulator.Disc) bool {
	return t.forced && strings.Contains(t.refreshed, strconv.Quote(d.Label))
}

// judgeState checks that all machines in the state exist, and that all machines that exist are in the state.
func (l *life) judgeState(turns []*turn, after []emulator.Machine) {
	tracked := map[int64]string{}
	for _, s := range l.instances {
		if s.o == nil {
			continue
		}
		id := parsed(s.o.Get("id"))
		if other := tracked[id]; other != "" {
			l.fail("machine %d is in the state twice: %s and %s", id, other, s.name)
		}
		tracked[id] = s.name
	}
	for _, m := range after {
		_, others := l.others[m.ID]
		if others || m.Deleted || tracked[m.ID] != "" {
			delete(tracked, m.ID)
			continue
		}
		if !slices.ContainsFunc(turns, func(t *turn) bool { return t.saysMayExist(m.ID) }) {
			l.fail("machine %d %q is in no state, and no error says that it may exist", m.ID, m.Name)
		}
	}
	for id, name := range tracked {
		if !slices.ContainsFunc(turns, func(t *turn) bool {
			return t.name == name && t.failed && (t.plan.Action == acctest.ActionDelete || t.plan.Action == acctest.ActionReplace)
		}) {
			l.fail("%s is machine %d in the state, which does not exist", name, id)
		}
	}
}

// saysMayExist reports whether the error says that the machine may have been created, or shows how to import it.
func (t *turn) saysMayExist(id int64) bool {
	text := acctest.DiagText(t.diags)
	return t.failed && (strings.Contains(text, "If the machine was created after all") || strings.Contains(text, fmt.Sprintf("id = %q", fmt.Sprint(id))))
}

// expectConverged checks that everything is as planned, and that the next plan is empty.
func (l *life) expectConverged() {
	l.rest()
	for _, turn := range l.planAll(false, nil) {
		if turn.plan.Action == acctest.ActionError && turn.o.Get("power_on") == false && turn.o.Get("autoreboot_on") == true && isLegitimate(turn.plan.Diagnostics) {
			continue // autoreboot_on is ignored, so the service has started the machine, which the configuration wants off
		}
		if turn.plan.Action != acctest.ActionNoOp {
			l.fail("the second plan of %s is not empty: %s of %v\n%s", turn.name, turn.plan.Action, turn.plan.Changes(), acctest.DiagText(turn.plan.Diagnostics))
		}
		m, ok := l.machine(turn.instance)
		if state, _ := turn.o.Get("").(map[string]any); !ok {
			l.fail("%s does not exist", turn.name)
		} else if problems := l.differences(state, m); len(problems) > 0 {
			l.fail("%s (machine %d) is not what the state says: %s", turn.name, m.ID, strings.Join(problems, "; "))
		}
		if turn.agreed != nil {
			l.judgeResult(turn, turn.agreed, m)
		}
	}
}

// judgeResult compares the machine with the first plan, before anything failed.
func (l *life) judgeResult(turn *turn, first *acctest.PlanResult, m emulator.Machine) {
	planned, _ := first.Get("").(map[string]any)
	known := map[string]any{}
	for name, value := range planned {
		if value != acctest.Unknown {
			known[name] = value
		}
	}
	problems := l.differences(known, m)
	if ips, ok := planned["ips"].(map[string]any); ok && first.Action != acctest.ActionUpdate && first.Action != acctest.ActionNoOp {
		if address := textOf(ips["ipv4"]); address != "" && address != ipv4Of(m) {
			problems = append(problems, "its address is "+ipv4Of(m)+", want "+address)
		}
	}
	if len(problems) > 0 {
		l.fail("%s (machine %d) is not what was planned: %s", turn.name, m.ID, strings.Join(problems, "; "))
	}
}

// differences returns how the machine differs from the values of a state or plan.
func (l *life) differences(values map[string]any, m emulator.Machine) []string {
	var all []string
	is := map[string]any{
		"id": fmt.Sprint(m.ID), "name": m.Name, "account": m.Account, "group": m.Group, "group_id": fmt.Sprint(m.GroupID),
		"cores": m.Cores, "memory": m.Memory, "autoreboot_on": m.AutorebootOn, "power_on": m.PowerOn, "zone_name": m.ZoneName,
	}
	for _, s := range acctest.Settings {
		is[s.Name] = s.Of(m)
	}
	if values["power_on"] == false && values["autoreboot_on"] == true {
		delete(is, "power_on") // the service was about to start it
	}
	for name, value := range is {
		if want, ok := values[name]; ok && want != value {
			all = append(all, fmt.Sprintf("%s is %v, want %v", name, value, want))
		}
	}
	for _, d := range blocksOf(values["disc"]) {
		all = append(all, l.discDifferences(d, m)...)
	}
	slices.Sort(all)
	return all
}

func (l *life) discDifferences(wanted map[string]any, m emulator.Machine) []string {
	label := textOf(wanted["label"])
	at := slices.IndexFunc(m.Discs, func(d emulator.Disc) bool {
		return parsed(wanted["id"]) == d.ID || wanted["id"] == acctest.Unknown && strings.EqualFold(d.Label, label)
	})
	switch {
	case wanted["label"] == acctest.Unknown:
		return nil
	case at < 0:
		return []string{fmt.Sprintf("disc %q (%v) does not exist", label, wanted["id"])}
	case !strings.EqualFold(m.Discs[at].Label, label) && !l.relabelled[m.Discs[at].ID]:
		return []string{fmt.Sprintf("disc %v is labelled %q, want %q", wanted["id"], m.Discs[at].Label, label)}
	case wanted["size"] != acctest.Unknown && m.Discs[at].Size != numberOf(wanted["size"]):
		return []string{fmt.Sprintf("disc %q has %d, want %v", label, m.Discs[at].Size, wanted["size"])}
	}
	return nil
}

// discOf returns the machine's disc with the label, or the zero disc if it has none.
func discOf(m emulator.Machine, label string) emulator.Disc {
	for _, d := range m.Discs {
		if d.Label == label {
			return d
		}
	}
	return emulator.Disc{}
}
