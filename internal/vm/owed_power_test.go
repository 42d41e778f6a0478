package vm_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestOwedPower answers 503 to every PUT after the stop, so that the machine
// stays off. The next plan shows the debt, and the next apply pays it: with a
// restored service, "apply again" must be advice that works.
func TestOwedPower(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		settings given
		to       given // of the next plan
		on       bool
		reboots  bool
		says     string
	}{
		"autoreboot off elsewhere":   {nil, given{"cores": 4, leave: true}, true, false, "The power of virtual machine"},
		"the start fails":            {nil, given{"cores": 4, leave: true}, true, true, "The power of virtual machine"},
		"power left alone":           {nil, given{"cores": 4, leave: true}, true, true, "The power of virtual machine"},
		"without autoreboot":         {given{"autoreboot_on": false}, given{"cores": 4, leave: true}, true, false, "The power of virtual machine"},
		"power configured":           {given{"power_on": true}, given{"cores": 4, leave: true}, true, true, "The power of virtual machine"},
		"the change taken back":      {nil, given{"cores": 2, leave: true}, true, true, "The power of virtual machine"},
		"stopped by the next plan":   {nil, given{"cores": 2, leave: true, "power_on": false, "keymap": "de"}, false, false, ""},
		"another change in the same": {nil, given{"cores": 2, leave: true, "keymap": "de"}, true, true, "The power of virtual machine"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				d := e.NewDriver(t, map[string]any{"max_retries": 0})
				o := d.MustApply(ctx, vmType, nil, configured(test.settings, given{"cores": 2, leave: true}))
				if name == "autoreboot off elsewhere" {
					meanwhile(t, e, func(m *emulator.Machine) { m.AutorebootOn = false })
					o = d.MustRefresh(ctx, o)
				}
				plan := d.Plan(ctx, vmType, o, configured(test.settings, given{"cores": 4, leave: true}))
				fails := []string{"Cannot update", "503"}
				fault := emulator.Fault{Status: http.StatusServiceUnavailable, Match: func(r emulator.Request) bool {
					return r.Method == "PUT" && string(r.Body) != `{"autoreboot_on":false}`
				}}
				if name == "the start fails" || name == "autoreboot off elsewhere" { // and the change is made
					fault, fails = refuse("PUT", "", `"power_on":true`, 0), []string{"Cannot set the power of"}
				}
				remove := e.Inject(fault)
				failed, diags := d.Apply(ctx, vmType, plan)
				acctest.ExpectError(t, acctest.Errors(diags), fails...)
				if text := acctest.DiagText(acctest.Warnings(diags)); !strings.Contains(text, "Cannot restore the power") || !strings.Contains(text, "Run apply again") {
					t.Errorf("the warnings:\n%s", text)
				}
				if is := only(t, e); is.PowerOn {
					t.Fatal("the machine is on")
				}
				remove()
				d = e.NewDriver(t, nil)
				e.ResetJournal()
				config := configured(test.settings, test.to)
				plan = d.ExpectPlan(ctx, failed, config, update)
				if text := acctest.DiagText(plan.Diagnostics); !strings.Contains(text, test.says) || strings.Contains(text, "The power of") != (test.says != "") {
					t.Errorf("the plan says\n%s", text)
				}
				o, diags = d.Apply(ctx, vmType, plan)
				if acctest.HasErrors(diags) {
					t.Fatal(acctest.DiagText(diags))
				}
				if name == "the start fails" { // the debt makes a plan of its own
					expectSent(t, e, start)
				}
				if is := only(t, e); is.PowerOn != test.on || is.AutorebootOn != test.reboots {
					t.Errorf("power_on %t, autoreboot_on %t", is.PowerOn, is.AutorebootOn)
				}
				d.ExpectPlan(ctx, o, config, noop)
				if strings.Contains(privateState(t, o), "owed") {
					t.Errorf("still owed: %s", o.Private)
				}
			})
		})
	}
}

// TestOwedPowerPaidElsewhere: somebody has started the machine meanwhile.
func TestOwedPowerPaidElsewhere(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		d := e.NewDriver(t, map[string]any{"max_retries": 0})
		o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 2, leave: true}))
		plan := d.Plan(ctx, vmType, o, configured(given{"cores": 4, leave: true}))
		remove := e.Inject(refuse("PUT", "", `"power_on":true`, 0))
		failed, _ := d.Apply(ctx, vmType, plan)
		remove()
		meanwhile(t, e, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = true, true })
		d = e.NewDriver(t, nil)
		o = d.MustRefresh(ctx, failed)
		d.ExpectPlan(ctx, o, configured(given{"cores": 4, leave: true}), noop)
		meanwhile(t, e, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false }) // stopped on purpose, later
		d.ExpectPlan(ctx, d.MustRefresh(ctx, o), configured(given{"cores": 4, leave: true}), noop)
	})
}

// TestImportOfAMachineThatIsNotDescribedYet leaves no state of nulls behind.
func TestImportOfAMachineThatIsNotDescribedYet(t *testing.T) {
	inWorld(t, emulator.Options{DescribeAfter: time.Minute}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured())
		fresh := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web2"})
		e.Inject(emulator.Fault{Status: http.StatusAccepted, Times: 1, Match: func(r emulator.Request) bool { return r.Method == "GET" }})
		imported, diags := d.Import(ctx, vmType, idOf(fresh))
		acctest.ExpectError(t, diags, "Cannot import", "still being created", "again in a minute")
		if imported != nil {
			t.Errorf("imported: %v", imported.Get(""))
		}
		d.ExpectPlan(ctx, o, configured(), noop)
	})
}
