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
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/machine"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/rollout"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// order is what the configuration of an action asks for.
type order struct {
	target
	disc, to types.String // a disc of the machine, and the machine to move it to; null: none
	what     string       // completes "Cannot …"

	validate func(*diag.Diagnostics) // reports contradictory arguments; nil: there can be none
	choices  []tfkit.Choice          // values that the service must offer

	shutdown machine.Shutdown // how machines that are on are stopped
	deleted  bool             // it is for soft-deleted machines
	restarts bool             // it takes down machines that are on, temporarily

	// refuse explains why a machine is not suitable, or returns "". It is called for each machine.
	refuse func(*cloudserver.VirtualMachine, *cloudserver.Disc) string
	do     func(context.Context, *work) error
	blame  map[string]string // the attributes that problems are about, by the name in the request
}

// work is what an order works on.
type work struct {
	*machine.Machine
	to     *machine.Machine  // nil: there is one machine
	disc   *cloudserver.Disc // nil: the order concerns no disc
	client *cloudserver.Client
	fleet  *fleet.Fleet
}

// machines returns the machines of the work.
func (w *work) machines() []*machine.Machine {
	if w.to == nil {
		return []*machine.Machine{w.Machine}
	}
	return []*machine.Machine{w.Machine, w.to}
}

// machines returns the IDs of the machines that the order works on.
func (o order) machines() []int64 {
	ids := []int64{tfkit.IDOf(o.VirtualMachineID)}
	if tfkit.Given(o.to) {
		ids = append(ids, tfkit.IDOf(o.to))
	}
	return ids
}

func title(id int64) string { return "virtual machine " + cloudserver.IDText(id) }

// run looks at the machines and carries out the order. After a failure or a cancellation it restores their power.
// Waiting for a slot is not part of the timeout.
func (o order) run(ctx context.Context, d *tfkit.ProviderData, timeout time.Duration, diags *diag.Diagnostics) {
	w, err := o.begin(ctx, d)
	if err != nil {
		o.addError(diags, err)
		return
	}
	slot, err := o.takeSlot(ctx, d.Rollout, w)
	if err != nil {
		o.addError(diags, err)
		return
	}
	doing, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err = o.do(doing, w)
	down := slices.IndexFunc(w.machines(), (*machine.Machine).MayBeDown)
	if err != nil && down >= 0 { // no other machine must go down beside it
		d.Rollout.Stop(title(w.machines()[down].Location().ID), err)
	} else {
		slot.End()
	}
	if err != nil {
		o.addError(diags, err)
		for _, m := range w.machines() {
			restorePower(naming(ctx, m), d, m, diags)
		}
	}
}

// begin reads the disc and the machines. The error is a *refusal if one of them is not suitable.
func (o order) begin(ctx context.Context, d *tfkit.ProviderData) (*work, error) {
	w := &work{client: d.Client, fleet: d.Fleet}
	if !o.disc.IsNull() {
		disc, err := d.Client.Disc(ctx, tfkit.IDOf(o.disc))
		if err != nil {
			return nil, missingAt("disc_id", err)
		}
		w.disc = disc
	}
	var err error
	if w.Machine, err = o.find(ctx, d, "virtual_machine_id", o.VirtualMachineID, w.disc); err != nil {
		return nil, err
	}
	if !o.to.IsNull() {
		w.to, err = o.find(ctx, d, "to", o.to, w.disc)
	}
	if err == nil && w.disc != nil {
		err = o.checkDisc(w)
	}
	return w, err
}

// find reads a machine that an argument names.
func (o order) find(
	ctx context.Context, d *tfkit.ProviderData, argument string, id types.String, disc *cloudserver.Disc,
) (*machine.Machine, error) {
	vm, err := d.Client.VirtualMachine(ctx, tfkit.IDOf(id), cloudserver.IncludeDeleted)
	if err != nil {
		return nil, missingAt(argument, err)
	}
	if vm.Deleted && !o.deleted {
		return nil, &refusal{path.Root(argument), fmt.Sprintf("Virtual machine %d is soft-deleted. Undelete it first, %s.",
			vm.ID, d.WithAction("vm_undelete", "virtual_machine_id="+cloudserver.IDText(vm.ID)))}
	}
	if problem := o.refuse(vm, disc); problem != "" {
		return nil, &refusal{path.Root(argument), problem}
	}
	location, _, err := tfkit.Locate(ctx, d.Fleet, vm)
	if err != nil {
		return nil, fmt.Errorf("finding the machine's group: %w", err)
	}
	before := machine.Power{On: !vm.IsOff(), Autoreboot: vm.AutorebootOn != nil && *vm.AutorebootOn}
	service := machine.Service{Client: d.Client, Fleet: d.Fleet}
	m := machine.New(service, location, before, o.shutdown)
	m.See(ctx, vm)
	return m, nil
}

// checkDisc refuses a disc that is on another machine.
func (o order) checkDisc(w *work) error {
	on := w.disc.VirtualMachineID
	isMoved := w.to != nil && on == w.to.Location().ID // an earlier invocation may have moved it
	if on == 0 || on == w.Location().ID || isMoved {
		return nil
	}
	return &refusal{path.Root("disc_id"), fmt.Sprintf("Disc %d is on virtual machine %d, not on %d.",
		w.disc.ID, on, w.Location().ID)}
}

// takeSlot waits for a slot for each machine, if the order takes down one that is on.
func (o order) takeSlot(ctx context.Context, slots *rollout.Rollout, w *work) (*rollout.Slot, error) {
	isOn := func(m *machine.Machine) bool { return m.Power().On }
	if !o.restarts || !slices.ContainsFunc(w.machines(), isOn) {
		return nil, nil
	}
	var titles []string
	for _, m := range w.machines() {
		titles = append(titles, title(m.Location().ID))
	}
	return slots.Take(ctx, titles...)
}

// refusal is an error at an attribute, with what to do about it.
type refusal struct {
	at   path.Path
	text string
}

// Error returns the explanation.
func (r *refusal) Error() string { return r.text }

// missingAt returns a *refusal if an error means that the object which the argument names does not exist.
func missingAt(argument string, err error) error {
	if !cloudserver.IsNotFound(err) {
		return err
	}
	return &refusal{path.Root(argument), tfkit.Detail(err, "Check "+argument+", endpoint, and whether these credentials see the object.")}
}

// refuseOn explains that a machine which is on may not be stopped. why names what needs it off.
func refuseOn(vm *cloudserver.VirtualMachine, allowed types.Bool, why string) string {
	if vm.IsOff() || allowed.ValueBool() {
		return ""
	}
	return fmt.Sprintf("Virtual machine %d is on, and the service %s. Set allow_stopping = true to have it stopped, or stop it first.", vm.ID, why)
}

// refuseNothing accepts every machine.
func refuseNothing(*cloudserver.VirtualMachine, *cloudserver.Disc) string { return "" }

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

// addError reports what went wrong.
func (o order) addError(diags *diag.Diagnostics, err error) {
	summary := "Cannot " + o.what
	if refused, ok := errors.AsType[*refusal](err); ok {
		diags.AddAttributeError(refused.at, summary, refused.text)
		return
	}
	if over, ok := errors.AsType[*rollout.Error](err); ok {
		diags.AddError(summary, over.Words("invoked"))
		return
	}
	attribute := func(problem cloudserver.Problem) (path.Path, bool) {
		sent := problem.Attribute
		if sent == "reimage" {
			sent = problem.Field
		}
		name, ok := o.blame[sent]
		return path.Root(name), ok
	}
	tfkit.AddError(diags, summary, err, attribute, tfkit.Longer(err, "timeouts.invoke"))
}

// restorePower restores the power that a machine had.
func restorePower(ctx context.Context, d *tfkit.ProviderData, m *machine.Machine, diags *diag.Diagnostics) {
	err := m.RestorePower(ctx)
	if err == nil || fleet.IsDeletedOrGone(err) { // otherwise there is no power to restore
		return
	}
	state := stateStop
	if m.Before().On {
		state = stateStart
	}
	id := cloudserver.IDText(m.Location().ID)
	diags.AddAttributeWarning(path.Root("virtual_machine_id"), "Cannot restore the power of the machine",
		tfkit.Detail(err, fmt.Sprintf("Look at %s, and set its power %s.",
			title(m.Location().ID), d.WithAction("vm_power", "virtual_machine_id="+id, "state="+state))))
}
