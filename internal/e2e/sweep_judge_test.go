package e2e_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func idOf(m emulator.Machine) string { return strconv.FormatInt(m.ID, 10) }

var (
	importID = regexp.MustCompile(`import \{\n[^}]*\n  id = "([^"]+)"\n\}`)
	callText = regexp.MustCompile(`\b(GET|POST|PUT|DELETE) /`)
)

// isBusy reports whether the service, in its own words, still installs an image.
func isBusy(diags diagnostics) bool {
	text := acctest.DiagText(acctest.Errors(diags))
	return strings.Contains(text, "during a reimage") || strings.Contains(text, "is not off")
}

// mayNeedImport reports whether the fault may have hidden what exists, so that the next run says that the name is
// taken, and how to import it.
func (s *scene) mayNeedImport() bool {
	f := s.wire.gap.first
	return s.wire.gap.span != once && (f.hides || f.denies)
}

// isDenied reports whether a machine may remain that is in no state: the service denied that it exists, so it was not
// deleted, or another one was created with another name or in another group.
func (s *scene) isDenied() bool {
	p := s.parts[0]
	relocates := p.before != nil && p.after != nil && (p.before["name"] != p.after["name"] || wantedGroup(p.before) != wantedGroup(p.after))
	return s.step.do == nil && s.wire.gap.span != once && s.wire.gap.first.denies && (p.after == nil || relocates)
}

// judgeHealthy checks that all that exists is in the state, and that machines, discs and images which a healthy run
// keeps were kept.
func (s *scene) judgeHealthy(c *course) (all []string) {
	if acctest.HasErrors(c.diags) || s.step.do != nil {
		return nil
	}
	for _, m := range s.service.Machines() {
		isHolder := m.ID == s.own && s.parts[0].typeName() != vmType
		if !m.Deleted && !isHolder && !s.theirs.has(m.ID) && !s.inState(vmType, m.ID) {
			all = append(all, fmt.Sprintf("machine %d %q is in no state", m.ID, m.Name))
		}
	}
	for _, g := range s.groups() {
		if s.theirs.groups[g.id] == "" && !s.inState(groupType, g.id) {
			all = append(all, fmt.Sprintf("group %d %q is in no state", g.id, g.name))
		}
	}
	for _, id := range s.schedules() {
		if !s.inState(scheduleType, id) {
			all = append(all, fmt.Sprintf("schedule %d is in no state", id))
		}
	}
	for _, healthy := range s.from.healthy {
		if at := slices.IndexFunc(s.from.machines, func(m emulator.Machine) bool { return m.ID == healthy.ID }); at >= 0 {
			all = append(all, s.judgeKeptAs(s.from.machines[at], healthy)...)
		}
	}
	return all
}

// judgeKeptAs compares a machine with what the healthy run has made of it.
func (s *scene) judgeKeptAs(began, healthy emulator.Machine) (all []string) {
	is, ok := s.service.Machine(began.ID)
	if !ok || is.Deleted != healthy.Deleted {
		return []string{fmt.Sprintf("machine %d is lost: exists %t, soft-deleted %t", began.ID, ok, is.Deleted)}
	}
	for _, had := range began.Discs {
		if !slices.ContainsFunc(healthy.Discs, func(d emulator.Disc) bool { return d.ID == had.ID }) {
			continue
		}
		if !slices.ContainsFunc(is.Discs, func(d emulator.Disc) bool { return d.ID == had.ID && d.Size >= had.Size }) {
			all = append(all, fmt.Sprintf("disc %d %q of machine %d is lost", had.ID, had.Label, began.ID))
		}
	}
	if healthy.Images == began.Images && is.Images > began.Images {
		all = append(all, fmt.Sprintf("the boot disc of machine %d was erased", began.ID))
	}
	return all
}

// judgeHelp checks that each error names its object, the call that failed and what to do.
func (s *scene) judgeHelp(c *course) (all []string) {
	for _, d := range acctest.Errors(c.diags) {
		if d.Summary == "Cannot import non-existent remote object" {
			continue // core's own, about an import block whose machine the service denies
		}
		if at := acctest.Path(d.Attribute); slices.Contains([]string{"account", "group", "group_id"}, at) {
			continue // the place is denied: what can be seen instead follows
		}
		text := acctest.DiagText(diagnostics{d})
		for _, missing := range s.missing(c, d, text) {
			all = append(all, fmt.Sprintf("the message lacks %s:\n%s", missing, text))
		}
	}
	return all
}

func (s *scene) missing(c *course, d *tfprotov6.Diagnostic, said string) (missing []string) {
	subjects := []string{`"web1"`, `"web2"`, text(s.own), text(s.secondDisc)}
	switch s.parts[0].kind {
	case groupType:
		subjects = []string{"team"}
	case rdnsType:
		subjects = []string{"198.51.100.2"}
	case scheduleType:
		subjects = []string{text(holderDisc)}
	}
	if s.task.names != "" {
		subjects = []string{s.task.names}
	}
	isOfPlan := notChecked.IsIn(diagnostics{d}) // of the whole plan
	if !isOfPlan && !slices.ContainsFunc(subjects, func(name string) bool { return strings.Contains(said, name) }) {
		missing = append(missing, "the name")
	}
	gap := s.wire.gap
	isOfAll := gap.first.name == "401" || gap.at.call == logIn || c.ended.Sub(c.began) >= 2*time.Minute // credentials and timeouts are of no call
	if !callText.MatchString(said) && !isOfAll {
		missing = append(missing, "the call")
	}
	if !strings.Contains(d.Detail, "\n\n") {
		missing = append(missing, "the way on")
	}
	return missing
}

// judgeSecrets searches all messages, and looks for requests to other hosts.
func (s *scene) judgeSecrets(c *course) (all []string) {
	if strings.Contains(acctest.DiagText(c.diags), "marker-") {
		all = append(all, "a message shows a secret")
	}
	if len(s.wire.strays) > 0 {
		all = append(all, fmt.Sprintf("requests went elsewhere: %v", s.wire.strays))
	}
	return all
}
