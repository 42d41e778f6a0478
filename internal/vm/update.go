package vm

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// What is done after a failure or an interrupt has an end of its own: giving a
// machine its power back, and reading what was really applied.
const (
	recoverTimeout = 2 * time.Minute
	imageTimeout   = time.Minute // of those two minutes, for an image that may not come
	lookTimeout    = 30 * time.Second
)

// Update changes the machine step by step. After a failure the machine has the
// power that it had, and the state holds what was really applied.
func (r *vmResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state, plan, config model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	timeout, d := plan.Timeouts.Update(ctx, defaultUpdateTimeout)
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() || !r.data.RequireReady("update "+state.place(), &resp.Diagnostics) {
		return
	}
	r.keepAccount(ctx, &state, plan)
	adopted := isAdopted(ctx, req.Private, &resp.Diagnostics)
	change := decide(ctx, state, &plan, config, adopted, &resp.Diagnostics)
	change.refuse(state, plan, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	work, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	u := &updater{
		client: r.data.Client, fleet: r.data.Fleet,
		state: state, plan: plan, change: change, image: config.image(ctx, &resp.Diagnostics),
		ref: state.ref(), machine: state.machine(),
		on: state.PowerOn.ValueBool(), autoreboot: state.AutorebootOn.ValueBool(),
	}
	if failed, err := u.run(work); failed != nil {
		failed.report(state, err, &resp.Diagnostics)
		applied := u.recover(ctx, &resp.Diagnostics)
		save(ctx, &resp.State, resp.Identity, applied, &resp.Diagnostics)
		return
	}
	plan.settle(ctx, u.now(ctx, &resp.Diagnostics), &resp.Diagnostics)
	if u.reimaged {
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, adoptedKey, []byte("false"))...)
	}
	save(ctx, &resp.State, resp.Identity, plan, &resp.Diagnostics)
}

// updater carries out one change of one machine.
type updater struct {
	client *cloudserver.Client
	fleet  *fleet.Fleet

	state, plan model
	change      change
	image       cloudserver.Reimage // what in_place installs
	ref         cloudserver.Ref
	machine     fleet.Machine

	moveTo         *int64                      // id of another group that the machine is to be in
	on, autoreboot bool                        // as the machine has them now
	signalled      bool                        // the guest was asked to go down
	reimaging      bool                        // the service may be installing the new image
	reimaged       bool                        // it has said so
	done           bool                        // the machine has the power that it is to have
	sent           bool                        // something was asked of the service
	last           *cloudserver.VirtualMachine // as last read; nil after a write

	say func(string) // told what happens, in words for a person; nil: nobody is
}

// step is one part of an update. Verb completes "Cannot … virtual machine", and
// blame finds the attribute that a refusal is about.
type step struct {
	verb  string
	blame tfkit.AttributePath
	do    func(context.Context) error
}

// run goes through the steps and stops at the first that fails.
func (u *updater) run(ctx context.Context) (failed *step, err error) {
	steps := []step{
		{fmt.Sprintf("find group %q for", u.plan.Group.ValueString()), blameGroup, u.findGroup},
		{"stop", u.plan.attributePath, u.stopFirst},
		{"update", u.plan.attributePath, u.configure},
	}
	steps = append(steps, u.discSteps()...)
	steps = append(steps,
		step{"reimage", u.plan.attributePath, u.reimage},
		step{"set the power of", u.plan.attributePath, u.settlePower},
		step{"read", nil, u.lookLast},
	)
	for _, s := range steps {
		if err := s.do(ctx); err != nil {
			return &s, err
		}
	}
	return nil, nil
}

// stopFirst stops a machine that is to be off, or has to be for the change.
func (u *updater) stopFirst(ctx context.Context) error {
	if u.change.power == powerStop || len(u.change.stopsFor()) > 0 {
		return u.stop(ctx)
	}
	return nil
}

// configure sends everything that one PUT can change, so that the service
// takes it as a whole or not at all: name and group, specification, settings.
func (u *updater) configure(ctx context.Context) error {
	update := u.settings()
	if differs(u.state.Name, u.plan.Name) {
		update.Name = u.plan.Name.ValueStringPointer()
	}
	update.GroupID = u.moveTo
	if update.IsZero() {
		return nil
	}
	if err := u.put(ctx, update); err != nil {
		return err
	}
	if update.GroupID != nil {
		u.ref.Group = idText(*update.GroupID)
		u.machine.Group = u.plan.Group.ValueString()
		u.fleet.Wrote(u.machine)
	}
	return nil
}

// settings is the part of the update that is not about name and place.
func (u *updater) settings() cloudserver.VirtualMachineUpdate {
	var update cloudserver.VirtualMachineUpdate
	if differs(u.state.Cores, u.plan.Cores) {
		update.Cores = u.plan.Cores.ValueInt64Pointer()
	}
	if differs(u.state.Memory, u.plan.Memory) {
		update.Memory = u.plan.Memory.ValueInt64Pointer()
	}
	if changesProfile(u.state, u.plan) {
		update.HardwareProfile = u.plan.HardwareProfile.ValueStringPointer()
	}
	if differs(u.state.HardwareProfileLocked, u.plan.HardwareProfileLocked) {
		update.HardwareProfileLocked = u.plan.HardwareProfileLocked.ValueBoolPointer()
	}
	if differs(u.state.Keymap, u.plan.Keymap) {
		update.Keymap = &cloudserver.Nullable{Value: u.plan.Keymap.ValueStringPointer()}
	}
	if !u.plan.CDROMURL.IsUnknown() && !u.plan.CDROMURL.Equal(u.state.CDROMURL) {
		update.CDROMURL = &cloudserver.Nullable{Value: u.plan.CDROMURL.ValueStringPointer()}
	}
	if u.settled() && tfkit.Given(u.plan.AutorebootOn) && u.plan.AutorebootOn.ValueBool() != u.autoreboot {
		update.AutorebootOn = u.plan.AutorebootOn.ValueBoolPointer()
	}
	return update
}

// settled says whether the machine has its power already, so that autoreboot_on
// can go with the other settings instead of after a start.
func (u *updater) settled() bool {
	return !u.change.reimagesInPlace() && u.on == u.wantsOn()
}

// wantsOn is the power that the machine has when the update is done: the
// configured one, or the one that it had.
func (u *updater) wantsOn() bool {
	if tfkit.Given(u.plan.PowerOn) {
		return u.plan.PowerOn.ValueBool()
	}
	return u.state.PowerOn.ValueBool()
}

// findGroup asks for the id of the group to move to (api.md §5), before anything
// is done: there may be no such group.
func (u *updater) findGroup(ctx context.Context) error {
	if !differs(u.state.Group, u.plan.Group) {
		return nil
	}
	name := u.plan.Group.ValueString()
	if name == idText(u.state.GroupID.ValueInt64()) {
		return nil
	}
	group, err := u.client.GroupAlone(ctx, u.plan.Account.ValueString(), name)
	if cloudserver.IsNotFound(err) {
		return &attributeError{path.Root("group"), tfkit.Detail(err, tfkit.NoSuchGroup(ctx, u.client, u.plan.Account.ValueString(), name))}
	}
	if err != nil {
		return err
	}
	if group.ID == u.state.GroupID.ValueInt64() { // the group itself was renamed, and the machine's host name with it
		u.wrote()
		return nil
	}
	u.moveTo = &group.ID
	return nil
}

func blameGroup(cloudserver.Problem) (path.Path, bool) { return path.Root("group"), true }

// reimage installs the configured image on the machine, which is off. The
// service switches it on when it is done (api.md §3).
func (u *updater) reimage(ctx context.Context) error {
	if !u.change.reimagesInPlace() {
		return nil
	}
	err := u.client.ReimageVirtualMachine(ctx, u.ref, u.image)
	u.wrote()
	u.reimaging = err == nil || cloudserver.IsUnsure(err)
	if err != nil {
		return err
	}
	u.reimaged, u.on, u.autoreboot = true, false, false
	u.tell("installing " + u.image.Distribution)
	if err := u.wait(ctx, isOn); err != nil {
		return err
	}
	u.reimaging, u.signalled = false, false // it may go down again, and the signal for this is answered
	return nil
}

// settlePower gives the machine the power and the autoreboot_on that it is to
// have, whatever stopping and starting made of them.
func (u *updater) settlePower(ctx context.Context) error {
	change := u.start
	if !u.wantsOn() {
		change = u.stop
	}
	if err := change(ctx); err != nil {
		return err
	}
	if err := u.setAutoreboot(ctx, u.plan.AutorebootOn); err != nil {
		return err
	}
	u.done = true
	return nil
}

// setAutoreboot makes autoreboot_on what it is to be, where that is known.
func (u *updater) setAutoreboot(ctx context.Context, wanted types.Bool) error {
	if !tfkit.Given(wanted) || wanted.ValueBool() == u.autoreboot {
		return nil
	}
	return u.put(ctx, cloudserver.VirtualMachineUpdate{AutorebootOn: wanted.ValueBoolPointer()})
}

// lookLast reads the machine once, unless the last wait has just done so or
// nothing was sent.
func (u *updater) lookLast(ctx context.Context) error {
	if u.last != nil || !u.sent {
		return nil
	}
	vm, err := u.fleet.Read(ctx, u.machine)
	if err != nil {
		return err
	}
	u.see(vm)
	return nil
}

// now is the machine as it is after the update: as last read, or as it was
// where nothing was asked of the service.
func (u *updater) now(ctx context.Context, diags *diag.Diagnostics) model {
	now := u.state
	if u.last != nil {
		now.read(ctx, u.last, diags)
	}
	return now
}

// put sends a partial update and remembers what it makes of power.
func (u *updater) put(ctx context.Context, update cloudserver.VirtualMachineUpdate) error {
	_, err := u.client.UpdateVirtualMachine(ctx, u.ref, update)
	u.wrote()
	if err != nil {
		return err
	}
	if update.AutorebootOn != nil {
		u.autoreboot = *update.AutorebootOn
	}
	return nil
}

// wrote makes what was read before stale.
func (u *updater) wrote() {
	u.last, u.sent = nil, true
	u.fleet.Wrote(u.machine)
}

// see takes in what the service shows.
func (u *updater) see(vm *cloudserver.VirtualMachine) {
	u.last = vm
	if vm.PowerOn != nil {
		u.on = *vm.PowerOn
	}
	if isOff(vm) {
		u.signalled = false // the guest has gone down
	}
	if vm.AutorebootOn != nil {
		u.autoreboot = *vm.AutorebootOn
	}
}
