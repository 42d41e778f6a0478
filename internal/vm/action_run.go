package vm

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// order is what the configuration of an action asks of a machine.
type order struct {
	target
	verb string // completes "Cannot … virtual machine"

	validate func(*diag.Diagnostics) // what does not fit together; nil: everything does
	choices  []choice                // what the service must offer

	// refuse says why the machine as it is now is not one for this order, "" if
	// it is.
	refuse func(*cloudserver.VirtualMachine) string
	// do carries the order out. The updater's plan is the machine as it is.
	do func(context.Context, *updater) error
	// verify says what is wrong with the machine afterwards, "" if nothing is.
	verify func(before, after *cloudserver.VirtualMachine) string
	blame  tfkit.AttributePath
}

// run looks at the machine, does what is asked, and looks again. After a failure
// or a cancellation the machine gets back the power and the autoreboot_on that
// it had.
func (o order) run(ctx context.Context, data *tfkit.ProviderData, say func(string), diags *diag.Diagnostics) {
	id := model{ID: o.VirtualMachineID}.numericID()
	before, err := data.Client.VirtualMachine(ctx, id)
	if err != nil {
		o.fail(err, diags)
		return
	}
	if problem := o.refusal(before); problem != "" {
		diags.AddError(o.summary(), problem)
		return
	}
	u := o.updater(ctx, data, before, diags)
	u.say = say
	if diags.HasError() {
		return
	}
	err = o.do(ctx, u)
	if err == nil {
		err = u.lookLast(ctx)
	}
	if err != nil {
		o.fail(err, diags)
		u.giveBackPower(ctx, diags)
		return
	}
	if problem := o.verify(before, u.seen(before)); problem != "" {
		diags.AddError("The action on virtual machine "+o.VirtualMachineID.ValueString()+" did not do what it should", problem)
	}
}

// refusal says why the machine cannot be acted on.
func (o order) refusal(vm *cloudserver.VirtualMachine) string {
	if vm.Deleted {
		return "The machine is soft-deleted. Undelete it at the service first (PUT with deleted: false)."
	}
	return o.refuse(vm)
}

func (o order) summary() string {
	return "Cannot " + o.verb + " virtual machine " + o.VirtualMachineID.ValueString()
}

func (o order) fail(err error, diags *diag.Diagnostics) {
	if wait, ok := errors.AsType[*fleet.WaitError](err); ok {
		diags.AddError(o.summary(), waitDetail(wait, "the machine's power to change")+"\n\nA longer timeouts.invoke gives the action more time.")
		return
	}
	advice := "Look at the machine at the service, and invoke the action again."
	if cloudserver.IsNotFound(err) {
		advice = "The service knows no such machine, or does not show it to this session: check virtual_machine_id."
	}
	tfkit.AddError(diags, o.summary(), err, o.blame, advice)
}

// updater is for a machine of which nothing is to change but what the order's do
// writes into the plan.
func (o order) updater(ctx context.Context, data *tfkit.ProviderData, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics) *updater {
	var state model
	state.read(ctx, vm, diags)
	if state.Account.IsNull() { // the service tells no host name
		state.Account = data.Account
	}
	if !tfkit.Given(state.Account) {
		diags.AddError(o.summary(), "The service does not tell the machine's account. Set account in the provider block, or in CLOUDSERVER_ACCOUNT.")
	}
	return &updater{
		client: data.Client, fleet: data.Fleet, state: state, plan: state,
		ref: state.ref(), machine: state.machine(),
		on: state.PowerOn.ValueBool(), autoreboot: state.AutorebootOn.ValueBool(),
	}
}

// seen is the machine as it was seen last.
func (u *updater) seen(before *cloudserver.VirtualMachine) *cloudserver.VirtualMachine {
	if u.last == nil {
		return before
	}
	return u.last
}

// wantPower makes the machine be on or off in the end.
func (u *updater) wantPower(ctx context.Context, on bool) error {
	u.plan.PowerOn = types.BoolValue(on)
	return u.settlePower(ctx)
}

func (u *updater) giveBackPower(ctx context.Context, diags *diag.Diagnostics) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recoverTimeout)
	defer cancel()
	u.say = nil // nobody may be there to read it
	if err := u.restorePower(ctx); err != nil {
		diags.AddWarning("Cannot give "+u.state.title()+" its power back",
			tfkit.Detail(err, "The action had changed its power, or was about to. Look at it at the service."))
	}
	if u.reimaged && u.state.AutorebootOn.ValueBool() {
		diags.AddWarning("autoreboot_on of "+u.state.title()+" is false",
			"The image may still be on its way, after which the machine is on, and does not start again by itself. Set its autoreboot_on when it is.")
	}
}

// stays is the problem of a machine that is not on, or off, in the end.
func stays(after *cloudserver.VirtualMachine, on bool) string {
	if after.PowerOn == nil || *after.PowerOn == on {
		return ""
	}
	return fmt.Sprintf("It was seen as wanted, but now %s: something else changes its power.", lastSeen(after, nil))
}
