// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestPowerOverAnUpdate: there is one restart, however many reasons there are. In the end power_on and autoreboot_on are
// as configured or, if not configured, as before. The matrix has single changes.
func TestPowerOverAnUpdate(t *testing.T) {
	t.Parallel()
	const reimaged = "reimage distribution=noble root_password=test-only"
	two, four, noAutoreboot := given{"cores": 2, leave: true}, given{"cores": 4, leave: true}, given{"autoreboot_on": false}
	for name, test := range map[string]struct {
		beside, was, to given
		deaf            bool // the guest
		sent            string
		on, reboots     bool
	}{
		"many reasons": {
			was: two,
			to: given{
				"name": "web2", "group": "private", "cores": 4, leave: true, "memory": 4096, "hardware_profile": "compatibility2013",
				"keymap": "de", "reimage.distribution": "noble", "disc": discs("vda:30000", "vdb:5000"),
			},
			sent: "PUT group_id=# name=web2; POST disc label=vdb size=5000; " + stop +
				"PUT cores=4 hardware_profile=compatibility2013 keymap=de memory=4096; PUT disc size=30000; " + reimaged + "; PUT autoreboot_on=true",
			on: true, reboots: true,
		},
		"a deaf guest":              {beside: given{"shutdown_timeout": "30s"}, was: two, to: four, deaf: true, sent: stop + "PUT autoreboot_on=false power_on=false; PUT cores=4; " + start, on: true, reboots: true},
		"no autoreboot, a restart":  {beside: noAutoreboot, was: two, to: four, sent: "signal powerdown; PUT cores=4; " + start + "; PUT autoreboot_on=false", on: true},
		"no autoreboot, a stop":     {was: given{"autoreboot_on": true}, to: with(off, "autoreboot_on", false), sent: "PUT autoreboot_on=false; signal powerdown"},
		"no autoreboot, an image":   {beside: noAutoreboot, to: given{"reimage.distribution": "noble"}, sent: "signal powerdown; " + reimaged, on: true},
		"off, an image":             {beside: off, to: given{"reimage.distribution": "noble"}, sent: reimaged + "; signal powerdown"},
		"off, autoreboot":           {was: with(off, "autoreboot_on", false), to: given{"autoreboot_on": true}, sent: start, on: true, reboots: true},
		"a stop beside more cores":  {beside: noAutoreboot, was: given{"cores": 2}, to: with(off, "cores", 4), sent: "signal powerdown; PUT cores=4"},
		"a start beside more cores": {was: with(off, "cores", 2), to: given{"cores": 4, "power_on": true}, sent: "PUT cores=4; " + start, on: true, reboots: true},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured(inPlace, test.beside, test.was))
			changeMachine(t, e, func(m *emulator.Machine) { m.IgnoresPowerdown = test.deaf })
			applyCleanly(t, d, e, o, configured(inPlace, test.beside, test.to), test.sent)
			expectPower(t, e, test.on, test.reboots)
		})
	}
}

// TestPowerChangedElsewhereAfterThePlan: an update that does not need the power leaves it alone, even if it fails.
func TestPowerChangedElsewhereAfterThePlan(t *testing.T) {
	t.Parallel()
	for _, power := range []struct{ on, autoreboot bool }{{true, true}, {false, true}, {false, false}} {
		for _, fails := range []bool{false, true} {
			inBubbleNamed(t, fmt.Sprintf("%v, fails %t", power, fails), func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				o := d.MustApply(ctx, vmType, nil, configured())
				changeMachine(t, e, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = power.on, power.autoreboot })
				plan := d.Plan(ctx, vmType, d.MustRefresh(ctx, o), configured(given{"disc": discs("vda:30000")}))
				changeMachine(t, e, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = !power.on, !power.on })
				if fails {
					e.Inject(refuse("PUT", "", "", 1))
				}
				if _, diags := d.Apply(ctx, vmType, plan); acctest.HasErrors(diags) != fails {
					t.Fatal(acctest.DiagText(diags))
				}
				time.Sleep(time.Minute)
				expectPower(t, e, !power.on, !power.on)
			})
		}
	}
}

// TestPowerOfAMachineThatWasRestarting: the machine was restarting when it was read, and is on at the apply. It is
// stopped gracefully, as the plan shows.
func TestPowerOfAMachineThatWasRestarting(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 2, leave: true}))
		changeMachine(t, e, func(m *emulator.Machine) { m.PowerOn = false })
		o = d.MustRefresh(ctx, o)
		expectState(t, o, given{"power_on": false, "autoreboot_on": true})
		acctest.ExpectError(t, d.Plan(ctx, vmType, o, configured(given{"cores": 4})).Errors(), "without a restart")
		plan := d.Plan(ctx, vmType, o, configured(given{"cores": 4, leave: true}))
		expectSays(t, plan.Diagnostics, "The update restarts")
		time.Sleep(time.Minute)
		e.ResetJournal()
		mustApply(t, d, plan)
		if got := sent(e); !strings.HasPrefix(got, stop) {
			t.Errorf("sent %s", got)
		}
		time.Sleep(time.Minute)
		expectPower(t, e, true, true)
	})
}

// TestPowerOffWhileTheServiceStartsTheMachine: the machine is off, as configured, and the service is about to start it,
// because somebody has set its autoreboot_on. It stays off unless ignore_changes keeps autoreboot_on. In that case it is
// started, and the error says why.
func TestPowerOffWhileTheServiceStartsTheMachine(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(off))
		changeMachine(t, e, func(m *emulator.Machine) { m.AutorebootOn = true })
		o = d.MustApply(ctx, vmType, d.MustRefresh(ctx, o), configured(off, given{"keymap": "de"}))
		time.Sleep(time.Minute)
		expectPower(t, e, false, false)
		d.ExpectPlan(ctx, d.MustRefresh(ctx, o), configured(off, given{"keymap": "de"}), noop)

		changeMachine(t, e, func(m *emulator.Machine) { m.AutorebootOn = true })
		const ignored = "autoreboot_on"
		o = mustApply(t, d, d.ExpectPlan(ctx, d.MustRefresh(ctx, o), configured(off, given{"keymap": "fr"}), update, ignored))
		time.Sleep(time.Minute)
		plan := d.Plan(ctx, vmType, d.MustRefresh(ctx, o), configured(off, given{"keymap": "fr"}), ignored)
		acctest.ExpectError(t, plan.Errors(), "Conflicting power settings", "also from ignore_changes")
	})
}

// TestPowerSwitchedOnSinceTheRefresh: the plan showed no restart, so the update is refused before anything is sent, and
// the next plan shows it.
func TestPowerSwitchedOnSinceTheRefresh(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]given{
		"cores": {"cores": 4}, "cores, with leave": {"cores": 4, leave: true}, "image": {"reimage.distribution": "noble"},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(inPlace, given{"cores": 2}))
			changeMachine(t, e, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false })
			plan := d.ExpectPlan(ctx, d.MustRefresh(ctx, o), configured(inPlace, given{"cores": 2}, change), update)
			changeMachine(t, e, func(m *emulator.Machine) { m.PowerOn = true })
			e.ResetJournal()
			kept := expectApplyFailure(t, d, plan, `Cannot update virtual machine "web1"`, "switched it on since", "Nothing was changed.")
			expectSent(t, e, "")
			expectState(t, kept, given{"cores": int64(2), "reimage.distribution": "bookworm"})
		})
	}
}

// TestWentOff: the warning says whether the service starts the machine by itself, or it is left off.
func TestWentOff(t *testing.T) {
	t.Parallel()
	const left, starts = "it is left off", "the service starts it by itself"
	for autoreboot, want := range map[bool][]string{true: {starts, left}, false: {left, starts}} {
		inBubbleNamed(t, fmt.Sprintf("autoreboot_on %t", autoreboot), func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured())
			changeMachine(t, e, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, autoreboot })
			_, said := d.Refresh(ctx, o)
			expectSays(t, said, "warning at power_on: The machine has gone off", want[0])
			if text := acctest.DiagText(said); strings.Contains(text, want[1]) {
				t.Errorf("says %q:\n%s", want[1], text)
			}
			time.Sleep(time.Minute)
			expectPower(t, e, autoreboot, autoreboot) // what was said is true
		})
	}
}

// TestPowerThatIsOwedIsNoDrift: after an update that could not restore the power, the plan restores it, and no warning
// says that it is left as it is.
func TestPowerThatIsOwedIsNoDrift(t *testing.T) {
	t.Parallel()
	for name, on := range map[string]bool{"off": false, "on, without autoreboot_on": true} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured())
			changeMachine(t, e, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = on, false })
			private, err := json.Marshal(map[string][]byte{"kept": []byte(`{"owed":{"power":{"power_on":true,"autoreboot_on":true}}}`)})
			if err != nil {
				t.Fatal(err)
			}
			o.Private = private
			plan := d.RefreshAndPlan(ctx, o, configured())
			if said := plan.Warnings(); len(said) != 1 || plan.Get("autoreboot_on") != true || plan.Get("power_on") != true {
				t.Errorf("power_on %v, autoreboot_on %v:\n%s", plan.Get("power_on"), plan.Get("autoreboot_on"), acctest.DiagText(said))
			}
			expectSays(t, plan.Warnings(), "The power of the machine is restored")
		})
	}
}

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
			expectSays(t, diags, "autoreboot_on is false", "Cannot restore the power of virtual machine")
			changeMachine(t, e, func(m *emulator.Machine) { m.PowerOn = false })
			config = configured(inPlace, fails, test.beside)
			next := d.RefreshAndPlan(ctx, after, config)
			if next.Get("power_on") != true {
				t.Errorf("the next plan: power_on = %v", next.Get("power_on"))
			}
		})
	}
}
