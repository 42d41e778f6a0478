package vm_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// TestAnewWithAnotherDiscFirst follows the advice of the refusal to boot from
// another disc.
func TestAnewWithAnotherDiscFirst(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(given{"disc": discs("vda:25600", "vdb:5000")}))
		swapped := configured(given{"disc": discs("vdb:5000", "vda:25600")})
		acctest.ExpectError(t, d.Plan(ctx, vmType, o, swapped).Diagnostics, "Cannot change the boot disc", "terraform destroy -refresh=false -target=ADDRESS")
		d.MustApply(ctx, vmType, o, nil)
		d.MustApply(ctx, vmType, nil, swapped)
		if boot := only(t, e).Discs[0].Label; boot != "vdb" {
			t.Errorf("boots from %s", boot)
		}
	})
}

// TestTaintedByAnInterruptedCreate: where replacing would only soft-delete, the
// name would stay taken, and the error says so.
func TestTaintedByAnInterruptedCreate(t *testing.T) {
	t.Parallel()
	for name, purges := range map[string]bool{"purged": true, "soft-deleted": false} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				config := configured(given{"purge_on_destroy": purges, "timeouts.create": "10s"})
				o, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, nil, config))
				acctest.ExpectError(t, acctest.Errors(diags), "but it is not ready")
				if said := strings.Contains(acctest.DiagText(diags), "its name stays taken: untaint it"); said == purges {
					t.Errorf("purge_on_destroy is %t, and the error says\n%s", purges, acctest.DiagText(diags))
				}
				time.Sleep(time.Minute)
				d.ExpectPlan(ctx, o.Untaint(), config, noop)
			})
		})
	}
}
