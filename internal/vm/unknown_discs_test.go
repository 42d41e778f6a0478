package vm_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// TestUnknownDiscs: a list of discs, a label or a size is known only after apply. The plan names the discs that may be
// lost.
func TestUnknownDiscs(t *testing.T) {
	t.Parallel()
	second := func(label, size any) objects {
		return objects{{"label": "vda", "size": 25600}, {"label": label, "size": size}}
	}
	for name, test := range map[string]struct {
		plan, apply any
		warns       string // of a disc, "" for no warning
		sent        string
	}{
		"the list":             {plan: acctest.Unknown, apply: discs("vda:25600", "vdc:4000", "vdd:5000"), warns: `Discs may be purged: "vda", "vdb"`, sent: "DELETE disc?purge=true; POST disc label=vdc size=4000; POST disc label=vdd size=5000"},
		"a label":              {plan: second(acctest.Unknown, 5000), apply: second("vdc", 5000), warns: `Discs may be purged: "vdb"`, sent: "PUT disc label=vdc"},
		"a new label, smaller": {plan: second("vdc", acctest.Unknown), apply: second("vdc", 4000), warns: `"vdb" (ID`, sent: "DELETE disc?purge=true; POST disc label=vdc size=4000"},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(off, given{"disc": discs("vda:25600", "vdb:5000")}))
			plan := d.ExpectPlan(ctx, o, configured(off, given{"disc": test.plan}), update)
			if text := acctest.DiagText(plan.Diagnostics); !strings.Contains(text, test.warns) || (text == "") != (test.warns == "") {
				t.Errorf("the plan says\n%s", text)
			}
			e.ResetJournal()
			config := configured(off, given{"disc": test.apply})
			o = mustApplyWith(t, d, plan, config)
			expectSent(t, e, test.sent)
			d.ExpectPlan(ctx, o, config, noop)
		})
	}
}

// TestUnknownAutorebootOfAMachineThatIsOff: the service starts the machine if the value turns out to be true, so its
// power is known after apply.
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
			o = mustApplyWith(t, d, plan, config)
			expectPower(t, e, reboots, reboots)
			d.ExpectPlan(ctx, o, config, noop)
		})
	}
}

// TestUnknownSpecificationOfAMachineThatMayNotStop: it is refused at apply, when it is known.
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
		if is := onlyMachine(t, e); is.Cores != 2 || !is.PowerOn {
			t.Errorf("cores %d, power_on %t", is.Cores, is.PowerOn)
		}
	})
}
