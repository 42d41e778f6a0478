package vm_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const (
	undeleteAction = "cloudserver_vm_undelete"
	purgeAction    = "cloudserver_vm_purge"
)

// TestUndeleteAndImport brings a soft-deleted machine back without another tool.
func TestUndeleteAndImport(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		config := configured(image, given{"purge_on_destroy": false})
		o := d.MustApply(ctx, vmType, nil, config)
		id := o.Get("id").(string)
		d.MustApply(ctx, vmType, o, nil)
		e.ResetJournal()
		d.MustInvoke(ctx, undeleteAction, object{"virtual_machine_id": id})
		expectSent(t, e, "PUT deleted=false")
		o, diags := d.Import(ctx, vmType, id)
		if len(diags) > 0 {
			t.Fatal(acctest.DiagText(diags))
		}
		o = d.MustApply(ctx, vmType, o, config)
		if is := only(t, e); is.Deleted || idOf(is.ID) != id {
			t.Errorf("the machine is %+v", is)
		}
		d.ExpectPlan(ctx, o, config, noop)
	})
}

// TestPurgeFreesTheName of a soft-deleted machine, and of no other.
func TestPurgeFreesTheName(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(given{"purge_on_destroy": false}))
		id := o.Get("id").(string)
		e.ResetJournal()
		_, diags := d.Invoke(ctx, purgeAction, object{"virtual_machine_id": id})
		expectError(t, diags, "Cannot purge virtual machine "+id, "is not soft-deleted", "destroy its resource")
		expectSent(t, e, "")

		d.MustApply(ctx, vmType, o, nil)
		_, diags = d.Apply(ctx, vmType, d.Plan(ctx, vmType, nil, configured()))
		expectError(t, acctest.Errors(diags), undeleteAction, purgeAction)
		e.ResetJournal()
		_, diags = d.Invoke(ctx, purgeAction, object{"virtual_machine_id": id, "name": "web2"})
		expectError(t, diags, "is named web1, not web2")
		expectSent(t, e, "")
		d.MustInvoke(ctx, purgeAction, object{"virtual_machine_id": id, "name": "web1"})
		expectSent(t, e, "DELETE?purge=true")
		d.MustApply(ctx, vmType, nil, configured())
	})
}

// TestDeletedActionsRefuse what they are not for.
func TestDeletedActionsRefuse(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		id := d.MustApply(ctx, vmType, nil, configured()).Get("id").(string)
		e.ResetJournal()
		_, diags := d.Invoke(ctx, undeleteAction, object{"virtual_machine_id": id})
		expectError(t, diags, "Cannot undelete virtual machine "+id, "is not soft-deleted")
		_, diags = d.Invoke(ctx, purgeAction, object{"virtual_machine_id": "999999"})
		expectError(t, diags, "Cannot purge virtual machine 999999", "check virtual_machine_id")
		expectSent(t, e, "")
	})
}

// TestPurgeOfAMachineWithAnotherNamedLikeIt never reaches the other one.
func TestPurgeOfAMachineWithAnotherNamedLikeIt(t *testing.T) {
	t.Parallel()
	for _, idsWin := range []bool{false, true} {
		t.Run(map[bool]string{false: "names win", true: "IDs win"}[idsWin], func(t *testing.T) {
			inWorld(t, emulator.Options{IDsWin: idsWin}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "old"})
				e.SoftDelete(id)
				e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: idOf(id)})
				_, diags := d.Invoke(t.Context(), purgeAction, object{"virtual_machine_id": idOf(id)})
				expectError(t, diags, "Cannot purge virtual machine "+idOf(id))
				expectSent(t, e, "")
			})
		})
	}
}

// TestActionsOnOneMachineTakeTurns: three at once leave the machine as the last
// one wants it, and each sends its requests undisturbed.
func TestActionsOnOneMachineTakeTurns(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		id := d.MustApply(ctx, vmType, nil, configured(image)).Get("id").(string)
		e.ResetJournal()
		var wait sync.WaitGroup
		for _, config := range []object{{"state": "restart"}, {"state": "restart", "shutdown_timeout": "30s"}, {"state": "restart"}} {
			config["virtual_machine_id"] = id
			wait.Go(func() {
				if _, diags := d.Invoke(ctx, power, config); acctest.HasErrors(diags) {
					t.Error(acctest.DiagText(diags))
				}
			})
		}
		wait.Wait()
		restart := stop + start
		expectSent(t, e, strings.Join([]string{restart, restart, restart}, "; "))
		if is := only(t, e); !is.PowerOn || !is.AutorebootOn {
			t.Errorf("power_on %t, autoreboot_on %t", is.PowerOn, is.AutorebootOn)
		}
	})
}

// TestKeymapInAnotherShape is no perpetual difference.
func TestKeymapInAnotherShape(t *testing.T) {
	inWorld(t, emulator.Options{Answers: emulator.Answers{ObjectShapes: true}}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		for _, config := range []object{configured(given{"keymap": "de"}), configured()} {
			o := d.MustApply(ctx, vmType, nil, config)
			d.ExpectPlan(ctx, o, config, noop)
			config["name"] = "web2"
			o = d.MustApply(ctx, vmType, d.MustRefresh(ctx, o), config)
			d.ExpectPlan(ctx, o, config, noop)
			d.MustApply(ctx, vmType, o, nil)
		}
	})
}
