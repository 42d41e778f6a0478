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
		"on":                       {nil, true, true, "The update restarts"},
		"on without autoreboot":    {given{"autoreboot_on": false}, true, false, "The update restarts"},
		"off":                      {given{"power_on": false}, false, false, ""},
		"started by the same plan": {given{"power_on": true, "autoreboot_on": true}, true, true, "The update restarts"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
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
		})
	}
}

// TestReimageIsNeverTriggeredByAdoption imports a machine and records what it
// was made with; only a later change asks for a new image.
func TestReimageIsNeverTriggeredByAdoption(t *testing.T) {
	t.Parallel()
	full := with(with(inPlace, "reimage.ssh_public_key", "ssh-ed25519 A"), "reimage.revision", "1")
	for name, block := range map[string]given{"with an image": image, "without an image": nil} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				made := configured(block)
				config := configured(full)
				o := d.MustApply(ctx, vmType, nil, made)
				imported, diags := d.Import(ctx, vmType, o.Get("id").(string))
				if len(diags) > 0 {
					t.Fatal(acctest.DiagText(diags))
				}
				e.ResetJournal()
				plan := d.ExpectPlan(ctx, imported, config, acctest.ActionUpdate)
				text := acctest.DiagText(plan.Diagnostics)
				if len(plan.Diagnostics) != 1 || !strings.Contains(text, "The machine is neither reimaged nor replaced") || !strings.Contains(text, "ssh_public_key") {
					t.Errorf("the plan says\n%s", text)
				}
				o = d.MustApply(ctx, vmType, imported, config)
				expectSent(t, e, "")
				d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)

				put(config, []string{"reimage", "revision"}, "2")
				was := only(t, e).Images
				d.MustApply(ctx, vmType, o, config)
				if images := only(t, e).Images; images != was+1 {
					t.Errorf("a change after the adoption: imaged %d times, was %d", images, was)
				}
			})
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
