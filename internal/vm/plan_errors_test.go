package vm_test

import (
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestMissingGroupIsSuggestedAtPlan: the error suggests an existing group. If the provider's default is to blame, the
// error says so, at plan and at apply.
func TestMissingGroupIsSuggestedAtPlan(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	e.AddGroup("demo", "production", false)
	const suggestion = `Did you mean "production"?`
	expectSays(t, d.Plan(t.Context(), vmType, nil, configured(given{"group": "prodution"})).Diagnostics, "warning at group: ", suggestion, "Unless another resource creates the group")
	for attribute, test := range map[string]struct {
		value, suggestion string
	}{"group": {"prodution", suggestion}, "account": {"dmeo", `Did you mean "demo"?`}} {
		where := []string{test.suggestion, "correct " + attribute + " in the provider block, or CLOUDSERVER_" + strings.ToUpper(attribute)}
		d := e.NewDriver(t, given{attribute: test.value})
		plan := d.Plan(t.Context(), vmType, nil, configured())
		expectSays(t, plan.Diagnostics, where...)
		if attribute == "account" {
			continue
		}
		_, diags := d.Apply(t.Context(), vmType, plan)
		expectSays(t, diags, where...)
	}
}
