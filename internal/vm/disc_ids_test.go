package vm_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestDiscIDs: disc_ids has the planned labels as its keys from the first plan on, and the IDs of discs that stay are
// known in every plan.
func TestDiscIDs(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		expect := func(plan *acctest.PlanResult, want object) {
			t.Helper()
			if diff := cmp.Diff(any(want), plan.Get("disc_ids")); diff != "" {
				t.Errorf("disc_ids (-want +got)\n%s", diff)
			}
		}
		config := func(labels ...string) object { return configured(off, given{"disc": discs(labels...)}) }

		first := d.Plan(ctx, vmType, nil, config("vda:25600", "b:100"))
		expect(first, object{"vda": acctest.Unknown, "b": acctest.Unknown})
		o := mustApplyWith(t, d, first, config("vda:25600", "b:100"))
		vda, b := o.Get("disc.0.id"), o.Get("disc.1.id")

		expect(d.ExpectPlan(ctx, o, config("vda:25600", "b:100", "c:100"), update), object{"vda": vda, "b": b, "c": acctest.Unknown})
		expect(d.ExpectPlan(ctx, o, config("vda:25600"), update), object{"vda": vda})
		expect(d.ExpectPlan(ctx, o, config("vda:25600", "B2:100"), update), object{"vda": vda, "B2": b})
		unknown := d.ExpectPlan(ctx, o, configured(off, given{"disc": objects{{"label": "vda", "size": 25600}, {"label": acctest.Unknown, "size": 100}}}), update)
		if got := unknown.Get("disc_ids"); got != acctest.Unknown {
			t.Errorf("with an unknown label disc_ids is planned as %v", got)
		}

		e.AddDisc(onlyMachine(t, e).ID, emulator.Disc{Label: "theirs", Size: 100})
		o, _ = d.Refresh(ctx, o)
		ids, _ := o.Get("disc_ids").(object)
		if keys := slices.Sorted(maps.Keys(ids)); !slices.Equal(keys, []string{"b", "vda"}) {
			t.Errorf("a disc that no configuration manages is in disc_ids: %v", keys)
		}
		d.ExpectPlan(ctx, o, config("vda:25600", "b:100"), noop)
	})
}
