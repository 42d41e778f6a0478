// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"cmp"
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/machine"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/steps"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Update changes the machine step by step, as the plan shows.
func (r *vmResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state, plan model
	diags := &resp.Diagnostics
	diags.Append(req.State.Get(ctx, &state)...)
	diags.Append(req.Plan.Get(ctx, &plan)...)
	image := plan.image(ctx, req.Config, diags)
	p := tfkit.LoadPrivate[private](ctx, req.Private, diags)
	if diags.HasError() || !r.Data.RequireReady("update "+state.fullTitle(), diags) {
		return
	}
	ctx = cloudserver.WithSecrets(progress.NewContext(ctx, state.title(), nil), image.Secrets()...)
	u := &update{
		resource: r, state: state, plan: plan, private: p,
		change: newChange(&state, &plan, p), image: image,
		machine: state.operations(r.Data, plan.shutdown()), discs: state.discs(),
	}
	u.run = steps.Run{
		Data: r.Data, Timeout: tfkit.Timeout(plan.Timeouts, "update", defaultTimeout),
		IDs: []int64{state.numericID()}, Machines: []*machine.Machine{u.machine},
		Suspect: u.change.owesReady || u.change.starts(),
	}
	failure := u.run.Do(ctx, u.steps())
	state.warnCutOff(u.machine.CutOff(), ", so the machine was switched off", "update", "timeouts.update", diags)
	if failure != nil && !u.isDone {
		u.saveFailure(ctx, failure, resp)
		return
	}
	if failure != nil {
		u.addNotReady(failure.Err, diags)
	}
	now := u.afterSuccess(failure != nil)
	tfkit.SavePrivate(ctx, resp.Private, now, diags)
	u.plan.showPending(now.Owed)
	if !isKnown(u.plan.LastChange) {
		u.plan.LastChange = u.change.lastChange(&u.state, &u.plan, true)
	}
	u.plan.save(ctx, &resp.State, resp.Identity, diags)
}

// update is one change of one machine, from its state to a plan.
type update struct {
	resource    *vmResource
	state, plan model
	private     private // of the last refresh
	change      change
	image       cloudserver.Reimage
	machine     *machine.Machine
	run         steps.Run

	discs  []discModel // the machine's discs so far
	isDone bool        // all is done, and the plan completed; the machine may not be ready yet
}

// steps are the parts of an update, in their order. One that takes nothing down does not wait for a slot, unless an earlier
// one left its machine down or not ready.
func (u *update) steps() []steps.Step {
	c := &u.change
	relocation, power := "move", "set the power of"
	if c.renames {
		relocation = "rename"
	}
	switch {
	case c.restarts():
		power = "restart"
	case c.starts():
		power = "start"
	}
	settings := cloudserver.VirtualMachineUpdate{Settings: c.settings}
	put := func(ctx context.Context) error { return u.machine.Put(ctx, settings) }
	reimage := func(ctx context.Context) error { return u.machine.Reimage(ctx, u.image) }
	addedBeforeStop, addedAfterPurges := u.addDiscs()
	return slices.Concat(
		[]steps.Step{
			{Verb: "move", Do: u.findGroup, Skip: !c.moves},
			{Verb: relocation, Do: u.relocate, Skip: !c.moves && !c.renames},
			{Verb: "update", Do: u.run.TakeSlot, Skip: !c.takesSlot(), Untimed: true},
			{Verb: "update", Do: u.checkPower, Skip: !c.needsOff()},
		},
		addedBeforeStop,
		[]steps.Step{
			{Verb: "stop", Do: u.machine.Stop, Skip: !c.needsOff()},
			{Verb: "update", Do: put, Skip: settings.IsZero()},
		},
		u.changeDiscs(),
		addedAfterPurges,
		[]steps.Step{
			{Verb: "reimage", Do: reimage, Skip: !c.image.install},
			{Verb: power, Do: u.setPower},
			{Verb: "read", Do: u.read},
			{Verb: "wait for", Do: u.awaitReady, Untimed: true},
		},
	)
}

// findGroup resolves the name of the planned group before anything is changed. A group that was only renamed is the
// same location.
func (u *update) findGroup(ctx context.Context) error {
	group, err := u.resource.Data.Inventory.GroupNamed(ctx, u.plan.Account.ValueString(), u.plan.Group.ValueString())
	if cloudserver.IsNotFound(err) {
		at, detail := u.resource.explainMissing(ctx, &u.plan, err)
		return &tfkit.AttributeError{At: at, Detail: detail + " A machine moves to an existing group: create it first."}
	}
	if err != nil {
		return err
	}
	u.plan.GroupID, u.plan.AccountID = tfkit.IDOrNull(group.ID), tfkit.IDOrNull(group.AccountID)
	return nil
}

// relocate moves and renames the machine in one request, before anything that costs uptime. A taken name is tried
// again, because the same apply may free it.
func (u *update) relocate(ctx context.Context) error {
	var request cloudserver.VirtualMachineUpdate
	if u.plan.moves(&u.state) {
		request.GroupID = new(tfkit.IDOf(u.plan.GroupID))
	}
	if u.change.renames {
		request.Name = u.plan.Name.ValueStringPointer()
	}
	if request.IsZero() {
		return nil
	}
	err := cloudserver.RetryTaken(ctx, func() error { return u.machine.Put(ctx, request) })
	if !cloudserver.IsNameTaken(err) {
		return err
	}
	name := u.plan.Name.ValueString()
	existing, lookErr := u.resource.Data.Client.VirtualMachineByName(
		ctx, u.plan.Account.ValueString(), u.plan.GroupID.ValueString(), name, cloudserver.IncludeDeleted)
	if lookErr != nil {
		return err
	}
	advice := withAction(u.resource.Data.WithAction).takenAdvice(existing, name, true)
	return &tfkit.AttributeError{At: path.Root("name"), Detail: tfkit.Detail(err, advice)}
}

// checkPower returns an error if the update stops the machine, and its power is not what the plan saw: the plan did not
// show that. A machine that the service is about to start counts as on.
func (u *update) checkPower(ctx context.Context) error {
	vm, err := u.machine.LookAgain(ctx)
	if err != nil {
		return err
	}
	isOn := u.machine.Power() != machine.Power{}
	if vm.PowerOn == nil || isOn == u.change.on {
		return nil
	}
	u.run.Suspect = u.run.Suspect || !isOn
	saw := "The machine was on when the plan was made, and is off now."
	if isOn {
		saw = "The machine was off when the plan was made, and somebody, or the service, has switched it on since."
	}
	at := append(slices.Clone(u.change.stopsFor), "power_on")[0]
	return &tfkit.AttributeError{At: path.Root(at), Detail: saw + " Plan again: the new plan shows what happens to its power."}
}

// setPower ends the update with the planned power. Power that neither the plan nor the update changes is left alone,
// because somebody may have changed it since.
func (u *update) setPower(ctx context.Context) error {
	wanted := machine.Power{On: u.plan.staysOn(&u.state), Autoreboot: u.machine.Before().Autoreboot}
	if tfkit.Given(u.plan.AutorebootOn) {
		wanted.Autoreboot = u.plan.AutorebootOn.ValueBool()
	}
	switch {
	case u.change.power != nil, u.change.needsOff(), u.change.endsStart:
		return u.machine.SetPower(ctx, wanted)
	case u.change.autoreboot:
		return u.machine.SetAutoreboot(ctx, wanted.Autoreboot)
	}
	return nil
}

// read reads the machine once, if the update or that of its group has changed anything, and completes the plan.
func (u *update) read(ctx context.Context) error {
	if u.machine.Wrote() || u.plan.Hostname.IsUnknown() {
		if _, err := u.machine.Look(ctx); err != nil {
			return err
		}
	}
	u.plan.complete(&u.state, cmp.Or(u.machine.Last(), &cloudserver.VirtualMachine{ID: u.state.numericID()}))
	u.isDone = true
	return nil
}

// awaitReady waits for a machine that was off during the update, or that did not become ready in an earlier apply.
func (u *update) awaitReady(ctx context.Context) error {
	if !u.machine.Power().On || !u.machine.WasDown() && !u.change.owesReady {
		return nil
	}
	return u.resource.awaitReady(ctx, &u.plan)
}

// afterSuccess returns the private state after an update that did everything as planned.
func (u *update) afterSuccess(owesReady bool) private {
	now := private{Owed: owed{Ready: owesReady}, Backups: u.private.Backups}
	if u.private.From == imageless && !u.machine.IsImaged() {
		now.From = imageless
	}
	unmanaged := append(u.private.unmanaged(), u.change.discs.released...)
	now.Discs = mapped(without(unmanaged, u.plan.discs()), discModel.unmanaged)
	return now
}
