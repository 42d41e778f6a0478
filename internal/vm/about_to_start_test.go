// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// reboots is what the service reports of a machine that is rebooting: it is about to start it.
func reboots(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, true }

// TestMachineAboutToStartCountsAsOn: the machine is rebooting when it is planned. After a failure it is on, and it is not
// stopped for that.
func TestMachineAboutToStartCountsAsOn(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		booted bool // before the apply
		fault  emulator.Fault
		sent   string
	}{
		"on by now, the signal fails": {booted: true, fault: refuse("POST", "/signal", "", 1), sent: stop + "PUT autoreboot_on=true"},
		"still off, the change fails": {fault: refuse("PUT", "", `"cores"`, 1), sent: "PUT autoreboot_on=false power_on=false; PUT cores=4; " + start},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured(given{"cores": 2, leave: true}))
			changeMachine(t, e, reboots)
			plan := d.Plan(t.Context(), vmType, d.MustRefresh(t.Context(), o), configured(given{"cores": 4, leave: true}))
			if test.booted {
				time.Sleep(time.Minute)
			}
			e.Inject(test.fault)
			e.ResetJournal()
			expectApplyFailure(t, d, plan, "not today")
			expectSent(t, e, test.sent)
			expectPower(t, e, true, true)
		})
	}
}

// TestAboutToStartIsLeftToComeOn: it is stopped only if power_on = false is configured, and then last_change says so.
func TestAboutToStartIsLeftToComeOn(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		was, to given
		sent    string
		on      bool
		stops   any
	}{
		"without autoreboot":    {to: given{"autoreboot_on": false}, sent: start + "; PUT autoreboot_on=false", on: true},
		"stays off":             {was: off, to: with(off, "keymap", "de"), sent: "PUT keymap=de; PUT autoreboot_on=false power_on=false", stops: "power_on = false"},
		"stays off, explicitly": {was: off, to: with(off, "autoreboot_on", false), sent: "PUT autoreboot_on=false power_on=false", stops: "power_on = false"},
		"another change":        {to: given{"keymap": "de"}, sent: "PUT keymap=de", on: true},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured(test.was))
			changeMachine(t, e, reboots)
			o = applyCleanly(t, d, e, o, configured(test.to), test.sent)
			cost, _ := o.Get("last_change").(map[string]any)
			if cost["stops"] != test.stops {
				t.Errorf("last_change is %v", o.Get("last_change"))
			}
			time.Sleep(time.Minute)
			if m := onlyMachine(t, e); m.PowerOn != test.on {
				t.Errorf("it is on: %t", m.PowerOn)
			}
		})
	}
}

// TestRolloutEndsWithAMachineThatWasAboutToStart: its update fails while it is off, and no other machine goes down beside
// it. Nor does one beside a machine that has gone off since the plan.
func TestRolloutEndsWithAMachineThatWasAboutToStart(t *testing.T) {
	t.Parallel()
	off := func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false }
	for name, test := range map[string]struct {
		before, since func(*emulator.Machine) // the plan
		fault         emulator.Fault
	}{
		"its update fails": {before: reboots, fault: refuse("PUT", "", `"cores"`, 1)},
		"it has gone off":  {since: off},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				settings := given{"max_unavailable": 1}
				d, e := acctest.Drive(t, emulator.Options{BootTime: 34 * time.Second, ShutdownTime: 5 * time.Second}, settings)
				plans := make([]*acctest.PlanResult, 2)
				for i, name := range []string{"web1", "web2"} {
					o := d.MustApply(t.Context(), vmType, nil, named(name, given{"cores": 2, leave: true}))
					id := parsed(o.Get("id"))
					if i == 0 && test.before != nil {
						_ = e.Change(id, test.before)
					}
					plans[i] = d.Plan(t.Context(), vmType, d.MustRefresh(t.Context(), o), named(name, given{"cores": 4, leave: true}))
					if i == 0 && test.since != nil {
						_ = e.Change(id, test.since)
					}
				}
				if test.fault.Match != nil {
					e.Inject(test.fault)
				}
				e.ResetPower()
				expectApplyFailure(t, d, plans[0], "Cannot update")
				expectApplyFailure(t, d, plans[1], `the rollout ended with virtual machine "web1"`)
			})
		})
	}
}
