package vmaction

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// defaultTimeout is the default timeout of an action on a machine.
const defaultTimeout = "20m"

// order is what the configuration of an action asks for.
type order struct {
	target
	disc, to types.String // a disc of the machine, and the machine to move it to; null: none
	what     string       // completes "Cannot …"
	look     string       // what to check after a failure; "": the machine

	validate func(*diag.Diagnostics) // reports contradictory arguments; nil: there can be none
	choices  []tfkit.Choice          // values that the service must offer

	shutdown shutdown // how machines that are on are stopped
	power    bool     // it changes the power, or restores it
	deleted  bool     // the action is for soft-deleted machines
	restarts bool     // it takes down machines that are on, temporarily
	loses    string   // the loss, as a sentence; "": none
	bootDisc bool     // the loss is about the boot disc alone
	// never explains why the machine or disc can never be suitable, or returns "". It is nil if that cannot be.
	never func(*cloudserver.VirtualMachine, *cloudserver.Disc) string
	// refuse explains why the machine is not suitable in its current state, or returns "".
	refuse func(*cloudserver.VirtualMachine, *cloudserver.Disc) string
	// requires looks for what else the order needs, beside a machine and a disc that fit; nil: nothing.
	requires func(context.Context, *work) error
	do       func(context.Context, *work) error
	blame    map[string]string // the attributes that problems are about, by the name in the request
}

// work is what an order works on.
type work struct {
	*operation.Machine
	targets // as they were found

	boot   int64 // the boot disc, as it was found first; 0 only if the order is not about it
	to     *operation.Machine
	client *cloudserver.Client
}

// machines returns the IDs of the machines that the order works on.
func (o order) machines() []int64 {
	ids := []int64{tfkit.IDOf(o.VirtualMachineID)}
	if tfkit.Given(o.to) {
		ids = append(ids, tfkit.IDOf(o.to))
	}
	return ids
}

// titles names the machines.
func (o order) titles() (titles []string) {
	for _, id := range o.machines() {
		titles = append(titles, title(id))
	}
	return titles
}

// triggerOfProtected is advice to somebody whose machine invokes an action that loses data.
const triggerOfProtected = ". If an action_trigger of the machine invokes this action, take the trigger out for the apply that lifts the protection: " +
	"it would invoke the action, and be refused again"

// refuseProtected refuses an order that loses data of a machine that is protected: by its state or by a plan, as known
// to this process.
func (o order) refuseProtected(p provider, diags *diag.Diagnostics) {
	if o.loses != "" && tfkit.Given(o.VirtualMachineID) {
		known := p.Memory.Of(run.ObjectWithID(run.VirtualMachine, tfkit.IDOf(o.VirtualMachineID)))
		presence.RefuseLoss(known.Protection, path.Root("virtual_machine_id"), o.what+o.title(known), o.loses+triggerOfProtected, diags)
	}
}

// title returns, in parentheses, how people know the disc or the machine that the order works on, or "" if this process
// has not seen it in a state. known is what the process knows of the machine.
func (o order) title(known run.Known) string {
	title := known.Title
	if tfkit.Given(o.disc) {
		title = known.Discs[o.disc.ValueString()]
	}
	if title != "" {
		return " (" + title + ")"
	}
	return ""
}

func title(id int64) string { return "virtual machine " + cloudserver.IDText(id) }

// run looks at the machines and carries out the order. After a failure or a cancellation it restores their power.
// Waiting for a slot is not part of the timeout, and what was read before the wait is read again.
func (o order) run(ctx context.Context, timeout time.Duration, p provider, diags *diag.Diagnostics) {
	begin := func(before *work) (*work, error) {
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		return o.begin(ctx, p, before)
	}
	w, err := begin(nil)
	if err != nil {
		o.addFailure(diags, err)
	}
	if w == nil {
		return
	}
	var slot *run.Slot
	if o.restarts && (w.On || w.to != nil && w.to.On) {
		began := time.Now()
		if slot, err = p.Rollout.Take(ctx, o.titles()...); err != nil {
			o.addNoSlot(err, diags)
			return
		}
		if time.Since(began) > time.Second {
			w, err = begin(w)
		}
		if err != nil || w == nil {
			slot.End()
			if err != nil {
				o.addFailure(diags, err)
			}
			return
		}
	}
	doing, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err = o.do(doing, w)
	machines := []*operation.Machine{w.Machine, w.to}[:len(o.machines())]
	if down := slices.IndexFunc(machines, mayBeDown); err != nil && down >= 0 {
		p.Rollout.Stop(title(machines[down].ID()), err) // also without a slot: no other machine must go down beside it
	} else {
		slot.End()
	}
	if err == nil {
		return
	}
	o.addFailure(diags, err)
	restorePowers(ctx, p, machines, diags)
}

// mayBeDown reports whether a failed order may have left down a machine that was on.
func mayBeDown(machine *operation.Machine) bool { return machine.WasOn && machine.Touched }

// addNoSlot reports that the order got no slot, because the rollout is over.
func (o order) addNoSlot(err error, diags *diag.Diagnostics) {
	if over, ok := errors.AsType[*run.RolloutError](err); ok {
		diags.AddError("Cannot "+o.what, over.Words("invoked")+"\n"+tfkit.NothingChanged+" here.")
		return
	}
	tfkit.AddError(diags, "Cannot "+o.what, err, nil, tfkit.NothingChanged+" here. Invoke the action again.")
}

// begin reads the disc and the machines. It returns nil if there is nothing to do, and an error if one of them is not
// suitable. before is what was begun before a wait, or nil: the machines have to be the same ones.
func (o order) begin(ctx context.Context, p provider, before *work) (*work, error) {
	found, err := o.find(ctx, p)
	if err != nil {
		return nil, err
	}
	if found.done {
		return nil, o.confirmMoved(ctx, p, found.disc, before)
	}
	w := &work{targets: found, client: p.Client, boot: bootDisc(found.machines[0])}
	if before != nil && o.bootDisc {
		w.boot = before.boot
		if err := operation.CheckBootDisc(found.machines[0], w.boot); err != nil {
			return nil, err
		}
	}
	for i, machine := range []**operation.Machine{&w.Machine, &w.to}[:len(found.machines)] {
		vm := found.machines[i]
		address, err := locate(ctx, p, vm, before, i)
		if err != nil {
			return nil, err
		}
		*machine = operation.On(
			p.Service, address, vm.IsOn(), vm.AutorebootOn != nil && *vm.AutorebootOn, // both are shown if the order needs them
			operation.Shutdown{Timeout: o.shutdown.ShutdownTimeout.ValueString(), OnTimeout: o.shutdown.OnShutdownTimeout.ValueString()},
		)
	}
	return w, nil
}

// locate returns the address of the machine of the order with that index. A machine of another service is an error.
func locate(ctx context.Context, p provider, vm *cloudserver.VirtualMachine, before *work, index int) (fleet.Machine, error) {
	var known *origin.Machine
	if before != nil {
		known = []*operation.Machine{before.Machine, before.to}[index].Address().Origin
	}
	address, err := location.LocateAgain(ctx, p.Fleet, p.Memory, vm, known)
	if err != nil {
		return address, fmt.Errorf("finding the machine's group: %w", err)
	}
	return address, nil
}

// confirmMoved returns an error unless the machine that a disc is to be moved to shows it. That the disc's own answer names
// the machine proves nothing.
func (o order) confirmMoved(ctx context.Context, p provider, disc *cloudserver.Disc, before *work) error {
	to := o.machines()[1]
	vm, err := p.Client.VirtualMachine(ctx, to, cloudserver.IncludeDeleted)
	if err != nil {
		return missingAt("to", err)
	}
	if _, err := locate(ctx, p, vm, before, 1); err != nil {
		return err
	}
	if !slices.ContainsFunc(vm.Discs, func(d cloudserver.Disc) bool { return d.ID == disc.ID }) {
		return &refusal{at: path.Root("disc_id"), text: fmt.Sprintf(
			"The service answers that disc %d is on virtual machine %d, and shows that machine without it. Nothing was sent. Invoke the action again.", disc.ID, to,
		)}
	}
	progress.Report(ctx, "nothing to do: the disc is on "+title(to))
	return nil
}

// bootDisc returns the ID of the first disc, or 0 if the machine shows none.
func bootDisc(vm *cloudserver.VirtualMachine) int64 {
	if len(vm.Discs) == 0 {
		return 0
	}
	return vm.Discs[0].ID
}

// targets is the current state of the disc and machines of an order.
type targets struct {
	disc     *cloudserver.Disc // nil: the order concerns no disc
	machines []*cloudserver.VirtualMachine
	done     bool // there is nothing to do
}

// find reads the disc and the machines. The error is a refusal if one of them is not suitable.
func (o order) find(ctx context.Context, p provider) (f targets, err error) {
	ids := o.machines()
	if !o.disc.IsNull() {
		if f.disc, err = p.Client.Disc(ctx, tfkit.IDOf(o.disc)); err != nil {
			return f, missingAt("disc_id", err)
		}
		switch on := f.disc.VirtualMachineID; {
		case len(ids) == 2 && on == ids[1]: // the action may have been invoked before: confirmMoved asks
			f.done = true
			return f, nil
		case on != 0 && on != ids[0]:
			return f, &refusal{
				at:   path.Root("virtual_machine_id"),
				text: fmt.Sprintf("Disc %d is on virtual machine %d, not on %d. Check virtual_machine_id and disc_id.", f.disc.ID, on, ids[0]),
			}
		}
	}
	for i, id := range ids {
		vm, err := o.read(ctx, p, id)
		if err != nil {
			return f, missingAt([]string{"virtual_machine_id", "to"}[i], err)
		}
		f.machines = append(f.machines, vm)
	}
	for _, vm := range f.machines { // all exist
		if problem := o.refuses(p, vm, f.disc); problem != nil {
			return f, problem
		}
	}
	if f.disc != nil {
		if err := location.RequireDisc(f.machines[0], f.disc.ID); err != nil {
			return f, &refusal{at: path.Root("disc_id"), text: tfkit.Sentence(err.Error())}
		}
	}
	return f, nil
}

// read reads a machine, and once more if the answer does not show what the order decides by.
func (o order) read(ctx context.Context, p provider, id int64) (vm *cloudserver.VirtualMachine, err error) {
	for range enough {
		vm, err = p.Client.VirtualMachine(ctx, id, cloudserver.IncludeDeleted)
		if err != nil || o.lacks(vm) == nil {
			break
		}
	}
	return vm, err
}

// lacks returns an error if an answer does not show what the order decides by.
func (o order) lacks(vm *cloudserver.VirtualMachine) error {
	switch {
	case o.bootDisc && len(vm.Discs) == 0:
		return &origin.NoDiscsError{ID: vm.ID}
	case o.power && (vm.PowerOn == nil || vm.AutorebootOn == nil):
		return &refusal{at: path.Empty(), text: fmt.Sprintf("The service does not show power_on and autoreboot_on of virtual machine %d, "+
			"so it is not known whether it is on. Nothing was sent. Invoke the action again.", vm.ID)}
	}
	return nil
}

// missingError is the service's refusal to show an object that an argument names.
type missingError struct {
	error

	at string
}

func (e *missingError) Unwrap() error { return e.error }

func (e *missingError) noun() string {
	if e.at == "disc_id" {
		return "disc"
	}
	return "machine"
}

// missingAt adds the argument to an error if it means that the object does not exist.
func missingAt(argument string, err error) error {
	if cloudserver.IsNotFound(err) {
		return &missingError{err, argument}
	}
	return err
}

// refuses returns an error if a machine is not suitable.
func (o order) refuses(p provider, vm *cloudserver.VirtualMachine, disc *cloudserver.Disc) error {
	if vm.Deleted && !o.deleted {
		return &refusal{at: path.Empty(), text: fmt.Sprintf("Virtual machine %d is soft-deleted. Undelete it first, %s.",
			vm.ID, p.WithAction("vm_undelete", "virtual_machine_id="+cloudserver.IDText(vm.ID)))}
	}
	if err := o.lacks(vm); err != nil {
		return err
	}
	if o.never != nil {
		if problem := o.never(vm, disc); problem != "" {
			return &refusal{at: path.Empty(), text: problem, lasting: true}
		}
	}
	if problem := o.refuse(vm, disc); problem != "" {
		return &refusal{at: path.Empty(), text: problem}
	}
	return nil
}

// check checks an order at plan: its values, and whether it would be refused in the current state. That is an error if
// nothing in the same run can change it, and a warning otherwise.
func (o order) check(ctx context.Context, p provider, diags *diag.Diagnostics) {
	var refused error
	var looking sync.WaitGroup
	looks, cancel, ok := p.PlanCheck(ctx)
	defer cancel()
	if ok && !o.disc.IsUnknown() && !o.to.IsUnknown() && !o.VirtualMachineID.IsUnknown() {
		looking.Go(func() { refused = o.lookAhead(looks, p) })
	}
	p.CheckChoices(ctx, o.choices, diags)
	looking.Wait()
	o.reportCheck(p, refused, diags)
}

// reportCheck reports why the order would be refused.
func (o order) reportCheck(p provider, err error, diags *diag.Diagnostics) {
	refused, isRefusal := errors.AsType[*refusal](err)
	switch {
	case err == nil:
	case cloudserver.IsNotFound(err), isRefusal && refused.lasting:
		o.addFailure(diags, err)
	case isRefusal:
		at := refused.at
		if at.Equal(path.Empty()) {
			at = path.Root("virtual_machine_id")
		}
		diags.AddAttributeWarning(at, "The action cannot be invoked as things are",
			fmt.Sprintf("It is to %s. %s Unless another change of this run comes before it and changes that, the action fails.", o.what, refused.text))
	default:
		p.AddPlanCheckError(err, diags)
	}
}

// lookAhead returns why the order cannot be carried out as things are.
func (o order) lookAhead(ctx context.Context, p provider) error {
	if o.requires == nil {
		_, err := o.find(ctx, p)
		return err
	}
	w, err := o.begin(ctx, p, nil)
	if err != nil || w == nil {
		return err
	}
	return o.requires(ctx, w)
}

// refusal explains why an action cannot be invoked, with the attribute to blame, if any.
type refusal struct {
	at      path.Path
	text    string
	lasting bool // nothing in the same run can change it
}

func (r *refusal) Error() string { return r.text }

// refuseOn explains that a machine which is on may not be stopped. why names what needs it off.
func refuseOn(vm *cloudserver.VirtualMachine, allowed types.Bool, why string) string {
	if vm.IsOff() || allowed.ValueBool() {
		return ""
	}
	return fmt.Sprintf("Virtual machine %d is on, and the service %s. Set allow_stopping = true to have it stopped, or stop it first.", vm.ID, why)
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

// addFailure reports what went wrong.
func (o order) addFailure(diags *diag.Diagnostics, err error) {
	summary := "Cannot " + o.what
	if refused, ok := errors.AsType[*refusal](err); ok {
		diags.AddAttributeError(refused.at, summary, refused.text)
		return
	}
	advice := "Look at " + cmp.Or(o.look, "the machine") + " before you invoke the action again."
	missing, isMissing := errors.AsType[*missingError](err)
	switch notFound := cloudserver.IsNotFound(err); {
	case isMissing:
		advice = fmt.Sprintf("No such %s is visible to these credentials: check %s.", missing.noun(), missing.at)
	case notFound && tfkit.Given(o.to):
		advice = "No such machine or disc is visible to these credentials: check virtual_machine_id, disc_id and to."
	case notFound && !o.disc.IsNull():
		advice = "No such machine or disc is visible to these credentials: check virtual_machine_id and disc_id."
	case notFound:
		advice = "No such machine is visible to these credentials: check virtual_machine_id."
	}
	if longer := tfkit.Longer(err, "timeouts.invoke"); longer != "" {
		advice += " " + longer
	}
	if isMissing {
		diags.AddAttributeError(path.Root(missing.at), summary, tfkit.Detail(err, advice))
		return
	}
	tfkit.AddError(diags, summary, err, o.attribute, advice)
}

// attribute returns the attribute that a problem of the service is about.
func (o order) attribute(problem cloudserver.Problem) (path.Path, bool) {
	sent := problem.Attribute
	if sent == "reimage" {
		sent = problem.Field
	}
	name, ok := o.blame[sent]
	return path.Root(name), ok
}

// restorePowers restores the power that one or two machines had, side by side: after an interrupt there is little time.
func restorePowers(ctx context.Context, p provider, machines []*operation.Machine, diags *diag.Diagnostics) {
	if len(machines) == 1 {
		restorePower(ctx, p, machines[0], diags)
		return
	}
	each := make([]diag.Diagnostics, len(machines))
	var restoring sync.WaitGroup
	for i, machine := range machines {
		restoring.Go(func() { restorePower(naming(ctx, machine), p, machine, &each[i]) })
	}
	restoring.Wait()
	for _, found := range each {
		diags.Append(found...)
	}
}

// powerOf returns the state of cloudserver_vm_power that restores the power which a machine had.
func powerOf(machine *operation.Machine) string {
	if machine.WasOn {
		return "start"
	}
	return "stop"
}

// lastKnown says which power a machine was last seen with.
func lastKnown(machine *operation.Machine) string {
	if machine.On {
		return "It was on when it was last read."
	}
	return "It is off, as far as is known."
}

// restorePower restores the power that a machine had.
func restorePower(ctx context.Context, p provider, machine *operation.Machine, diags *diag.Diagnostics) {
	err := machine.RestorePower(ctx)
	if presence.IsGone(err) || errors.Is(err, operation.ErrSoftDeleted) { // there is no power to restore
		return
	}
	if errors.Is(err, operation.ErrSwitchedOff) {
		diags.AddAttributeWarning(path.Root("virtual_machine_id"), operation.PowerLeftAlone,
			"The action had stopped "+title(machine.ID())+", and started it again. Then somebody switched it off, and set its autoreboot_on to false. "+
				"Find out who, and start it when it may run.")
		return
	}
	if errors.Is(err, operation.ErrMayGoOff) {
		diags.AddAttributeWarning(path.Root("virtual_machine_id"), "The machine may still go off",
			"The guest of "+title(machine.ID())+" was asked to shut down, and may still do so. "+
				"Its autoreboot_on is false, so nothing starts it then. "+
				"If it goes off, start it "+p.WithAction("vm_power", "virtual_machine_id="+cloudserver.IDText(machine.ID()), "state="+stateStart)+".")
		return
	}
	if err != nil {
		diags.AddAttributeWarning(path.Root("virtual_machine_id"), operation.CannotRestorePower,
			tfkit.Detail(err, "")+"\n\nThe action had changed the power of "+title(machine.ID())+", or was about to. "+lastKnown(machine)+
				" Look at the machine, and set its power "+
				p.WithAction("vm_power", "virtual_machine_id="+cloudserver.IDText(machine.ID()), "state="+powerOf(machine))+".")
	}
	if machine.Imaged && machine.WasAutoreboot && !machine.Autoreboot {
		diags.AddAttributeWarning(path.Root("virtual_machine_id"), "autoreboot_on of the machine is false",
			"The image of "+title(machine.ID())+" may still be being installed. "+
				"Afterwards the machine is on, and the service does not start it again by itself. Set its autoreboot_on then.")
	}
}
