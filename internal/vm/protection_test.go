package vm_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// TestProtectionThatThePlanBrings counts for that plan already: what it protects
// is not lost by the same apply.
func TestProtectionThatThePlanBrings(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before, after given
		says          string
	}{
		"a replacement": {inYork, given{"zone_name": "manchester"}, "Cannot replace"},
		"a disc":        {given{"disc": discs("vda:25600", "data:5000")}, nil, `Cannot purge disc "data"`},
		"an image":      {inPlace, with(inPlace, "reimage.distribution", "noble"), "Cannot reimage"},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured(test.before))
			e.ResetJournal()
			plan := d.Plan(t.Context(), vmType, o, configured(test.after, protected))
			acctest.ExpectError(t, plan.Diagnostics, test.says, "deletion_protection is true")
			expectSent(t, e, "")
		})
	}
}

// TestProtectionWithAForcedReplacement: Terraform replaces the machine without
// asking whether it may, and the state or the plan protects it.
func TestProtectionWithAForcedReplacement(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ before, after given }{
		"the plan":      {nil, protected},
		"not known yet": {nil, given{"deletion_protection": acctest.Unknown}},
		"the state":     {protected, nil},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(test.before))
			e.ResetJournal()
			plan := d.PlanReplace(ctx, o, configured(test.after))
			acctest.ExpectError(t, plan.Errors(), "error at deletion_protection: Cannot replace", "apply deletion_protection = false first")
			expectSent(t, e, "")
			// What an update was planned with is forgotten.
			o = d.MustApply(ctx, vmType, o, configured(protected))
			o = d.MustApply(ctx, vmType, o, configured())
			if d.PlanReplace(ctx, o, configured()).Action != replace {
				t.Error("still protected")
			}
		})
	}
}
