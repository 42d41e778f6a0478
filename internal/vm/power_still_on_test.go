package vm_test

import (
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestGuestThatMustNotBeSwitchedOff: with on_shutdown_timeout = "fail", a guest that ignores the shutdown stays on, gets
// autoreboot_on back, and nothing else is sent.
func TestGuestThatMustNotBeSwitchedOff(t *testing.T) {
	t.Parallel()
	const back = stop + "PUT autoreboot_on=true"
	four, reimaged, noAutoreboot := given{"cores": 4, leave: true}, given{"reimage.distribution": "noble"}, given{"autoreboot_on": false}
	for name, test := range map[string]struct {
		beside, to given
		destroy    bool
		sent       string
		reboots    bool
	}{
		"a restart":                {to: four, sent: back, reboots: true},
		"an image":                 {to: reimaged, sent: back, reboots: true},
		"a destroy":                {beside: given{"shutdown_before_destroy": true}, destroy: true, sent: back, reboots: true},
		"a restart, no autoreboot": {beside: noAutoreboot, to: four, sent: "signal powerdown"},
		"a destroy, no autoreboot": {beside: with(noAutoreboot, "shutdown_before_destroy", true), destroy: true, sent: "signal powerdown"},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			fails := given{"cores": 2, "shutdown_timeout": "30s", "on_shutdown_timeout": "fail"}
			o := d.MustApply(ctx, vmType, nil, configured(inPlace, fails, test.beside))
			changeMachine(t, e, func(m *emulator.Machine) { m.IgnoresPowerdown = true })
			var config object
			if !test.destroy {
				config = configured(inPlace, fails, test.beside, test.to)
			}
			plan := d.Plan(ctx, vmType, o, config)
			e.ResetJournal()
			began := time.Now()
			after, diags := d.Apply(ctx, vmType, plan)
			acctest.ExpectError(t, acctest.Errors(diags), `on_shutdown_timeout is "fail", so the machine was not switched off`)
			if took := time.Since(began); took > 35*time.Second {
				t.Errorf("took %s", took)
			}
			expectSent(t, e, test.sent)
			expectPower(t, e, true, test.reboots)
			expectState(t, after, given{"power_on": true, "autoreboot_on": test.reboots, "cores": int64(2), "reimage.distribution": "bookworm"})
			if test.reboots {
				expectSays(t, diags, "autoreboot_on is true again")
				return
			}
			expectSays(t, diags, "autoreboot_on is false", "Cannot restore the power of the machine")
			changeMachine(t, e, func(m *emulator.Machine) { m.PowerOn = false })
			config = configured(inPlace, fails, test.beside)
			next := d.RefreshAndPlan(ctx, after, config)
			if next.Get("power_on") != true {
				t.Errorf("the next plan: power_on = %v", next.Get("power_on"))
			}
		})
	}
}
