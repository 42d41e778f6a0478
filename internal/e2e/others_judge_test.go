package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// judgeState checks that objects that exist are still in the state, and that the state matches the service, except for
// what somebody else has changed since it was read.
func (s *scene) judgeState(c *course) (all []string) {
	if slices.Contains(s.step.changes, gonePath) {
		return nil
	}
	for i, p := range s.parts {
		if p.gone || s.task.do != nil {
			continue
		}
		var had int64
		if c.states[i] != nil {
			had = acctest.ID(c.states[i].Get("id"))
		}
		switch p.typeName() {
		case vmType:
			all = append(all, s.judgeMachine(c, i, had)...)
		case groupType:
			for _, g := range s.groups() {
				switch {
				case p.state == nil && g.id == had:
					all = append(all, fmt.Sprintf("group %d %q exists and has left the state", g.id, g.name))
				case p.state != nil && g.id == p.id() && p.state.Get("name") != g.name && s.compares(c, i, "name"):
					all = append(all, fmt.Sprintf("group %d is named %q, and the state says %v", g.id, g.name, p.state.Get("name")))
				}
			}
		case scheduleType:
			stays := scheduleStays.IsIn(c.diags, text(had))
			if p.state == nil && slices.Contains(s.schedules(), had) && !stays {
				all = append(all, fmt.Sprintf("schedule %d exists and has left the state", had))
			}
		case rdnsType:
			all = append(all, s.judgeName(c, i)...)
		}
	}
	return all
}

// compares reports whether an attribute of a part must be equal in the state and at the service: it was applied, nobody
// else has changed it, and there was no lost answer whose effect the apply could not find out. After such an answer the
// apply fails, and the next plan refreshes.
func (s *scene) compares(c *course, i int, attribute string) bool {
	if c.applier == 0 {
		return false
	}
	first := s.wire.gap.first
	isUnknown := first != nil && strings.HasSuffix(first.name, "after") && acctest.HasErrors(c.applied[i])
	return !isUnknown && s.other == nil && !slices.Contains(s.step.changes, attribute) && c.plans[i].Action != acctest.ActionNoOp &&
		!unread.IsIn(c.applied[i])
}

func (s *scene) judgeMachine(c *course, i int, had int64) (all []string) {
	p := s.parts[i]
	if s.otherDomain != "" && p.state != nil && strings.HasSuffix(acctest.Text(p.state.Get("hostname")), "."+s.otherDomain) {
		all = append(all, fmt.Sprintf("the state has another service's hostname %q", p.state.Get("hostname")))
	}
	if p.state == nil {
		if m, ok := s.service.Machine(had); ok && !m.Deleted && had != 0 {
			all = append(all, fmt.Sprintf("machine %d %q exists and has left the state", m.ID, m.Name))
		}
		return all
	}
	m, ok := s.service.Machine(p.id())
	switch failed := c.applier > 0 && acctest.HasErrors(c.applied[i]); {
	case !ok && !failed && !s.stepped.removed[p.id()]:
		return append(all, fmt.Sprintf("machine %d is in the state and does not exist", p.id()))
	case !ok, s.theirs.has(m.ID), unread.IsIn(c.diags):
		return all // the next plan refreshes it
	}
	is := object{
		"name": m.Name, "account": m.Account, "group": m.Group, "group_id": text(m.GroupID), "cores": m.Cores, "memory": m.Memory,
		"hardware_profile_locked": m.HardwareProfileLocked, "autoreboot_on": m.AutorebootOn, "power_on": m.PowerOn, "zone_name": m.ZoneName,
	}
	if powerOwed.IsIn(c.diags) { // the next plan restores it
		delete(is, "power_on")
		delete(is, "autoreboot_on")
	}
	if p.state.Tainted || p.state.Get("power_on") == false && p.state.Get("autoreboot_on") == true {
		delete(is, "power_on") // it was booting, or the service was about to start it
	}
	for attribute, value := range is {
		if says := p.state.Get(attribute); says != value && says != nil && s.compares(c, i, attribute) {
			all = append(all, fmt.Sprintf("machine %d: %s is %v, and the state says %v", m.ID, attribute, value, says))
		}
	}
	if s.compares(c, i, "disc") {
		all = append(all, s.judgeDiscsOf(p, m)...)
	}
	slices.Sort(all)
	return all
}

// judgeDiscsOf checks that each disc of the state is on the machine with the size in the state, and that no disc has left
// the state.
func (s *scene) judgeDiscsOf(p *part, m emulator.Machine) (all []string) {
	said := acctest.Blocks(p.state.Get("disc"))
	for _, disc := range said {
		at := slices.IndexFunc(m.Discs, func(d emulator.Disc) bool {
			return d.ID == acctest.ID(disc["id"]) || disc["id"] == nil && d.Label == disc["label"] // not known yet
		})
		switch {
		case at < 0 && !s.stepped.removed[acctest.ID(disc["id"])]:
			all = append(all, fmt.Sprintf("disc %v of machine %d is in the state and not on the machine", disc["id"], m.ID))
		case at >= 0 && m.Discs[at].Size != disc["size"]:
			all = append(all, fmt.Sprintf("disc %v has %d, and the state says %v", disc["id"], m.Discs[at].Size, disc["size"]))
		}
	}
	for _, d := range m.Discs {
		isSaid := slices.ContainsFunc(said, func(disc map[string]any) bool {
			return acctest.ID(disc["id"]) == d.ID || disc["id"] == nil && d.Label == disc["label"]
		})
		if !isSaid && s.theirs.discs[d.ID] == "" && slices.Contains(s.discsBefore, d.ID) {
			all = append(all, fmt.Sprintf("disc %d %q of machine %d has left the state", d.ID, d.Label, m.ID))
		}
	}
	return all
}

// judgeName checks that a reverse name is removed from the state only if it was reset, or if somebody else has set
// another one.
func (s *scene) judgeName(c *course, i int) []string {
	p := s.parts[i]
	is := s.reverseName(fmt.Sprint(p.config()["address"]))
	stays := nameStays.IsIn(c.diags)
	switch {
	case p.state == nil && c.states[i] != nil && is == c.states[i].Get("hostname") && !stays && !s.hasAnother(p):
		return []string{fmt.Sprintf("the reverse name %q exists and has left the state", is)}
	case p.state != nil && p.state.Get("hostname") != is && s.compares(c, i, "hostname"):
		return []string{fmt.Sprintf("the reverse name is %q, and the state says %v", is, p.state.Get("hostname"))}
	}
	return nil
}

// hasAnother reports whether another block of the task has the address. If its create was refused, the next apply sets
// the name.
func (s *scene) hasAnother(p *part) bool {
	return slices.ContainsFunc(s.parts, func(other *part) bool {
		return other != p && other.after != nil && other.after["address"] == p.config()["address"]
	})
}

// judgeWords checks that the messages are true.
func (s *scene) judgeWords(c *course) (all []string) {
	said := acctest.DiagText(c.diags)
	if m, ok := s.machine(); ok && !m.Deleted && !slices.Contains(s.step.changes, gonePath) && !s.task.hasGone() {
		lies := slices.ContainsFunc(somethingGone, func(k acctest.Kind) bool { return k.IsIn(c.diags) }) || strings.Contains(said, deletedElsewhere)
		if lies && len(s.stepped.removed) == 0 && !s.hasPurged() {
			all = append(all, fmt.Sprintf("it is said that machine %d, or a disc of it, is gone, which exist:\n%s", m.ID, said))
		}
	}
	for _, m := range s.service.Machines() {
		isNew := len(s.parts) == 1 && !slices.ContainsFunc(c.before, func(b emulator.Machine) bool { return b.ID == m.ID })
		if isNew && !s.theirs.has(m.ID) && !s.inState(vmType, m.ID) && strings.Contains(said, tfkit.NothingCreated) {
			all = append(all, fmt.Sprintf("%q is said, and machine %d exists:\n%s", tfkit.NothingCreated, m.ID, said))
		}
	}
	done := acctest.Unplanned(s.requests(c), nil)
	for lie, method := range map[string]string{tfkit.NothingChanged: "", tfkit.NothingSent: "", tfkit.NothingDeleted: "DELETE "} {
		isDone := slices.ContainsFunc(done, func(request string) bool { return strings.HasPrefix(request, method) })
		if len(s.parts) == 1 && strings.Contains(said, lie) && isDone {
			all = append(all, fmt.Sprintf("%q is said, and this was done: %v\n%s", lie, done, said))
		}
	}
	return all
}

// hasPurged reports whether a disc of the task's machines is gone.
func (s *scene) hasPurged() bool {
	exists := discsOf(s.service.Machines())
	return slices.ContainsFunc(s.discsBefore, func(id int64) bool { return !exists[id] })
}

// raced reports whether the machine, or a disc of it, was destroyed by a request that could not know of the step: the
// same process had read the machine before the step, and at most five seconds before the request. Such races are
// documented.
func (s *scene) raced(c *course, id int64) bool {
	destroys := func(r emulator.Request) bool {
		return r.Method == http.MethodDelete && r.Reached.Done && r.Reached.Machine == id
	}
	shows := func(r emulator.Request) bool {
		return r.Reached.Machine == id && !strings.Contains(r.Path, "/discs") || strings.HasSuffix(r.Path, "/virtual_machines/"+text(id)) || strings.HasSuffix(r.Path, "/virtual_machines")
	}
	return s.isRace(c, destroys, shows)
}

// racedAny is raced for any of the task's machines.
func (s *scene) racedAny(c *course) bool {
	return s.own != 0 && s.raced(c, s.own) || slices.ContainsFunc(s.parts, func(p *part) bool {
		return p.typeName() == vmType && s.raced(c, p.id())
	})
}

// racedName is raced for a reverse name that was reset.
func (s *scene) racedName(c *course) bool {
	isIP := func(r emulator.Request) bool { return strings.HasPrefix(r.Path, "/ips/") }
	return s.isRace(c, func(r emulator.Request) bool { return r.Method == http.MethodPut && r.Reached.Done && isIP(r) }, isIP)
}

func (s *scene) isRace(c *course, destroys, shows func(emulator.Request) bool) bool {
	journal := s.service.Journal()
	for d := c.from; d < c.to; d++ {
		if isTheirs(journal[d]) || !destroys(journal[d]) {
			continue
		}
		began := c.from
		for _, process := range s.processAt {
			if process <= d {
				began = process
			}
		}
		for look := d - 1; look >= began; look-- {
			r := journal[look]
			if isTheirs(r) || r.Method != http.MethodGet || r.Status != http.StatusOK || !shows(r) {
				continue
			}
			if look < s.stepped.requests && journal[d].Time.Sub(r.Time) <= 5*time.Second {
				return true
			}
			break
		}
	}
	return false
}
