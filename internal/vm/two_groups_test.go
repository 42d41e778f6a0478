package vm_test

import (
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestGroupByNameAndByID accepts both where they are one group, as
// -generate-config-out writes them, and refuses them where they are known to be two.
func TestGroupByNameAndByID(t *testing.T) {
	t.Parallel()
	both, two := configured(given{"group": "private", "group_id": privateID}), configured(given{"group": "default", "group_id": privateID})
	refused := func(t *testing.T, plan *acctest.PlanResult) {
		t.Helper()
		if text := acctest.DiagText(plan.Diagnostics); !strings.Contains(text, "error at group: Conflicting group and group_id") {
			t.Errorf("want a refusal, got %s", text)
		}
	}
	for name, test := range map[string]func(*testing.T, *acctest.Driver, *acctest.Emulator){
		"the same, created, and moved back": func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, both)
			d.ExpectPlan(t.Context(), o, both, noop)
			expectState(t, o, given{"group": "private", "group_id": privateID})
			other := groupID(e, emulator.DemoAccount, emulator.DefaultGroup)
			meanwhile(t, e, func(m *emulator.Machine) { m.GroupID = other })
			o = d.MustApply(t.Context(), vmType, d.MustRefresh(t.Context(), o), both)
			d.ExpectPlan(t.Context(), o, both, noop)
			expectState(t, o, given{"group": "private", "group_id": privateID})
		},
		"the same, instead of one": func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured())
			o = d.MustApply(t.Context(), vmType, o, both)
			d.ExpectPlan(t.Context(), o, both, noop)
		},
		"two, at creation": func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			refused(t, d.Plan(t.Context(), vmType, nil, two))
			acctest.ExpectCalls(t, e)
		},
		"two, later": func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, both)
			refused(t, d.Plan(t.Context(), vmType, o, two))
		},
		"the same, and nobody may ask": func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
			d := e.NewDriver(t, map[string]any{"plan_checks": false})
			o := d.MustApply(t.Context(), vmType, nil, both)
			d.ExpectPlan(t.Context(), o, both, noop)
		},
		"a group that is gone": func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) {
			if plan := d.Plan(t.Context(), vmType, nil, configured(given{"group": "private", "group_id": "99999"})); acctest.HasErrors(plan.Diagnostics) {
				t.Error(acctest.DiagText(plan.Diagnostics))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, test)
		})
	}
}
