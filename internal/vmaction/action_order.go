package vmaction

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// order is what the configuration of an action asks of a machine.
type order struct {
	target
	verb string // completes "Cannot … virtual machine"

	validate func(*diag.Diagnostics) // what contradicts itself; nil: nothing can
	choices  []tfkit.Choice          // what the service must offer

	shutdown types.String // timeout of a graceful stop
	deleted  bool         // the action is for soft-deleted machines
	// refuse explains why the machine as it is now does not fit, "" if it does.
	refuse func(*cloudserver.VirtualMachine) string
	// do carries the order out.
	do func(context.Context, *operation.Machine) error
	// verify explains what is wrong with the machine afterwards, "" if nothing
	// is. nil: the machine is not looked at again.
	verify func(before, after *cloudserver.VirtualMachine) string
	blame  tfkit.AttributePath
}

// run looks at the machine, does what is asked, and looks again. After a failure
// or a cancellation the machine gets back the power that it had. Actions on one
// machine take turns.
func (o order) run(ctx context.Context, data *tfkit.ProviderData, say func(string), diags *diag.Diagnostics) {
	endTurn, err := data.Machines.Take(ctx, "virtual machine", tfkit.IDOf(o.VirtualMachineID))
	if err != nil {
		o.fail(err, diags)
		return
	}
	defer endTurn()
	before, err := data.Client.VirtualMachine(ctx, tfkit.IDOf(o.VirtualMachineID), cloudserver.IncludeDeleted)
	if err != nil {
		o.fail(err, diags)
		return
	}
	if problem := o.refusal(before); problem != "" {
		diags.AddError(o.summary(), problem)
		return
	}
	machine := o.operations(ctx, data, before, diags)
	if diags.HasError() {
		return
	}
	machine.Say = say
	after := before
	if err = o.do(ctx, machine); err == nil && machine.Wrote && o.verify != nil {
		after, err = machine.Look(ctx)
	}
	if err != nil {
		o.fail(err, diags)
		o.giveBackPower(ctx, machine, diags)
		return
	}
	if o.verify == nil {
		return
	}
	if problem := o.verify(before, after); problem != "" {
		diags.AddError("The action on virtual machine "+o.VirtualMachineID.ValueString()+" did not have the expected effect", problem)
	}
}

// refusal explains why the action cannot be invoked on the machine.
func (o order) refusal(vm *cloudserver.VirtualMachine) string {
	if vm.Deleted && !o.deleted {
		return fmt.Sprintf("The machine is soft-deleted. Undelete it first, with the action cloudserver_vm_undelete (virtual_machine_id = %q).", o.VirtualMachineID.ValueString())
	}
	return o.refuse(vm)
}

func (o order) what() string { return o.verb + " virtual machine " + o.VirtualMachineID.ValueString() }

func (o order) summary() string { return "Cannot " + o.what() }

func (o order) fail(err error, diags *diag.Diagnostics) {
	if wait, ok := errors.AsType[*fleet.WaitError](err); ok {
		diags.AddError(o.summary(), operation.WaitDetail(wait, "the machine's power to change")+"\n\nTo wait longer, raise timeouts.invoke.")
		return
	}
	advice := "Look at the machine, and invoke the action again."
	if cloudserver.IsNotFound(err) {
		advice = "No such machine is visible to these credentials: check virtual_machine_id."
	}
	tfkit.AddError(diags, o.summary(), err, o.blame, advice)
}

// operations returns the operations on the machine.
func (o order) operations(ctx context.Context, data *tfkit.ProviderData, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics) *operation.Machine {
	address, err := data.Locate(ctx, vm)
	switch {
	case errors.Is(err, tfkit.ErrNoAccount):
		diags.AddError(o.summary(), tfkit.Detail(err, ""))
	case err != nil:
		tfkit.AddError(diags, "Cannot find the group of virtual machine "+cloudserver.IDText(vm.ID), err, nil, "Run the same command again.")
	}
	autoreboot := vm.AutorebootOn != nil && *vm.AutorebootOn
	return operation.On(data, address, vm.IsOn(), autoreboot, o.shutdown.ValueString())
}

func (o order) giveBackPower(ctx context.Context, machine *operation.Machine, diags *diag.Diagnostics) {
	title := "virtual machine " + o.VirtualMachineID.ValueString()
	if err := machine.RestorePower(ctx); err != nil {
		diags.AddWarning("Cannot restore the power of "+title,
			tfkit.Detail(err, "The action had changed it, or was about to. Look at the machine, and set its power with the action cloudserver_vm_power."))
	}
	if machine.Imaged && machine.WasAutoreboot && !machine.Autoreboot {
		diags.AddWarning("autoreboot_on of "+title+" is false",
			"The image may still be being installed. Afterwards the machine is on, and the service does not start it again by itself. Set its autoreboot_on then.")
	}
}

// stays returns the problem of a machine that is not on, or off, in the end.
func stays(after *cloudserver.VirtualMachine, on bool) string {
	if after.PowerOn == nil || *after.PowerOn == on {
		return ""
	}
	return fmt.Sprintf("It was as requested, but now %s: something else changes its power.", operation.LastSeen(after, nil))
}
