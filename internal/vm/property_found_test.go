package vm_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// These tests are what the property test has found, each at its smallest.

// found runs a test at a service with a second account, in a bubble.
func found(t *testing.T, test func(t *testing.T, d *acctest.Driver, e *acctest.Emulator)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		e.AddAccount("other", false)
		test(t, d, e)
	})
}

func machineConfig(settings ...object) object {
	config := object{"name": "web1", "cores": 1, leave: true, "disc": objects{{"label": "vda", "size": 25600}}}
	for _, more := range settings {
		for name, value := range more {
			config[name] = value
		}
	}
	return config
}

// TestMoveToAnotherAccountGoesOnThere: whatever follows the move in one update is
// asked for in the new account.
func TestMoveToAnotherAccountGoesOnThere(t *testing.T) {
	found(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		o := d.MustApply(t.Context(), vmType, nil, machineConfig())
		config := machineConfig(object{"account": "other", "group": "default", "cores": 2})
		o = d.MustApply(t.Context(), vmType, o, config)
		if m := e.Machines()[0]; !m.PowerOn || m.Account != "other" || m.Cores != 2 {
			t.Errorf("%+v", m)
		}
		d.ExpectPlan(t.Context(), o, config, acctest.ActionNoOp)
	})
}

// TestPowerThatCannotBeRestoredIsOwed: the next plan shows it, the next apply
// pays it, and no plan is empty before.
func TestPowerThatCannotBeRestoredIsOwed(t *testing.T) {
	found(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, machineConfig())
		config := machineConfig(object{"cores": 2})
		plan := d.Plan(ctx, vmType, o, config)
		disarm := e.Inject(emulator.Fault{Status: http.StatusForbidden, Match: func(r emulator.Request) bool {
			return r.Method == http.MethodPut && strings.Contains(string(r.Body), `"power_on":true`)
		}})
		o, diags := d.Apply(ctx, vmType, plan)
		disarm()
		if !acctest.HasErrors(diags) {
			t.Fatal("not failed")
		}
		next := d.ExpectPlan(ctx, o, config, acctest.ActionUpdate)
		if next.Get("power_on") != true || next.Get("autoreboot_on") != true {
			t.Errorf("power_on %v, autoreboot_on %v", next.Get("power_on"), next.Get("autoreboot_on"))
		}
		o = d.MustApply(ctx, vmType, d.MustRefresh(ctx, o), config)
		if m := e.Machines()[0]; !m.PowerOn || !m.AutorebootOn {
			t.Errorf("%+v", m)
		}
		d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
	})
}
