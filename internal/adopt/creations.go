package adopt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/existing"
)

// located is an object that exists, at the address of the resource that describes it.
type located struct {
	at       address
	typeName string
	provider string // the unusual name of its provider, with its alias, or ""
	importID string
	title    string // what it is and where, for people
}

// result is what the creations of a plan have found.
type result struct {
	found      []located
	absent     []string // would be created, because nothing like it exists
	deleted    []string // their names belong to soft-deleted machines
	twice      []string // several addresses for one object
	unknown    []string // what identifies them is known only after apply
	elsewhere  []string // resources of other providers that the plan creates
	unanswered int      // creations about which the provider has written nothing
}

// answer is what the provider has found for one creation.
type answer struct {
	importIDs   []string
	softDeleted string
	services    int    // that have given this answer
	problem     string // why it is not known
}

// answerTo joins a creation with what the plans have found, by its planned values. The result is nil if nothing was
// found out about it.
func answerTo(c change, findings existing.Findings) *answer {
	var a *answer
	var services []string
	for _, f := range findings.Creations {
		if !isAbout(f, c) {
			continue
		}
		switch {
		case a == nil:
			a = &answer{importIDs: f.ImportIDs, softDeleted: f.SoftDeleted}
		case !slices.Equal(a.importIDs, f.ImportIDs) || a.softDeleted != f.SoftDeleted:
			if !slices.Contains(services, f.Service) { // one service may answer again, after a change
				a.problem = "two services have such an object, and the plan does not tell which one is meant"
			}
			a.importIDs, a.softDeleted = f.ImportIDs, f.SoftDeleted
		}
		if !slices.Contains(services, f.Service) {
			services = append(services, f.Service)
		}
	}
	if a != nil {
		a.services = len(services)
	}
	return a
}

// isAbout reports whether a finding is about a creation: all values that identify its object are the planned ones. The
// planned values of an object that exists include its ID.
func isAbout(f existing.FoundCreation, c change) bool {
	if f.Type != c.Type || f.Planned["id"] == "" && c.Type != scheduleType && c.text("id") != "" {
		return false
	}
	for name, value := range f.Planned {
		if c.text(name) != value {
			return false
		}
	}
	return true
}

// decide decides which creations of a plan are imports. answers returns what is known about a creation, and managed has
// the addresses of the objects in the state, by type and import ID.
func decide(changes []change, managed map[string]string, findings existing.Findings, answers func(change) *answer) (r result) {
	var own []change
	known := map[string]*answer{}
	holders := map[string][]string{} // addresses of the resources that describe a single object, by type and import ID
	for _, c := range changes {
		if !c.Change.Actions.Create() {
			continue
		}
		if !c.isOwn() {
			r.elsewhere = append(r.elsewhere, c.Address)
			continue
		}
		own = append(own, c)
		a := answers(c)
		if known[c.Address] = a; a != nil && len(a.importIDs) == 1 {
			holders[c.Type+" "+a.importIDs[0]] = append(holders[c.Type+" "+a.importIDs[0]], c.Address)
		}
	}
	taken := map[string]bool{}
	for _, c := range own {
		a := known[c.Address]
		switch {
		case a == nil:
			r.addUnanswered(c)
		case a.problem != "":
			r.unknown = append(r.unknown, c.Address+": "+a.problem)
		case a.softDeleted != "":
			r.deleted = append(r.deleted, fmt.Sprintf("%s: %s (ID %s)", c.Address, title(c, findings), a.softDeleted))
		case len(a.importIDs) == 0:
			r.absent = append(r.absent, c.Address+": "+title(c, findings))
		default:
			r.addFound(c, a, managed, holders, taken, findings)
		}
	}
	return r
}

// addFound decides which of the objects that are as planned a creation is.
func (r *result) addFound(c change, a *answer, managed map[string]string, holders map[string][]string, taken map[string]bool, findings existing.Findings) {
	object := title(c, findings)
	for _, id := range a.importIDs {
		key := c.Type + " " + id
		if taken[key] && a.services == 1 || managed[key] != "" {
			continue
		}
		if c.Type != scheduleType && len(holders[key]) > a.services {
			r.twice = append(r.twice, fmt.Sprintf("%s: %s (import ID %s), which %s describe", c.Address, object, id, strings.Join(holders[key], " and ")))
			return
		}
		taken[key] = true
		r.found = append(r.found, located{c.at, c.Type, c.provider, id, object})
		return
	}
	if c.Type == scheduleType { // others have the equal ones
		r.absent = append(r.absent, c.Address+": "+object)
		return
	}
	id := a.importIDs[0]
	r.twice = append(r.twice, fmt.Sprintf("%s: %s (import ID %s), which the state has as %s", c.Address, object, id, managed[c.Type+" "+id]))
}

// addUnanswered records a creation about which the provider has written nothing.
func (r *result) addUnanswered(c change) {
	if names := c.unknownIdentity(); len(names) > 0 {
		r.unknown = append(r.unknown, fmt.Sprintf("%s: %s is known only after apply", c.Address, strings.Join(names, ", ")))
		return
	}
	r.unanswered++
	r.unknown = append(r.unknown, c.Address+": the provider was not asked, because its own configuration is known only after apply, "+
		"or another version of it made this plan")
}

// title names what a creation creates, with its group and account.
func title(c change, findings existing.Findings) string {
	switch c.Type {
	case groupType:
		return fmt.Sprintf("group %q of account %q", c.text("name"), c.text("account"))
	case machineType:
		group := c.text("group")
		if group == "" {
			group = "ID " + c.text("group_id")
		}
		return fmt.Sprintf("virtual machine %q of group %q, account %q", c.text("name"), group, c.text("account"))
	case scheduleType:
		return "backup schedule of disc " + c.text("disc_id") + residence(findings, func(m existing.Machine) bool { return m.ID == c.text("virtual_machine_id") })
	}
	return "reverse name of " + c.text("address") + residence(findings, func(m existing.Machine) bool { return slices.Contains(m.Addresses, c.text("address")) })
}

// residence says of which machine something is, if the plans have seen the machine.
func residence(findings existing.Findings, is func(existing.Machine) bool) string {
	for _, g := range findings.Groups {
		for _, m := range g.Machines {
			if is(m) {
				return fmt.Sprintf(", machine %q of group %q, account %q", m.Name, g.Name, g.Account)
			}
		}
	}
	return ""
}

// unmanaged returns what is in the groups of the plan and described by no resource block. Soft-deleted machines are
// left out.
func unmanaged(findings existing.Findings, managed map[string]string, found []located) (lines []string) {
	has := func(typeName, id string) bool {
		return managed[typeName+" "+id] != "" || slices.ContainsFunc(found, func(l located) bool { return l.typeName == typeName && l.importID == id })
	}
	for _, g := range findings.Groups {
		where := fmt.Sprintf("group %q, account %q", g.Name, g.Account)
		for _, m := range g.Machines {
			if m.SoftDeleted {
				continue
			}
			if !has(machineType, m.ID) {
				lines = append(lines, fmt.Sprintf("virtual machine %q of %s (import ID %s)", m.Name, where, m.ID))
			}
			for _, id := range m.Schedules {
				if !has(scheduleType, id) {
					lines = append(lines, fmt.Sprintf("a backup schedule of virtual machine %q of %s (import ID %s)", m.Name, where, id))
				}
			}
		}
	}
	return lines
}
