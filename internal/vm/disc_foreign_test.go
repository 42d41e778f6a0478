package vm_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestDiscOfAColleague: a disc that appears between plan and apply under the label
// of a planned one is never taken for ours, whichever step fails.
func TestDiscOfAColleague(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault *emulator.Fault // of a step before
		says  string
	}{
		"the label is taken":         {nil, `Cannot add disc "more"`},
		"an earlier step fails":      {new(refuse("PUT", "", `"keymap"`, 1)), "Cannot update"},
		"an earlier disc is refused": {new(refuse("POST", "/discs", "", 1)), "Cannot add disc"},
		"the answers are lost":       {&emulator.Fault{Match: refuse("POST", "/discs", "", 1).Match, Cut: true, Times: 9}, "Cannot add disc"},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, twoDiscs)
			more := configured(off, given{"keymap": "de", "disc": discs("vda:25600", "data:5000:sata", "new:100", "more:5000")})
			plan := d.Plan(ctx, vmType, o, more)
			theirs := e.AddDisc(only(t, e).ID, emulator.Disc{Label: "more", Size: 700})
			if test.fault != nil {
				e.Inject(*test.fault)
			}
			o, diags := d.Apply(ctx, vmType, plan)
			acctest.ExpectError(t, acctest.Errors(diags), test.says)
			for _, disc := range blocksOf(o.Get("disc")) {
				if disc["id"] == idOf(theirs) {
					t.Errorf("the state has it: %v", disc)
				}
			}
			d.MustApply(ctx, vmType, d.MustRefresh(ctx, o), twoDiscs)
			if discOf(only(t, e), "more").ID != theirs {
				t.Error("it is gone")
			}
		})
	}
}
