// SPDX-License-Identifier: MPL-2.0

package vmaction

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/machine"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/rollout"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/steps"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// task is what the configuration of an action asks for, and what it works on.
type task struct {
	target
	discID, toID types.String // a disc of the machine, and the machine to move it to; null: none
	what         string       // completes "Cannot …"

	validate func(context.Context, *diag.Diagnostics) // reports contradictory arguments; nil: there can be none
	choices  []tfkit.Choice                           // values that the service must offer

	// checkPlan refuses what would be refused whatever the apply does before; nil: nothing.
	checkPlan func(context.Context, *tfkit.ProviderData) error

	shutdown machine.Shutdown // how machines that are on are stopped
	deleted  bool             // it is for soft-deleted machines
	restarts bool             // it takes down machines that are on, temporarily

	// refuse explains why a machine is not suitable, or returns "". It is called for each machine. nil: all are suitable.
	refuse func(*cloudserver.VirtualMachine, *cloudserver.Disc) string
	do     []part            // in this order
	blame  map[string]string // the attributes that problems are about, by the name in the request

	// What it works on, from the first step on.
	*machine.Machine
	to   *machine.Machine  // nil: there is one machine
	disc *cloudserver.Disc // nil: the task concerns no disc
	run  *steps.Run
	data *tfkit.ProviderData
}

// part is a step of a task.
type part func(context.Context, *task) error

// stop stops the machines of a task.
func stop(ctx context.Context, t *task) error {
	return t.run.Each(ctx, func(ctx context.Context, m *machine.Machine) error { return m.Stop(ctx) })
}

// startAgain starts a machine that was stopped, or that has a new image.
func startAgain(ctx context.Context, t *task) error {
	return t.SetPower(ctx, machine.Power{On: true, Autoreboot: t.Before().Autoreboot})
}

// carryOut carries out the task, and reports what went wrong.
func (t *task) carryOut(ctx context.Context, d *tfkit.ProviderData, timeout time.Duration, diags *diag.Diagnostics) {
	t.data, t.run = d, &steps.Run{Data: d, Timeout: timeout, IDs: []int64{tfkit.IDOf(t.VirtualMachineID)}}
	if !t.toID.IsNull() {
		t.run.IDs = append(t.run.IDs, tfkit.IDOf(t.toID))
	}
	all := []steps.Step{{Untimed: true, Do: t.find}, {Untimed: true, Do: t.takeSlot}}
	for _, do := range t.do {
		all = append(all, steps.Step{Do: func(ctx context.Context) error { return do(ctx, t) }})
	}
	failure := t.run.Do(ctx, all)
	if failure == nil {
		return
	}
	summary := "Cannot " + t.what
	if over, ok := errors.AsType[*rollout.Error](failure.Err); ok {
		diags.AddError(summary, over.Words("invoked"))
	} else {
		tfkit.AddError(diags, summary, failure.Err, tfkit.AttributesOf(t.blame), tfkit.Longer(failure.Err, "timeouts.invoke"))
	}
	for _, left := range failure.Unrestored {
		warnUnrestored(d, left, diags)
	}
}

// find reads the disc and the machines. The error is a *tfkit.AttributeError if one of them is not suitable. A disc may be on
// either machine, because an earlier invocation may have moved it.
func (t *task) find(ctx context.Context) (err error) {
	if !t.discID.IsNull() {
		if t.disc, err = t.data.Client.Disc(ctx, tfkit.IDOf(t.discID)); err != nil {
			return missingAt("disc_id", err)
		}
	}
	if t.Machine, err = t.findMachine(ctx, "virtual_machine_id", t.VirtualMachineID); err != nil {
		return err
	}
	if !t.toID.IsNull() {
		if t.to, err = t.findMachine(ctx, "to", t.toID); err != nil {
			return err
		}
	}
	isOn := func(m *machine.Machine) bool { return m.Location().ID == t.disc.VirtualMachineID }
	if t.disc == nil || t.disc.VirtualMachineID == 0 || slices.ContainsFunc(t.run.Machines, isOn) {
		return nil
	}
	return &tfkit.AttributeError{At: path.Root("disc_id"), Detail: fmt.Sprintf("Disc %d is on virtual machine %d, not on %d.",
		t.disc.ID, t.disc.VirtualMachineID, t.Location().ID)}
}

// findMachine reads a machine that an argument names.
func (t *task) findMachine(ctx context.Context, argument string, id types.String) (*machine.Machine, error) {
	d := t.data
	vm, err := d.Client.VirtualMachine(ctx, tfkit.IDOf(id), cloudserver.IncludeDeleted)
	if err != nil {
		return nil, missingAt(argument, err)
	}
	if vm.Deleted && !t.deleted {
		undelete := d.WithAction("vm_undelete", "virtual_machine_id="+cloudserver.IDText(vm.ID))
		detail := fmt.Sprintf("%s is soft-deleted. Undelete it first, %s.", titleOf(vm), undelete)
		return nil, &tfkit.AttributeError{At: path.Root(argument), Detail: detail}
	}
	if t.refuse != nil {
		if problem := t.refuse(vm, t.disc); problem != "" {
			return nil, &tfkit.AttributeError{At: path.Root(argument), Detail: problem}
		}
	}
	location, _, err := tfkit.Locate(ctx, d.Inventory, vm)
	if err != nil {
		return nil, fmt.Errorf("finding the machine's group: %w", err)
	}
	before := machine.Power{On: !vm.IsOff(), Autoreboot: vm.AutorebootOn != nil && *vm.AutorebootOn}
	service := machine.Service{Client: d.Client, Inventory: d.Inventory}
	m := machine.New(service, steps.Title(vm.ID), location, before, t.shutdown)
	m.See(ctx, vm)
	t.run.Machines = append(t.run.Machines, m)
	return m, nil
}

// takeSlot waits for a slot for each machine, if the task takes down one that is on or about to start.
func (t *task) takeSlot(ctx context.Context) error {
	isOn := func(m *machine.Machine) bool { return m.Before().On }
	if !t.restarts || !slices.ContainsFunc(t.run.Machines, isOn) {
		return nil
	}
	return t.run.TakeSlot(ctx)
}

// missingAt returns a *tfkit.AttributeError if an error means that the object which the argument names does not exist.
func missingAt(argument string, err error) error {
	if !cloudserver.IsNotFound(err) {
		return err
	}
	advice := "Check " + argument + ", endpoint, and whether these credentials see the object."
	return &tfkit.AttributeError{At: path.Root(argument), Detail: tfkit.Detail(err, advice)}
}

// titleOf names a machine at the beginning of a sentence.
func titleOf(vm *cloudserver.VirtualMachine) string {
	return fmt.Sprintf("Virtual machine %d (%q)", vm.ID, cloudserver.Shown(vm.Name))
}

// refuseOn explains that a machine which is on may not be stopped. why names what needs it off.
func refuseOn(vm *cloudserver.VirtualMachine, allowed types.Bool, why string) string {
	if vm.IsOff() || allowed.ValueBool() {
		return ""
	}
	return fmt.Sprintf("%s is on, and the service %s. Set allow_stopping = true to have it stopped, or stop it first.",
		titleOf(vm), why)
}

// choices returns the known values of one attribute, which the service must offer.
func choices(attribute string, offer tfkit.Offer, values ...string) []tfkit.Choice {
	var all []tfkit.Choice
	for _, value := range values {
		if value != "" {
			all = append(all, tfkit.Choice{At: path.Root(attribute), Value: value, Offer: offer})
		}
	}
	return all
}

// warnUnrestored reports a machine whose power could not be restored.
func warnUnrestored(d *tfkit.ProviderData, left steps.Unrestored, diags *diag.Diagnostics) {
	state := stateStop
	if left.Machine.Before().On {
		state = stateStart
	}
	id := cloudserver.IDText(left.Machine.Location().ID)
	diags.AddAttributeWarning(path.Root("virtual_machine_id"), "Cannot restore the power of "+left.Machine.Title(),
		tfkit.Detail(left.Err, fmt.Sprintf("Look at it, and set its power %s.",
			d.WithAction("vm_power", "virtual_machine_id="+id, "state="+state))))
}
