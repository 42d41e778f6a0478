// SPDX-License-Identifier: MPL-2.0

package vmaction_test

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const vmType = "cloudserver_vm"

// web1 returns the configuration of a machine that a destroy soft-deletes.
func web1() map[string]any {
	return map[string]any{"name": "web1", "purge_on_destroy": false, "disc": []map[string]any{{"label": "vda", "size": 25600}}}
}

// TestUndeleteAndImport brings a soft-deleted machine back without another tool.
func TestUndeleteAndImport(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, web1())
		id := o.Get("id").(string)
		d.MustApply(ctx, vmType, o, nil)
		e.ResetJournal()
		d.MustInvoke(ctx, undelete, map[string]any{"virtual_machine_id": id})
		expectSent(t, e, id, `PUT  {"deleted":false}`)
		d = e.NewDriver(t, nil) // no plan destroys a machine and imports it
		o = d.MustApply(ctx, vmType, d.MustImport(ctx, vmType, id), web1())
		if is := e.Machines(); len(is) != 1 || is[0].Deleted || text(is[0].ID) != id {
			t.Errorf("the machines are %+v", is)
		}
		d.ExpectPlan(ctx, o, web1(), acctest.ActionNoOp)
	})
}

// TestPurgeFreesTheName: the action purges a soft-deleted machine, and no other.
func TestPurgeFreesTheName(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, web1())
		id := o.Get("id").(string)
		e.ResetJournal()
		_, diags := d.Invoke(ctx, purge, map[string]any{"virtual_machine_id": id, "name": "web1"})
		acctest.ExpectError(t, acctest.Errors(diags), "Cannot purge virtual machine "+id, "is not soft-deleted", "destroy its resource")
		expectSent(t, e, id)

		d.MustApply(ctx, vmType, o, nil)
		_, diags = d.Apply(ctx, vmType, d.Plan(ctx, vmType, nil, web1()))
		acctest.ExpectError(t, acctest.Errors(diags), undelete, purge)
		e.ResetJournal()
		_, diags = d.Invoke(ctx, purge, map[string]any{"virtual_machine_id": id, "name": "web2"})
		acctest.ExpectError(t, acctest.Errors(diags), "is named web1, not web2")
		expectSent(t, e, id)
		_, diags = d.Invoke(ctx, purge, map[string]any{"virtual_machine_id": id})
		acctest.ExpectError(t, diags, "name")
		expectSent(t, e, id)
		d.MustInvoke(ctx, purge, map[string]any{"virtual_machine_id": id, "name": "web1"})
		expectSent(t, e, id, "DELETE purge=true")
		d.MustApply(ctx, vmType, nil, web1())
	})
}

// TestActionsOnOneMachineTakeTurns: after three concurrent actions the machine is as the last one requested, and no
// action interferes with the requests of another.
func TestActionsOnOneMachineTakeTurns(t *testing.T) {
	t.Parallel()
	machine := emulator.Machine{PowerOn: true, AutorebootOn: true}
	onMachine(t, machine, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64) {
		e.ResetJournal()
		var wait sync.WaitGroup
		for _, more := range []map[string]any{{"state": "restart"}, {"state": "restart", "shutdown_timeout": "30s"}, {"state": "restart"}} {
			wait.Go(func() {
				if _, diags := d.Invoke(t.Context(), power, order(id, more)); acctest.HasErrors(diags) {
					t.Error(acctest.DiagText(diags))
				}
			})
		}
		wait.Wait()
		restart := []string{`PUT  {"autoreboot_on":false}`, `POST /signal {"signal":"powerdown"}`, `PUT  {"autoreboot_on":true,"power_on":true}`}
		expectSent(t, e, text(id), slices.Concat(restart, restart, restart)...)
		if is, _ := e.Machine(id); !is.PowerOn || !is.AutorebootOn {
			t.Errorf("power_on %t, autoreboot_on %t", is.PowerOn, is.AutorebootOn)
		}
	})
}
