package vm_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestPowerComesBackAfterAFailure lets each step of an update fail in turn. The
// machine must have the power that it had, the state must be what the machine
// is, and the next apply must finish the work.
func TestPowerComesBackAfterAFailure(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault   emulator.Fault
		says    string
		applied given // of the change, after the failure
	}{
		"at the first PUT":  {refuse("PUT", "", `"autoreboot_on":false`, 1), "Cannot stop", given{"cores": int64(2), "disc.0.size": int64(25600)}},
		"at the signal":     {refuse("POST", "/signal", "", 1), "Cannot stop", given{"cores": int64(2)}},
		"at the change":     {refuse("PUT", "", `"cores"`, 1), "Cannot update", given{"cores": int64(2), "name": "web2"}},
		"at growing":        {refuse("PUT", "", `"size"`, 1), `Cannot grow disc "vda" to 30000 megabytes of`, given{"cores": int64(4), "disc.0.size": int64(25600)}},
		"at adding":         {refuse("POST", "/discs", "", 1), `Cannot add disc "vdb" to`, given{"cores": int64(4), "disc.0.size": int64(30000)}},
		"at the reimage":    {refuse("POST", "/reimage", "", 1), "Cannot reimage", given{"disc.1.label": "vdb", "reimage.distribution": "bookworm", "last_imaged_with": "bookworm"}},
		"at the autoreboot": {refuse("PUT", "", `{"autoreboot_on":true}`, 1), "Cannot set the power of", given{"disc.1.label": "vdb", "reimage.distribution": "noble", "last_imaged_with": "noble"}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				o := d.MustApply(ctx, vmType, nil, configured(inPlace, given{"cores": 2, leave: true}))
				config := configured(inPlace, given{
					"name": "web2", "cores": 4, leave: true, "disc": discs("vda:30000", "vdb:5000"), "reimage.distribution": "noble",
				})
				e.Inject(test.fault)
				plan := d.Plan(ctx, vmType, o, config)
				failed, diags := d.Apply(ctx, vmType, plan)
				acctest.ExpectError(t, acctest.Errors(diags), test.says, "not today")
				if m := only(t, e); !m.PowerOn {
					t.Error("the machine is left off")
				}
				expectState(t, failed, test.applied)
				expectState(t, failed, given{"power_on": true})
				if refreshed := d.MustRefresh(ctx, failed); !refreshed.State.Equal(failed.State) {
					t.Error("the state after the failure is not what the machine is")
				}
				o = d.MustApply(ctx, vmType, d.MustRefresh(ctx, failed), config)
				d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
				if m := only(t, e); !m.PowerOn || !m.AutorebootOn || m.Images != 2 {
					t.Errorf("power_on %t, autoreboot_on %t, imaged %d times", m.PowerOn, m.AutorebootOn, m.Images)
				}
			})
		})
	}
}

// TestPowerChangedElsewhereAfterThePlan: an update that does not need the power
// leaves it alone, also when it fails.
func TestPowerChangedElsewhereAfterThePlan(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]given{
		"name": {"name": "web2"}, "grow": {"disc": discs("vda:30000")}, "add": {"disc": discs("vda:25600", "data:5000")},
		"cores": {"cores": 1}, "switch": {"purge_on_destroy": false},
	} {
		for _, power := range []struct{ on, autoreboot bool }{{true, true}, {false, true}, {false, false}} {
			for _, fails := range []bool{false, true} {
				inBubbleNamed(t, fmt.Sprintf("%s of %v, fails %t", name, power, fails), func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
					ctx := t.Context()
					o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 2, leave: true}))
					set := func(on, autoreboot bool) {
						t.Helper()
						if err := e.Change(only(t, e).ID, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = on, autoreboot }); err != nil {
							t.Fatal(err)
						}
					}
					set(power.on, power.autoreboot)
					plan := d.Plan(ctx, vmType, d.MustRefresh(ctx, o), configured(given{"cores": 2, leave: true}, change))
					set(!power.on, !power.on)
					if fails {
						e.Inject(refuse("PUT", "", "", 1))
						e.Inject(refuse("POST", "", "", 1))
					}
					if _, diags := d.Apply(ctx, vmType, plan); acctest.HasErrors(diags) != (fails && name != "switch") {
						t.Fatal(acctest.DiagText(diags))
					}
					time.Sleep(time.Minute)
					if m := only(t, e); m.PowerOn == power.on || m.AutorebootOn == power.on {
						t.Errorf("power_on %t, autoreboot_on %t", m.PowerOn, m.AutorebootOn)
					}
				})
			}
		}
	}
}

// TestPowerOfAMachineThatWasRestarting when it was read is on at the apply: it is
// stopped gracefully, as the plan says.
func TestPowerOfAMachineThatWasRestarting(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 2, leave: true}))
		if err := e.Change(only(t, e).ID, func(m *emulator.Machine) { m.PowerOn = false }); err != nil {
			t.Fatal(err)
		}
		o = d.MustRefresh(ctx, o)
		expectState(t, o, given{"power_on": false, "autoreboot_on": true})
		acctest.ExpectError(t, acctest.Errors(d.Plan(ctx, vmType, o, configured(given{"cores": 4})).Diagnostics), "without a restart")
		plan := d.Plan(ctx, vmType, o, configured(given{"cores": 4, leave: true}))
		if text := acctest.DiagText(plan.Diagnostics); !strings.Contains(text, "The update restarts") {
			t.Errorf("the plan says\n%s", text)
		}
		time.Sleep(time.Minute)
		e.ResetJournal()
		if _, diags := d.Apply(ctx, vmType, plan); acctest.HasErrors(diags) {
			t.Fatal(acctest.DiagText(diags))
		}
		if got := sent(e); !strings.HasPrefix(got, stop) {
			t.Errorf("sent %s", got)
		}
		time.Sleep(time.Minute)
		if m := only(t, e); !m.PowerOn || !m.AutorebootOn || m.Cores != 4 {
			t.Errorf("power_on %t, autoreboot_on %t, cores %d", m.PowerOn, m.AutorebootOn, m.Cores)
		}
	})
}

func TestPowerStartThatFailsIsTriedAgain(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 2, leave: true}))
		e.Inject(refuse("PUT", "", `"power_on":true`, 1))
		failed, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o, configured(given{"cores": 4, leave: true})))
		acctest.ExpectError(t, acctest.Errors(diags), "Cannot set the power of")
		if m := only(t, e); !m.PowerOn || !m.AutorebootOn {
			t.Errorf("power_on %t, autoreboot_on %t", m.PowerOn, m.AutorebootOn)
		}
		d.ExpectPlan(ctx, failed, configured(given{"cores": 4, leave: true}), acctest.ActionNoOp)
	})
}

func TestPowerThatCannotComeBackIsSaid(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 2, leave: true, "power_on": true}))
		e.Inject(refuse("PUT", "", `"cores"`, 1))
		remove := e.Inject(refuse("PUT", "", `"autoreboot_on":true`, 0))
		config := configured(given{"cores": 4, leave: true, "power_on": true})
		failed, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o, config))
		acctest.ExpectError(t, acctest.Errors(diags), "Cannot update")
		if text := acctest.DiagText(acctest.Warnings(diags)); !strings.Contains(text, `Cannot restore the power of virtual machine "web1"`) {
			t.Errorf("no warning of the lost power:\n%s", text)
		}
		expectState(t, failed, given{"power_on": false, "cores": int64(2)})
		remove()
		o = d.MustApply(ctx, vmType, failed, config)
		expectState(t, o, given{"power_on": true, "cores": int64(4)})
	})
}

// TestPowerThatComesBackSlowly has a machine that is not on again when the
// provider gives up waiting for it: the state is read all the same.
func TestPowerThatComesBackSlowly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		d, e := acctest.Drive(t, emulator.Options{BootTime: 10 * time.Minute}, nil)
		o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 2, leave: true}))
		e.Inject(refuse("PUT", "", `"size"`, 1))
		config := configured(given{"cores": 4, leave: true, "disc": discs("vda:30000")})
		failed, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o, config))
		acctest.ExpectError(t, acctest.Errors(diags), "Cannot grow")
		if text := acctest.DiagText(acctest.Warnings(diags)); !strings.Contains(text, "Cannot restore the power") {
			t.Errorf("no warning of the power:\n%s", text)
		}
		expectState(t, failed, given{"cores": int64(4), "power_on": false, "disc.0.size": int64(25600)})
		time.Sleep(10 * time.Minute)
		o = d.MustApply(ctx, vmType, d.MustRefresh(ctx, failed), config)
		expectState(t, o, given{"power_on": true, "disc.0.size": int64(30000)})
	})
}

// TestPowerAfterAReimageThatWasToEndOff fails when the new image is installed
// and the machine is off again.
func TestPowerAfterAReimageThatWasToEndOff(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(inPlace))
		config := configured(inPlace, off, given{"reimage.distribution": "noble"})
		signal := refuse("POST", "/signal", "", 1)
		signal.Skip = 1 // the one before the reimage
		e.Inject(signal)
		failed, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o, config))
		acctest.ExpectError(t, acctest.Errors(diags), "Cannot set the power of")
		expectState(t, failed, given{"power_on": true, "autoreboot_on": true, "reimage.distribution": "noble"})
		o = d.MustApply(ctx, vmType, d.MustRefresh(ctx, failed), config)
		expectState(t, o, given{"power_on": false, "autoreboot_on": false})
		if m := only(t, e); m.Images != 2 || m.PowerOn || m.AutorebootOn {
			t.Errorf("power_on %t, autoreboot_on %t, imaged %d times", m.PowerOn, m.AutorebootOn, m.Images)
		}
	})
}
