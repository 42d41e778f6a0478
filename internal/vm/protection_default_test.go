package vm_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// TestProtectionByDefault: deletion_protection of the provider block is the default of every machine, from the next plan
// on, also where nothing else changes.
func TestProtectionByDefault(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		protecting := e.NewDriver(t, object{"deletion_protection": true})
		two := configured(off, given{"disc": discs("vda:25600", "data:5000")})
		o := d.MustApply(ctx, vmType, nil, two)
		if o.Get("deletion_protection") != false {
			t.Errorf("without a default it is %v", o.Get("deletion_protection"))
		}
		// The plan that raises the default already protects: nothing else has to change, and no refresh is needed.
		if plan := protecting.ExpectPlan(ctx, o, two, update); plan.Get("deletion_protection") != true || len(plan.Changes()) != 1 {
			t.Errorf("planned: %v", plan.Changes())
		}
		expectSays(t, protecting.ExpectPlan(ctx, o, configured(off), refused).Errors(), "Cannot purge disc")
		expectSays(t, protecting.ExpectPlan(ctx, o, configured(two, given{"zone_name": "manchester"}), refused).Errors(), "Cannot replace")

		// A machine that says otherwise stays as it is.
		open := configured(two, given{"deletion_protection": false})
		protecting.ExpectPlan(ctx, o, open, noop)
		protecting.ExpectPlan(ctx, o, configured(off, given{"deletion_protection": false}), update)

		e.ResetJournal()
		raised := protecting.MustApply(ctx, vmType, o, two)
		expectSent(t, e, "")
		protecting.ExpectPlan(ctx, raised, two, noop)
		expectSays(t, protecting.Plan(ctx, vmType, raised, nil).Errors(), "Cannot destroy")
		// A provider block with a lower default lowers the protection, which takes an apply of its own.
		if plan := d.ExpectPlan(ctx, raised, two, update); plan.Get("deletion_protection") != false {
			t.Errorf("lowered to %v", plan.Get("deletion_protection"))
		}
		expectSays(t, d.ExpectPlan(ctx, raised, configured(off), refused).Errors(), "Cannot purge disc")

		if created := protecting.MustApply(ctx, vmType, nil, configured(off, given{"name": "web2"})); created.Get("deletion_protection") != true {
			t.Errorf("a new machine has %v", created.Get("deletion_protection"))
		}
	})
}

// TestUnknownProtectionByDefault: while the default is not known, nothing may lose data.
func TestUnknownProtectionByDefault(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		unknown := e.NewDriver(t, object{"deletion_protection": acctest.Unknown})
		two := configured(off, given{"disc": discs("vda:25600", "data:5000")})
		o := d.MustApply(ctx, vmType, nil, two)
		if plan := unknown.ExpectPlan(ctx, o, two, update); plan.Get("deletion_protection") != acctest.Unknown {
			t.Errorf("planned as %v", plan.Get("deletion_protection"))
		}
		expectSays(t, unknown.ExpectPlan(ctx, o, configured(off), refused).Errors(), "Cannot purge disc")
		expectSays(t, unknown.ExpectPlan(ctx, o, configured(two, given{"zone_name": "manchester"}), refused).Errors(), "Cannot replace")
	})
}

// TestImportUnderAProtectingDefault: the imported state has the provider's default, so that the plan is empty.
func TestImportUnderAProtectingDefault(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(off))
		protecting := e.NewDriver(t, object{"deletion_protection": true})
		imported := protecting.MustImport(ctx, vmType, o.Get("id").(string))
		protecting.ExpectPlan(ctx, imported, configured(off), noop)
	})
}
