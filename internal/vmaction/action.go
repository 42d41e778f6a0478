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

// defaultTimeout is how long an action on a machine may take.
const defaultTimeout = "20m"

// work is what an action does with a machine.
type work struct {
	tfkit.Target
	verb string // completes "Cannot … virtual machine"

	validate func(*diag.Diagnostics) // what contradicts itself; nil: nothing can
	choices  []tfkit.Choice          // what the service must offer

	shutdown types.String // timeout of a graceful stop
	deleted  bool         // the action is for soft-deleted machines
	restarts bool         // a machine that is on goes down and comes back
	// refuse explains why the machine as it is now does not fit, "" if it does.
	refuse func(*cloudserver.VirtualMachine) string
	do     func(context.Context, *operation.Machine) error
	// verify explains what is wrong with the machine afterwards, "" if nothing
	// is. nil: the machine is not looked at again.
	verify func(before, after *cloudserver.VirtualMachine) string
	blame  tfkit.AttributePath
}

// order returns the order for the work.
func (w work) order() tfkit.Order {
	return tfkit.Order{Target: w.Target, What: w.what(), Validate: w.validate, Choices: w.choices, Do: w.run}
}

func (w work) what() string { return w.verb + " virtual machine " + w.VirtualMachineID.ValueString() }

// run looks at the machine, does the work, and looks again. After a failure or a
// cancellation the machine gets back the power that it had.
func (w work) run(ctx context.Context, data *tfkit.ProviderData, say func(string), diags *diag.Diagnostics) {
	before, err := data.Client.VirtualMachine(ctx, tfkit.IDOf(w.VirtualMachineID), cloudserver.IncludeDeleted)
	if err != nil {
		addFailure(diags, w.what(), err, w.blame)
		return
	}
	if problem := w.refusal(before); problem != "" {
		diags.AddError("Cannot "+w.what(), problem)
		return
	}
	address, err := data.Locate(ctx, before)
	if err != nil {
		tfkit.AddError(diags, "Cannot "+w.what(), fmt.Errorf("finding the machine's group: %w", err), nil, "Nothing was done to the machine. Run the same command again.")
		return
	}
	machine := operation.On(data, address, before.IsOn(), before.AutorebootOn != nil && *before.AutorebootOn, w.shutdown.ValueString())
	machine.Say = say
	var place *fleet.Place
	if w.restarts && before.IsOn() {
		if place, err = data.Rollout.Take(ctx, "virtual machine "+w.VirtualMachineID.ValueString(), say); err != nil {
			tfkit.AddError(diags, "Cannot "+w.what(), err, nil, "Nothing was changed here. Invoke the action again.")
			return
		}
	}
	after := before
	err = w.do(ctx, machine)
	if machine.Touched {
		place.End(err)
	} else {
		place.End(nil) // nothing went down
	}
	if err == nil && machine.Wrote && w.verify != nil {
		after, err = machine.Look(ctx)
	}
	if err != nil {
		addFailure(diags, w.what(), err, w.blame)
		restorePower(ctx, machine, w.VirtualMachineID, diags)
		return
	}
	if w.verify == nil {
		return
	}
	if problem := w.verify(before, after); problem != "" {
		diags.AddError("The action on virtual machine "+w.VirtualMachineID.ValueString()+" did not have the expected effect", problem)
	}
}

// refusal explains why the action cannot be invoked on the machine.
func (w work) refusal(vm *cloudserver.VirtualMachine) string {
	if vm.Deleted && !w.deleted {
		return fmt.Sprintf("The machine is soft-deleted. Undelete it first, with the action cloudserver_vm_undelete (virtual_machine_id = %q).", w.VirtualMachineID.ValueString())
	}
	return w.refuse(vm)
}

// addFailure reports what went wrong after the machine was found. What completes
// "Cannot".
func addFailure(diags *diag.Diagnostics, what string, err error, blame tfkit.AttributePath) {
	if wait, ok := errors.AsType[*fleet.WaitError](err); ok {
		diags.AddError("Cannot "+what, operation.WaitDetail(wait, "the machine's power to change")+"\n\nTo wait longer, raise timeouts.invoke.")
		return
	}
	advice := "Look at the machine, and invoke the action again."
	if cloudserver.IsNotFound(err) {
		advice = "No such machine is visible to these credentials: check virtual_machine_id."
	}
	tfkit.AddError(diags, "Cannot "+what, err, blame, advice)
}

// restorePower restores the power that a machine had.
func restorePower(ctx context.Context, machine *operation.Machine, id types.String, diags *diag.Diagnostics) {
	title := "virtual machine " + id.ValueString()
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
