package vmaction

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
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
	blame  tfkit.AttributePath
}

// order returns the order for the work.
func (w work) order() tfkit.Order {
	return tfkit.Order{Target: w.Target, What: w.what(), Validate: w.validate, Choices: w.choices, Do: w.run}
}

func (w work) what() string { return w.verb + " " + title(w.VirtualMachineID) }

func title(id types.String) string { return "virtual machine " + id.ValueString() }

// run looks at the machine and does the work. After a failure or a cancellation
// the machine gets back the power that it had.
func (w work) run(ctx context.Context, data *tfkit.ProviderData, say func(string), diags *diag.Diagnostics) {
	machine, err := w.begin(ctx, data, w.VirtualMachineID, say)
	if err != nil {
		addFailure(diags, w.what(), err, w.blame)
		return
	}
	var place *fleet.Place
	if w.restarts && machine.On {
		if place, err = data.Rollout.Take(ctx, title(w.VirtualMachineID), say); err != nil {
			tfkit.AddError(diags, "Cannot "+w.what(), err, nil, "Nothing was changed here. Invoke the action again.")
			return
		}
	}
	err = w.do(ctx, machine)
	if machine.Touched {
		place.End(err)
	} else {
		place.End(nil) // nothing went down
	}
	if err != nil {
		addFailure(diags, w.what(), err, w.blame)
		restorePower(ctx, machine, w.VirtualMachineID, diags)
	}
}

// refusal explains why an action cannot be invoked on a machine.
type refusal string

func (r refusal) Error() string { return string(r) }

// blame returns the attribute of an action that a problem of the service is about,
// by the name of what was sent.
func blame(attributes map[string]string) tfkit.AttributePath {
	return func(problem cloudserver.Problem) (path.Path, bool) {
		sent := problem.Attribute
		if sent == "reimage" {
			sent = problem.Field
		}
		name, ok := attributes[sent]
		return path.Root(name), ok
	}
}

// choices returns what the service must offer: the values of one attribute, as far
// as they are known.
func choices(attribute string, offer tfkit.Offer, values ...string) []tfkit.Choice {
	var all []tfkit.Choice
	for _, value := range values {
		if value != "" {
			all = append(all, tfkit.Choice{At: path.Root(attribute), Value: value, Offer: offer})
		}
	}
	return all
}

// begin reads a machine, and returns the operations on it unless it does not fit.
func (w work) begin(ctx context.Context, data *tfkit.ProviderData, id types.String, say func(string)) (*operation.Machine, error) {
	vm, err := data.Client.VirtualMachine(ctx, tfkit.IDOf(id), cloudserver.IncludeDeleted)
	if err != nil {
		return nil, err
	}
	if vm.Deleted && !w.deleted {
		return nil, refusal(fmt.Sprintf("Virtual machine %d is soft-deleted. Undelete it first, with the action cloudserver_vm_undelete (virtual_machine_id = %q).", vm.ID, id.ValueString()))
	}
	if problem := w.refuse(vm); problem != "" {
		return nil, refusal(problem)
	}
	address, err := data.Locate(ctx, vm)
	if err != nil {
		return nil, fmt.Errorf("finding the machine's group: %w", err)
	}
	machine := operation.On(data, address, vm.IsOn(), vm.AutorebootOn != nil && *vm.AutorebootOn, w.shutdown.ValueString())
	machine.Say = say
	return machine, nil
}

// refuseOn explains that a machine which is on may not be stopped. Why says what
// needs it off.
func refuseOn(vm *cloudserver.VirtualMachine, allowed types.Bool, why string) string {
	if vm.IsOff() || allowed.ValueBool() {
		return ""
	}
	return fmt.Sprintf("Virtual machine %d is on, and the service %s. Set allow_stopping = true to have it stopped, or stop it first.", vm.ID, why)
}

// addFailure reports what went wrong. What completes "Cannot".
func addFailure(diags *diag.Diagnostics, what string, err error, blame tfkit.AttributePath) {
	if refused, ok := errors.AsType[refusal](err); ok {
		diags.AddError("Cannot "+what, string(refused))
		return
	}
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
	if err := machine.RestorePower(ctx); err != nil {
		diags.AddWarning("Cannot restore the power of "+title(id),
			tfkit.Detail(err, "The action had changed it, or was about to. Look at the machine, and set its power with the action cloudserver_vm_power."))
	}
	if machine.Imaged && machine.WasAutoreboot && !machine.Autoreboot {
		diags.AddWarning("autoreboot_on of "+title(id)+" is false",
			"The image may still be being installed. Afterwards the machine is on, and the service does not start it again by itself. Set its autoreboot_on then.")
	}
}
