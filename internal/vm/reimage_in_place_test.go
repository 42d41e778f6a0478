package vm_test

import (
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestReimageInPlaceKeepsTheMachine(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		beside      given
		on, reboots bool
		says        string
	}{
		"on":                       {nil, true, true, "and is on again afterwards"},
		"off":                      {given{"power_on": false}, false, false, ""},
		"started by the same plan": {given{"power_on": true, "autoreboot_on": true}, true, true, "and is on again afterwards"},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			config := configured(inPlace, test.beside, given{"disc": discs("vda:25600", "vdb:5000")})
			o := d.MustApply(ctx, vmType, nil, config)
			was := only(t, e)
			put(config, []string{"reimage", "distribution"}, "noble")
			plan := d.ExpectPlan(ctx, o, config, acctest.ActionUpdate)
			text := acctest.DiagText(plan.Warnings())
			if !strings.Contains(text, `everything on its boot disc ("vda") is lost`) || !strings.Contains(text, test.says) {
				t.Errorf("the plan says\n%s", text)
			}
			if plan.Get("id") == acctest.Unknown || plan.Get("ipv4_address") == acctest.Unknown || plan.Get("disc.1.id") == acctest.Unknown {
				t.Errorf("what stays is planned as unknown: %v", plan.Changes())
			}
			o = d.MustApply(ctx, vmType, o, config)
			is := only(t, e)
			if is.ID != was.ID || is.Interfaces[0].IPs[0] != was.Interfaces[0].IPs[0] || is.Discs[1].ID != was.Discs[1].ID {
				t.Errorf("another machine: %+v, was %+v", is, was)
			}
			if is.Images != was.Images+1 || is.LastImagedWith != "noble" || !is.RootPasswordSet {
				t.Errorf("imaged %d times, with %s", is.Images, is.LastImagedWith)
			}
			if is.PowerOn != test.on || is.AutorebootOn != test.reboots {
				t.Errorf("power_on %t, autoreboot_on %t", is.PowerOn, is.AutorebootOn)
			}
			expectState(t, o, given{"last_imaged_with": "noble", "power_on": test.on})
			d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
		})
	}
}

// TestReimageBlockThatGoesAndComesBack changes nothing but the state, whatever
// the block says when it is back.
func TestReimageBlockThatGoesAndComesBack(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(image))
		e.ResetJournal()
		o = d.MustApply(ctx, vmType, o, configured())
		d.ExpectPlan(ctx, o, configured(), acctest.ActionNoOp)
		meanwhile(t, e, func(m *emulator.Machine) { m.LastImagedWith = "trixie" }) // nobody's concern
		o = d.MustRefresh(ctx, o)
		d.ExpectPlan(ctx, o, configured(), acctest.ActionNoOp)
		d.MustApply(ctx, vmType, o, configured(image, given{"reimage.distribution": "noble"}))
		expectSent(t, e, "")
	})
}
