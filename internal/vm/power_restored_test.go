// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// patience is how long a provider may take to end after an interrupt.
const patience = 2*time.Minute + time.Second

// brokenUpdate is an update that fails, or is interrupted, at one of its steps.
type brokenUpdate struct {
	beside, was, to given
	elsewhere       func(*emulator.Machine) // before the plan
	fault           emulator.Fault
	interrupt       time.Duration // after the start of the apply; 0: none
	says            []string
	warned          bool          // that the power cannot be restored
	within          time.Duration // after the interrupt; 0: patience
	off             bool          // how the machine is to end
	applied         given         // what the state has of the change
}

// brokenUpdates returns an update with a failure of each step, for each initial power of the machine.
func brokenUpdates() map[string]brokenUpdate {
	const (
		cannotSet     = `Cannot set the power of virtual machine "web1"`
		cannotRestart = `Cannot restart virtual machine "web1"`
	)
	noAutoreboot := given{"autoreboot_on": false}
	two, four := given{"cores": 2, leave: true}, given{"cores": 4, leave: true}
	broken := map[string]brokenUpdate{
		"the start": {was: two, to: four, fault: refuse("PUT", "", `"power_on":true`, 1), says: []string{cannotRestart}},
		"the signal, without autoreboot": { // a guest that was not asked is not waited for
			beside: noAutoreboot, was: two, to: four, fault: refuse("POST", "/signal", "", 1), says: []string{`Cannot stop virtual machine "web1"`, "not today"}, within: 5 * time.Second,
		},
		"the last request, without autoreboot": { // the machine is on again
			beside: noAutoreboot, was: two, to: four, fault: refuse("PUT", "", `{"autoreboot_on":false}`, 1), says: []string{cannotRestart, "not today"}, within: patience / 2,
		},
		"the last look of a stop": {
			was: given{"power_on": true}, to: with(off, "keymap", "de"), fault: refuseAfter("PUT", `{"keymap":"de"}`),
			says: []string{`Cannot read virtual machine "web1"`, "not today"}, off: true, applied: given{"keymap": "de"},
		},
		"the stop after an image": {
			beside: inPlace, to: with(off, "reimage.distribution", "noble"), fault: skipFirst(1, refuse("POST", "/signal", "", 1)), says: []string{cannotSet},
			applied: given{"reimage.distribution": "noble"},
		},
		"the stop after an image of a machine that was off": {
			beside: inPlace, was: given{"reimage.revision": "1"}, to: given{"reimage.revision": "2"}, fault: refuse("POST", "/signal", "powerdown", 1), says: []string{cannotSet},
			elsewhere: func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false }, off: true,
		},
		"its timeout": {
			beside: given{"timeouts.update": "1m"}, was: two, to: four, elsewhere: ignorePowerdown, says: []string{cannotRestart, "Waited 30s", "timed out", "raise timeouts.update"},
		},
	}
	for name, test := range map[string]struct {
		fault   emulator.Fault
		says    string
		applied given
	}{
		"the first PUT":  {fault: refuse("PUT", "", `"autoreboot_on":false`, 1), says: "Cannot stop", applied: given{"cores": int64(2), "disc.0.size": int64(25600)}},
		"the signal":     {fault: refuse("POST", "/signal", "", 1), says: "Cannot stop", applied: given{"cores": int64(2)}},
		"the change":     {fault: refuse("PUT", "", `"cores"`, 1), says: "Cannot update", applied: given{"cores": int64(2), "name": "web2"}},
		"growing":        {fault: refuse("PUT", "", `"size"`, 1), says: `Cannot grow disc "vda" to 30000 megabytes of`, applied: given{"cores": int64(4), "disc.0.size": int64(25600)}},
		"adding":         {fault: refuse("POST", "/discs", "", 1), says: `Cannot add disc "vdb" to`, applied: given{"cores": int64(2), "disc.0.size": int64(25600)}},
		"the image":      {fault: refuse("POST", "/reimage", "", 1), says: "Cannot reimage", applied: given{"disc.1.label": "vdb", "reimage.distribution": "bookworm", "last_imaged_with": "bookworm"}},
		"the autoreboot": {fault: refuse("PUT", "", `{"autoreboot_on":true}`, 1), says: cannotRestart, applied: given{"disc.1.label": "vdb", "reimage.distribution": "noble", "last_imaged_with": "noble"}},
	} {
		broken[name+" of many"] = brokenUpdate{
			beside: inPlace, was: two, to: given{"name": "web2", "cores": 4, leave: true, "disc": discs("vda:30000", "vdb:5000"), "reimage.distribution": "noble"},
			fault: test.fault, says: []string{test.says, "not today"}, applied: test.applied,
		}
	}
	for name, reboots := range map[string]bool{", with autoreboot": true, ", without": false} {
		// If the guest may still shut down later, and the service would not start it again because autoreboot_on is
		// false, a warning says so.
		for at, interrupted := range map[string]brokenUpdate{
			"interrupted while the guest goes down": {interrupt: time.Second, warned: !reboots},
			"interrupted while the guest is deaf":   {interrupt: 10 * time.Second, elsewhere: ignorePowerdown, warned: !reboots},
			"interrupted while it boots":            {interrupt: 40 * time.Second, elsewhere: ignorePowerdown},
		} {
			interrupted.beside, interrupted.was, interrupted.to = given{"autoreboot_on": reboots, "shutdown_timeout": "20s"}, two, four
			interrupted.says = []string{"interrupted"}
			broken[at+name] = interrupted
		}
	}
	return broken
}

func ignorePowerdown(m *emulator.Machine) { m.IgnoresPowerdown = true }

func skipFirst(n int, fault emulator.Fault) emulator.Fault {
	fault.Skip = n
	return fault
}

// refuseAfter returns a fault: the first GET after a request with the method and the body is answered with 403.
func refuseAfter(method, body string) emulator.Fault {
	armed := false
	return emulator.Fault{Status: http.StatusForbidden, Body: "not today", Times: 1, Match: func(r emulator.Request) bool {
		armed = armed || r.Method == method && string(r.Body) == body
		return armed && r.Method == http.MethodGet
	}}
}

// TestPowerIsRestored: after a failure the machine has its previous power, the state matches the machine, and the next
// apply completes the work.
func TestPowerIsRestored(t *testing.T) {
	t.Parallel()
	for name, test := range brokenUpdates() {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(test.beside, test.was))
			if test.elsewhere != nil {
				changeMachine(t, e, test.elsewhere)
				o = d.MustRefresh(ctx, o)
			}
			reboots := onlyMachine(t, e).AutorebootOn && !test.off
			config := configured(test.beside, test.to)
			plan := d.Plan(ctx, vmType, o, config)
			if test.fault.Match != nil {
				e.Inject(test.fault)
			}
			if test.interrupt > 0 {
				stopAfter(t, d, test.interrupt)
			}
			began := time.Now()
			o, diags := d.Apply(ctx, vmType, plan)
			if took := time.Since(began) - test.interrupt; test.within > 0 && took > test.within || took > patience {
				t.Errorf("ended %s after the interrupt", took)
			}
			acctest.ExpectError(t, acctest.Errors(diags), test.says...)
			if text := acctest.DiagText(acctest.Warnings(diags)); strings.Contains(text, "Cannot restore the power of virtual machine") != test.warned {
				t.Errorf("the warnings:\n%s", text)
			}
			expectState(t, o, test.applied)
			time.Sleep(time.Minute)
			if !test.warned {
				expectPower(t, e, !test.off, reboots)
			}
			d = e.NewDriver(t, nil)
			refreshed := d.MustRefresh(ctx, o)
			for _, path := range []string{"power_on", "autoreboot_on", "cores", "name", "disc"} {
				if is := refreshed.Get(path); fmt.Sprint(is) != fmt.Sprint(o.Get(path)) && !test.warned {
					t.Errorf("the state has %s %v after the failure, and the machine %v", path, o.Get(path), is)
				}
			}
			if strings.Contains(name, "of many") && !refreshed.State.Equal(o.State) {
				t.Error("the state after the failure is not what the machine is")
			}
			o = d.MustApply(ctx, vmType, refreshed, config)
			d.ExpectPlan(ctx, o, config, noop)
			if test.warned { // the debt is settled
				expectPower(t, e, !test.off, reboots)
			}
			if is := onlyMachine(t, e); strings.Contains(name, "of many") && (!is.PowerOn || !is.AutorebootOn || is.Images != 2) {
				t.Errorf("power_on %t, autoreboot_on %t, imaged %d times", is.PowerOn, is.AutorebootOn, is.Images)
			}
		})
	}
}

// TestPowerThatComesBackSlowly: the machine is not on again when the provider stops waiting for it. The state is read
// nevertheless.
func TestPowerThatComesBackSlowly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		d, e := acctest.Drive(t, emulator.Options{BootTime: 10 * time.Minute}, nil)
		o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 2, leave: true}))
		e.Inject(refuse("PUT", "", `"size"`, 1))
		config := configured(given{"cores": 4, leave: true, "disc": discs("vda:30000")})
		o, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o, config))
		expectSays(t, diags, "error at disc.0: Cannot grow", "Cannot restore the power")
		expectState(t, o, given{"cores": int64(4), "power_on": false, "disc.0.size": int64(25600)})
		time.Sleep(10 * time.Minute)
		o = d.MustApply(ctx, vmType, d.MustRefresh(ctx, o), config)
		expectState(t, o, given{"power_on": true, "disc.0.size": int64(30000)})
	})
}

// TestPowerOwedAndIgnored: power_on that is in ignore_changes is not restored, and the plan says so.
func TestPowerOwedAndIgnored(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		four := configured(given{"cores": 4, leave: true})
		o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 2, leave: true}))
		remove := e.Inject(refuse("PUT", "", `"power_on":true`, 0))
		o, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o, four, "power_on"))
		expectSays(t, diags, "Cannot restore the power", "unless the configuration sets or ignores them")
		remove()
		plan := e.NewDriver(t, nil).Plan(ctx, vmType, d.MustRefresh(ctx, o), four, "power_on")
		expectSays(t, plan.Warnings(), "warning at power_on: The machine stays off", "is in ignore_changes", `state = "start"`)
	})
}

// TestPowerOwed answers 503 to every PUT after the stop, so that the machine stays off. The next plan shows that its
// power is owed, and the next apply restores it: "apply again" must be advice that works.
func TestPowerOwed(t *testing.T) {
	t.Parallel()
	two, four := given{"cores": 2, leave: true}, given{"cores": 4, leave: true}
	outage := emulator.Fault{Status: http.StatusServiceUnavailable, Match: func(r emulator.Request) bool {
		return r.Method == "PUT" && string(r.Body) != `{"autoreboot_on":false}`
	}}
	noStart := refuse("PUT", "", `"power_on":true`, 0) // and the change is made
	for name, test := range map[string]struct {
		fault       emulator.Fault
		beside, to  given // to: of the next plan
		elsewhere   func(*emulator.Machine)
		plan        acctest.Action
		on, reboots bool
	}{
		"the start fails":            {fault: noStart, to: four, plan: update, on: true, reboots: true},
		"power left alone":           {fault: outage, to: four, plan: update, on: true, reboots: true},
		"without autoreboot":         {fault: outage, beside: given{"autoreboot_on": false}, to: four, plan: update, on: true},
		"stopped by the next plan":   {fault: outage, to: with(with(two, "power_on", false), "keymap", "de"), plan: update},
		"another change in the same": {fault: outage, to: with(two, "keymap", "de"), plan: update, on: true, reboots: true},
		"paid elsewhere":             {fault: noStart, to: four, plan: noop, on: true, reboots: true},
	} {
		inBubbleNamed(t, name, func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			d := e.NewDriver(t, given{"max_retries": 0})
			o := d.MustApply(ctx, vmType, nil, configured(test.beside, two))
			if test.elsewhere != nil {
				changeMachine(t, e, test.elsewhere)
				o = d.MustRefresh(ctx, o)
			}
			remove := e.Inject(test.fault)
			o, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o, configured(test.beside, four)))
			expectSays(t, diags, "error: Cannot ", "Cannot restore the power", "The machine is off.")
			expectState(t, o, given{"power_on": false})
			remove()
			if d = e.NewDriver(t, nil); test.plan == noop {
				changeMachine(t, e, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = true, true })
			}
			e.ResetJournal()
			config := configured(test.beside, test.to)
			plan := d.ExpectPlan(ctx, d.MustRefresh(ctx, o), config, test.plan)
			if text := acctest.DiagText(plan.Diagnostics); strings.Contains(text, "The power of the machine is restored") != (test.on && test.plan == update) {
				t.Errorf("the plan says\n%s", text)
			}
			if o = mustApply(t, d, plan); name == "the start fails" { // the debt makes a plan of its own
				expectSent(t, e, start)
			}
			expectPower(t, e, test.on, test.reboots)
			if d.ExpectPlan(ctx, o, config, noop); strings.Contains(privateState(t, o), "owed") {
				t.Errorf("still owed: %s", o.Private)
			}
			if test.plan == noop { // and stopped on purpose, later
				changeMachine(t, e, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false })
				d.ExpectPlan(ctx, d.MustRefresh(ctx, o), config, noop)
			}
		})
	}
}
