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
