package vm_test

import (
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestSwitchedOffBeforeItIsReady: somebody switches a machine off while an apply waits until it is ready. The wait ends
// long before its deadline and says so, and the power is left alone.
func TestSwitchedOffBeforeItIsReady(t *testing.T) {
	t.Parallel()
	for name, creates := range map[string]bool{"create": true, "update": false} {
		inWorldNamed(t, name, emulator.Options{Guests: true, GuestBoot: time.Hour}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			var o *acctest.Object
			if !creates {
				o = d.MustApply(ctx, vmType, nil, configured(given{"cores": 2, leave: true}))
			}
			config := configured(awaited, given{"cores": 4, leave: true, "ready.timeout": "30m"})
			plan := d.Plan(ctx, vmType, o, config)
			began := time.Now()
			time.AfterFunc(10*time.Minute, func() {
				changeMachine(t, e, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false })
				e.ResetJournal()
			})
			now, diags := d.Apply(ctx, vmType, plan)
			acctest.ExpectError(t, acctest.Errors(diags), "but it is not ready", "omebody switched the machine off")
			if took := time.Since(began); took > 13*time.Minute {
				t.Errorf("the wait took %s", took)
			}
			expectSent(t, e, "")
			now = d.MustRefresh(ctx, now.Untaint())
			expectState(t, now, given{"power_on": false, "autoreboot_on": false})
			if plan := d.Plan(ctx, vmType, now, config); plan.Action != noop {
				t.Errorf("something is owed: %v\n%s", plan.Changes(), acctest.DiagText(plan.Diagnostics))
			}
		})
	}
}
