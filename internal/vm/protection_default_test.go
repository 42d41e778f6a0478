package vm_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// TestProtectionByDefault: deletion_protection of the provider block protects every machine that does not say otherwise,
// as long as it is configured. It is in no state, so that raising or lowering it plans nothing.
func TestProtectionByDefault(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		protecting := e.NewDriver(t, object{"deletion_protection": true})
		two := configured(off, given{"disc": discs("vda:25600", "data:5000")})
		o := d.MustApply(ctx, vmType, nil, two)
		protecting.ExpectPlan(ctx, o, two, noop)
		expectSays(t, protecting.ExpectPlan(ctx, o, configured(off), refused).Errors(), "Cannot purge disc", "the provider's deletion_protection")
		expectSays(t, protecting.ExpectPlan(ctx, o, configured(two, given{"zone_name": "manchester"}), refused).Errors(), "Cannot replace")
		expectSays(t, protecting.Plan(ctx, vmType, o, nil).Errors(), "Cannot destroy")
		if created := protecting.MustApply(ctx, vmType, nil, configured(off, given{"name": "web2"})); created.Get("deletion_protection") != nil {
			t.Errorf("a new machine has %v", created.Get("deletion_protection"))
		}

		// To lift it for one machine takes an apply of its own.
		open := configured(off, given{"deletion_protection": false})
		expectSays(t, protecting.ExpectPlan(ctx, o, open, refused).Errors(), "Cannot purge disc")
		lifted := protecting.MustApply(ctx, vmType, o, configured(two, given{"deletion_protection": false}))
		protecting.ExpectPlan(ctx, lifted, open, update)
		d.ExpectPlan(ctx, o, configured(off), update)
	})
}
