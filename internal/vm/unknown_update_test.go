package vm_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// TestUnknownAutorebootOfAMachineThatIsOff: the service starts the machine if the
// value turns out to be true, so the plan leaves its power open.
func TestUnknownAutorebootOfAMachineThatIsOff(t *testing.T) {
	t.Parallel()
	for _, reboots := range []bool{true, false} {
		inBubbleNamed(t, strconv.FormatBool(reboots), func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(given{"power_on": false}))
			plan := d.ExpectPlan(ctx, o, configured(given{"autoreboot_on": acctest.Unknown}), update)
			if plan.Get("power_on") != acctest.Unknown {
				t.Errorf("power_on is planned as %v", plan.Get("power_on"))
			}
			config := configured(given{"autoreboot_on": reboots})
			o = appliedWith(t, d, plan, config)
			expectPower(t, e, reboots, reboots)
			d.ExpectPlan(ctx, o, config, noop)
		})
	}
}

// TestUnknownSpecificationOfAMachineThatMayNotStop is refused as soon as it is
// known, and that is at apply.
func TestUnknownSpecificationOfAMachineThatMayNotStop(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		base := given{"cores": 2}
		o := d.MustApply(ctx, vmType, nil, configured(base))
		plan := d.Plan(ctx, vmType, o, configured(base, given{"cores": acctest.Unknown}))
		e.ResetJournal()
		_, diags := d.ApplyWith(ctx, plan, configured(base, given{"cores": 4}))
		acctest.ExpectError(t, acctest.Errors(diags), "error at cores:", `Cannot change cores of virtual machine "web1" without a restart`)
		expectSent(t, e, "")
		if is := only(t, e); is.Cores != 2 || !is.PowerOn {
			t.Errorf("cores %d, power_on %t", is.Cores, is.PowerOn)
		}
	})
}

// TestUnknownDiscsThatTurnOutOtherwise has a list of discs, or a label, that is
// known only at apply: the plan names the discs that may be lost by it.
func TestUnknownDiscsThatTurnOutOtherwise(t *testing.T) {
	t.Parallel()
	before := discs("vda:25600", "vdb:5000")
	for name, test := range map[string]struct {
		plan, apply any
		about       string
		sent        string
	}{
		"the list": {acctest.Unknown, discs("vda:25600", "vdc:4000", "vdd:5000"), `"vda", "vdb"`, "DELETE disc?purge=true; POST disc label=vdc size=4000; POST disc label=vdd size=5000"},
		"a label":  {objects{{"label": "vda", "size": 25600}, {"label": acctest.Unknown, "size": 5000}}, discs("vda:25600", "vdc:5000"), `"vdb"`, "PUT disc label=vdc"},
		"a size": {
			objects{{"label": "vda", "size": 25600}, {"label": "vdb", "size": acctest.Unknown}}, discs("vda:25600", "vdb:6000"), "", "PUT disc size=6000",
		},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(given{"disc": before}))
			plan := d.Plan(ctx, vmType, o, configured(given{"disc": test.plan}))
			text := acctest.DiagText(plan.Diagnostics)
			warned := strings.Contains(text, `The discs of virtual machine "web1" are not known yet`) && strings.Contains(text, `about `+test.about)
			if plan.Action != update || warned != (name != "a size") {
				t.Errorf("plan: %s\n%s", plan.Action, text)
			}
			e.ResetJournal()
			config := configured(given{"disc": test.apply})
			o = appliedWith(t, d, plan, config)
			expectSent(t, e, test.sent)
			d.ExpectPlan(ctx, o, config, noop)
		})
	}
}

// TestUnknownSizeBesideANewLabel: whether the disc under the old label may be
// renamed is not known without the size, so the plan warns that it is purged.
func TestUnknownSizeBesideANewLabel(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"the same": 5000, "larger": 6000, "smaller": 4000} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(given{"disc": discs("vda:25600", "vdb:5000")}))
			wanted := func(size any) object {
				return configured(given{"disc": objects{{"label": "vda", "size": 25600}, {"label": "vdc", "size": size}}})
			}
			plan := d.Plan(ctx, vmType, o, wanted(acctest.Unknown))
			expectSays(t, plan.Diagnostics, `Disc "vdb"`)
			o = appliedWith(t, d, plan, wanted(size))
			expectState(t, o, given{"disc.1.label": "vdc", "disc.1.size": int64(size)})
			d.ExpectPlan(ctx, o, wanted(size), noop)
		})
	}
}
