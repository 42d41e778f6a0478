package e2e_test

import (
	"net/http"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const (
	groupType = "cloudserver_group"
	rdnsType  = "cloudserver_rdns"

	scheduleType = "cloudserver_backup_schedule"
)

// takeName and takeGroup give the name of the task's object to one of somebody else.
func takeName(s *scene) { s.service.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, twin()) }

func takeGroup(s *scene) {
	s.theirs.groups[s.service.AddGroup(emulator.DemoAccount, "team", false)] = "team"
}

func readDefinitions(s *scene) diagnostics {
	_, diags := s.process().ReadData(s.t.Context(), "cloudserver_definitions", nil)
	return diags
}

// createBeforeDestroy replaces a resource as with create_before_destroy: in one process, the new one is created before
// the old one is destroyed.
func createBeforeDestroy(s *scene) diagnostics {
	ctx, d, p := s.t.Context(), s.process(), s.parts[0]
	old, diags := d.Refresh(ctx, p.state)
	if acctest.HasErrors(diags) {
		return diags
	}
	for _, step := range []struct {
		from *acctest.Object
		to   object
	}{{nil, p.after}, {old, nil}} {
		plan := d.Plan(ctx, p.typeName(), step.from, step.to)
		s.current.plans = append(s.current.plans, plan)
		applied, more := d.Apply(ctx, p.typeName(), plan)
		if diags = append(diags, more...); acctest.HasErrors(more) {
			break
		}
		if applied != nil {
			p.state = applied
		}
	}
	return diags
}

// readSoftDeleted reads a schedule while its machine is soft-deleted, and after it was undeleted: it is the same
// schedule.
func readSoftDeleted(s *scene) diagnostics {
	s.service.SoftDelete(holderID)
	diags := s.apply()
	s.must(s.service.Change(holderID, func(m *emulator.Machine) { m.Deleted = false }))
	return append(diags, s.apply()...)
}

// hideGroups applies while the service does not list the account's groups before a creation, so that it is unknown
// whether the group existed before.
func hideGroups(s *scene) diagnostics {
	posted := false
	defer s.service.Inject(emulator.Fault{Status: http.StatusInternalServerError, Match: func(r emulator.Request) bool {
		posted = posted || r.Method == http.MethodPost && strings.HasSuffix(r.Path, "/groups")
		return !isTheirs(r) && !posted && r.Method == http.MethodGet && strings.HasSuffix(r.Path, "/groups")
	}})()
	return s.apply()
}
