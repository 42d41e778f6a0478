package vm_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// TestHiddenAccount: credentials that may not see the account make no machine
// gone, whatever is asked with them.
func TestHiddenAccount(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(image))
		plan := d.Plan(ctx, vmType, o, nil)
		e.AddAccount("other", false)
		e.AddUser("them", "test-only")
		e.RestrictUser("them", "other")
		e.AddAPIKey("apikey.them", "them")
		theirs := func() *acctest.Driver { return e.NewDriver(t, map[string]any{"token": "apikey.them"}) }
		e.ResetJournal()

		kept, diags := theirs().Refresh(ctx, o)
		acctest.ExpectError(t, diags, `Cannot read virtual machine "web1"`, `does not show the account "demo"`, "the state is unchanged", "state rm")
		if kept == nil {
			t.Fatal("the machine has left the state")
		}
		kept, diags = theirs().Apply(ctx, vmType, plan)
		acctest.ExpectError(t, diags, `Cannot delete virtual machine "web1"`, "The machine stays in the state")
		if kept == nil {
			t.Fatal("the machine has left the state")
		}
		_, diags = theirs().Import(ctx, vmType, o.Get("id").(string))
		acctest.ExpectError(t, diags, "Cannot import virtual machine "+o.Get("id").(string))
		acctest.ExpectError(t, theirs().Plan(ctx, vmType, nil, named("web2")).Diagnostics, "error at account:", `"demo"`)
		_, diags = theirs().ReadData(ctx, vmType, object{"id": o.Get("id")})
		acctest.ExpectError(t, diags, "error at id:", "visible to these credentials")
		_, diags = theirs().Invoke(ctx, "cloudserver_vm_power", object{"virtual_machine_id": o.Get("id"), "state": "stop"})
		acctest.ExpectError(t, diags, "visible to these credentials")
		expectSent(t, e, "")
		d.ExpectPlan(ctx, o, configured(image), noop)
	})
}
