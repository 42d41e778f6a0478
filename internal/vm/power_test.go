package vm_test

import (
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestPowerStopsGracefullyAndHardAfterTheTimeout(t *testing.T) {
	t.Parallel()
	const shutdownTimeout = 30 * time.Second
	for name, guest := range map[string]struct {
		deaf bool
		sent string
	}{
		"a guest that obeys":    {false, stop + "PUT cores=4; " + start},
		"a guest that does not": {true, stop + "PUT autoreboot_on=false power_on=false; PUT cores=4; " + start},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 2, leave: true, "shutdown_timeout": "30s"}))
				meanwhile(t, e, func(m *emulator.Machine) { m.IgnoresPowerdown = guest.deaf })
				e.ResetJournal()
				began := time.Now()
				o = d.MustApply(ctx, vmType, o, configured(given{"cores": 4, leave: true, "shutdown_timeout": "30s"}))
				took := time.Since(began)
				expectSent(t, e, guest.sent)
				if waited := took >= shutdownTimeout+34*time.Second; waited != guest.deaf {
					t.Errorf("the update took %s", took)
				}
				expectState(t, o, given{"cores": int64(4), "power_on": true, "autoreboot_on": true})
			})
		})
	}
}

func TestPowerOneRestartForManyReasons(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(inPlace, given{"cores": 2, leave: true, "memory": 2048}))
		e.ResetJournal()
		config := configured(inPlace, given{
			"name": "web2", "group": "private", "cores": 4, leave: true, "memory": 4096, "hardware_profile": "compatibility2013",
			"keymap": "de", "reimage.distribution": "noble", "disc": discs("vda:30000", "vdb:5000"),
		})
		d.MustApply(ctx, vmType, o, config)
		expectSent(t, e, "PUT group_id=# name=web2; "+stop+
			"PUT cores=4 hardware_profile=compatibility2013 keymap=de memory=4096; "+
			"PUT disc size=30000; POST disc label=vdb size=5000; "+
			"reimage distribution=noble root_password=test-only; PUT autoreboot_on=true")
	})
}

func TestPowerAutorebootIsAsWritten(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		was, config given
		sent        string
		on, reboots bool
	}{
		"false over a restart":   {given{"autoreboot_on": false, "cores": 2, leave: true}, given{"autoreboot_on": false, "cores": 4, leave: true}, "signal powerdown; PUT cores=4; " + start + "; PUT autoreboot_on=false", true, false},
		"true over a restart":    {given{"autoreboot_on": true, "cores": 2, leave: true}, given{"autoreboot_on": true, "cores": 4, leave: true}, stop + "PUT cores=4; " + start, true, true},
		"absent while it stops":  {nil, given{"power_on": false}, "PUT autoreboot_on=false; signal powerdown", false, false},
		"absent while it starts": {off, given{"power_on": true}, start, true, true},
		"absent over a reimage":  {nil, given{"reimage.distribution": "noble"}, stop + "reimage distribution=noble root_password=test-only; PUT autoreboot_on=true", true, true},
		"false while it stops":   {given{"autoreboot_on": true}, given{"autoreboot_on": false, "power_on": false}, "PUT autoreboot_on=false; signal powerdown", false, false},
		"false while it starts":  {given{"autoreboot_on": false, "power_on": false}, given{"autoreboot_on": false, "power_on": true}, start + "; PUT autoreboot_on=false", true, false},
		"true on a machine off":  {given{"autoreboot_on": false, "power_on": false}, given{"autoreboot_on": true}, start, true, true},
		"absent over a restart":  {given{"cores": 2, leave: true}, given{"cores": 4, leave: true}, stop + "PUT cores=4; " + start, true, true},
		"false over a reimage":   {with(inPlace, "autoreboot_on", false), given{"autoreboot_on": false, "reimage.distribution": "noble"}, "signal powerdown; reimage distribution=noble root_password=test-only", true, false},
		"off over a reimage":     {off, with(off, "reimage.distribution", "noble"), "reimage distribution=noble root_password=test-only; signal powerdown", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				o := d.MustApply(ctx, vmType, nil, configured(inPlace, test.was))
				e.ResetJournal()
				config := configured(inPlace, test.config)
				o = d.MustApply(ctx, vmType, o, config)
				expectSent(t, e, test.sent)
				if m := only(t, e); m.PowerOn != test.on || m.AutorebootOn != test.reboots {
					t.Errorf("power_on %t, autoreboot_on %t", m.PowerOn, m.AutorebootOn)
				}
				d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
			})
		})
	}
}

func TestPowerStopOrStartBesideAChangeThatNeedsOff(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 2, "autoreboot_on": false}))
		e.ResetJournal()
		o = d.MustApply(ctx, vmType, o, configured(given{"cores": 4, "autoreboot_on": false, "power_on": false}))
		expectSent(t, e, "signal powerdown; PUT cores=4")
		d.MustApply(ctx, vmType, o, configured(given{"cores": 8, "autoreboot_on": true, "power_on": true}))
		expectSent(t, e, "PUT cores=8; "+start)
	})
}

// TestPowerSwitchedOnSinceTheRefresh: nobody saw a restart in the plan, so the
// update is refused before anything is sent, and the next plan shows it.
func TestPowerSwitchedOnSinceTheRefresh(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]given{
		"cores": {"cores": 4}, "cores, with leave": {"cores": 4, leave: true}, "image": {"reimage.distribution": "noble"},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(inPlace, given{"cores": 2}))
			meanwhile(t, e, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false })
			plan := d.ExpectPlan(ctx, d.MustRefresh(ctx, o), configured(inPlace, given{"cores": 2}, change), update)
			meanwhile(t, e, func(m *emulator.Machine) { m.PowerOn = true })
			e.ResetJournal()
			failed, diags := d.Apply(ctx, vmType, plan)
			acctest.ExpectError(t, acctest.Errors(diags), `Cannot update virtual machine "web1"`, "switched it on since", "Nothing was changed.")
			expectSent(t, e, "")
			expectState(t, failed, given{"power_on": true, "cores": int64(2), "reimage.distribution": "bookworm"})
		})
	}
}

// TestPowerOfADeafGuestInShortTime: a shutdown_timeout that is longer than the
// whole operation leaves time for what comes after it.
func TestPowerOfADeafGuestInShortTime(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		patient := given{"shutdown_timeout": "1h", "shutdown_before_destroy": true, "timeouts.update": "2m", "timeouts.delete": "1m", leave: true}
		o := d.MustApply(ctx, vmType, nil, configured(patient, given{"cores": 2}))
		meanwhile(t, e, func(m *emulator.Machine) { m.IgnoresPowerdown = true })
		o = d.MustApply(ctx, vmType, o, configured(patient, given{"cores": 4}))
		expectState(t, o, given{"cores": int64(4), "power_on": true})
		d.MustApply(ctx, vmType, o, nil)
		if left := e.Machines(); len(left) > 0 {
			t.Errorf("left: %+v", left)
		}
	})
}

// meanwhile lets somebody change the one machine behind the provider's back.
func meanwhile(t *testing.T, e *acctest.Emulator, f func(*emulator.Machine)) {
	t.Helper()
	if err := e.Change(only(t, e).ID, f); err != nil {
		t.Fatal(err)
	}
}
