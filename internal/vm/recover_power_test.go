package vm_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// patience is how long a provider may take to end after an interrupt.
const patience = 2*time.Minute + time.Second

// expectRecovered wants the machine on with the autoreboot_on that it had, once
// what is under way has ended, and the state to be what the machine is.
func expectRecovered(t *testing.T, d *acctest.Driver, e *acctest.Emulator, o *acctest.Object, autoreboot bool) {
	t.Helper()
	time.Sleep(time.Minute)
	if is := only(t, e); !is.PowerOn || is.AutorebootOn != autoreboot {
		t.Errorf("power_on %t, autoreboot_on %t, want true, %t", is.PowerOn, is.AutorebootOn, autoreboot)
	}
	expectState(t, o, given{"power_on": true, "autoreboot_on": autoreboot})
	if refreshed := d.MustRefresh(t.Context(), o); refreshed.Get("power_on") != true || refreshed.Get("autoreboot_on") != autoreboot {
		t.Error("a refresh shows other power than the state after the failure")
	}
}

// TestRecoverFromASignalThatWasRefused waits for no guest that was not asked.
func TestRecoverFromASignalThatWasRefused(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		settings := given{"autoreboot_on": false}
		o := d.MustApply(ctx, vmType, nil, configured(settings, given{"cores": 2, leave: true}))
		plan := d.Plan(ctx, vmType, o, configured(settings, given{"cores": 4, leave: true}))
		e.Inject(refuse("POST", "/signal", "", 1))
		began := time.Now()
		o, diags := d.Apply(ctx, vmType, plan)
		acctest.ExpectError(t, acctest.Errors(diags), `Cannot stop virtual machine "web1"`, "not today")
		if took := time.Since(began); took > 5*time.Second || len(acctest.Warnings(diags)) > 1 {
			t.Errorf("ended after %s with\n%s", took, acctest.DiagText(diags))
		}
		expectRecovered(t, d, e, o, false)
	})
}

// refuseAfter is a fault: the first GET after a request of the method with that
// body is answered 403.
func refuseAfter(method, body string) emulator.Fault {
	armed := false
	return emulator.Fault{Status: http.StatusForbidden, Body: "not today", Times: 1, Match: func(r emulator.Request) bool {
		armed = armed || r.Method == method && string(r.Body) == body
		return armed && r.Method == http.MethodGet
	}}
}

// TestRecoverLeavesAMachineOffThatWasToBeOff fails at the look that ends an
// update which has done all its work.
func TestRecoverLeavesAMachineOffThatWasToBeOff(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(given{"power_on": true, "autoreboot_on": true}))
		config := configured(off, given{"keymap": "de"})
		plan := d.Plan(ctx, vmType, o, config)
		e.ResetJournal()
		e.Inject(refuseAfter("PUT", `{"keymap":"de"}`))
		o, diags := d.Apply(ctx, vmType, plan)
		acctest.ExpectError(t, acctest.Errors(diags), `Cannot read virtual machine "web1"`, "not today")
		expectSent(t, e, stop+"PUT keymap=de")
		expectState(t, o, given{"power_on": false, "autoreboot_on": false})
		d.ExpectPlan(ctx, o, config, noop)
	})
}

// TestRecoverWaitsForNoGuestThatHasGoneDown lets the last request of a restart
// fail: the machine is on again by then, and nothing is to be waited for.
func TestRecoverWaitsForNoGuestThatHasGoneDown(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		settings := given{"autoreboot_on": false}
		o := d.MustApply(ctx, vmType, nil, configured(settings, given{"cores": 2, leave: true}))
		config := configured(settings, given{"cores": 4, leave: true})
		plan := d.Plan(ctx, vmType, o, config)
		e.Inject(refuse(http.MethodPut, "", `{"autoreboot_on":false}`, 1))
		began := time.Now()
		o, diags := d.Apply(ctx, vmType, plan)
		acctest.ExpectError(t, acctest.Errors(diags), `Cannot set the power of virtual machine "web1"`, "not today")
		if text := acctest.DiagText(diags); strings.Contains(text, "Cannot restore the power") || time.Since(began) > patience/2 {
			t.Errorf("after %s:\n%s", time.Since(began), text)
		}
		expectRecovered(t, d, e, o, false)
		d.ExpectPlan(ctx, o, config, noop)
	})
}
