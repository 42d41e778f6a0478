package vm

import (
	"context"
	"fmt"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// nameRefused is a name that the machine could not have.
type nameRefused struct {
	err    error // the service's answer
	detail string
}

func (e *nameRefused) Error() string { return e.err.Error() }

func (e *nameRefused) Unwrap() error { return e.err }

// renames returns the verb of takeName.
func (u *update) renames() string {
	if u.moveTo == nil && differs(u.state.Name, u.plan.Name) {
		return "rename"
	}
	return "move"
}

// takeName moves and renames the machine in one request, before anything that
// costs uptime. Where the name is taken there, the machine steps aside: it takes a
// temporary name instead of its own, because the machine that holds the name may
// want it, and asks again. So machines can swap their names.
func (u *update) takeName(ctx context.Context) error {
	request := cloudserver.VirtualMachineUpdate{GroupID: u.moveTo}
	if differs(u.state.Name, u.plan.Name) {
		request.Name = u.plan.Name.ValueStringPointer()
	}
	if request.IsZero() {
		return nil
	}
	name, aside := u.plan.Name.ValueString(), "renaming-"+u.state.ID.ValueString()
	put := func() error { return u.machine.Put(ctx, request) }
	err := put()
	if cloudserver.IsNameTaken(err) && !u.heldByDeleted(ctx, name) && u.rename(ctx, aside) == nil {
		request.Name = &name
		err = u.running.AwaitName(ctx, err, cloudserver.IsNameTaken, put)
		if err != nil && !cloudserver.IsAmbiguous(err) {
			return u.giveUp(ctx, aside, err)
		}
	}
	if cloudserver.IsNameTaken(err) {
		return &nameRefused{err, u.nameAdvice(ctx, u.state.Name.ValueString())}
	}
	u.running.FreedName()
	return err
}

// rename renames the machine in the group where it is.
func (u *update) rename(ctx context.Context, name string) error {
	if err := u.machine.Put(ctx, cloudserver.VirtualMachineUpdate{Name: &name}); err != nil {
		return err
	}
	u.running.FreedName()
	return nil
}

// giveUp ends with the machine's old name, unless another operation of this
// process was refused a name and so may need that one. An interrupt does not keep
// it from that.
func (u *update) giveUp(ctx context.Context, aside string, refusal error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookTimeout)
	defer cancel()
	old := u.state.Name.ValueString()
	if u.running.OthersWereRefused() || u.rename(ctx, old) != nil {
		old = aside
	}
	if !cloudserver.IsNameTaken(refusal) {
		return refusal
	}
	return &nameRefused{refusal, u.nameAdvice(ctx, old)}
}

// nameAdvice returns what the machine is called now, who holds the name that it
// could not have, and what to do.
func (u *update) nameAdvice(ctx context.Context, called string) string {
	name := u.plan.Name.ValueString()
	now := fmt.Sprintf("The machine keeps the name %q.", called)
	if called != u.state.Name.ValueString() {
		now = fmt.Sprintf("The machine is called %q for now: another change of this apply may need its old name %q.", called, u.state.Name.ValueString())
	}
	vm, err := u.holder(ctx, name)
	switch {
	case cloudserver.IsNotFound(err):
		return fmt.Sprintf("%s Nothing holds the name %q any more: run apply again.", now, name)
	case err != nil:
		return fmt.Sprintf("%s If another change of this configuration frees the name %q, run apply again. Otherwise choose another name.", now, name)
	case vm.Deleted:
		return now + " " + softDeletedHolder(vm.ID, fleet.Name{Name: name})
	}
	return fmt.Sprintf("%s Virtual machine %d holds the name %q. If another change of this configuration renames, moves or destroys it, run apply again. Otherwise choose another name.", now, vm.ID, name)
}

// heldByDeleted reports whether a soft-deleted machine holds the name: it does not
// give it up.
func (u *update) heldByDeleted(ctx context.Context, name string) bool {
	vm, err := u.holder(ctx, name)
	return err == nil && vm.Deleted
}

// holder finds the machine that has the name where this one is to be.
func (u *update) holder(ctx context.Context, name string) (*cloudserver.VirtualMachine, error) {
	group := u.state.GroupID
	if u.moveTo != nil {
		group = tfkit.IDOrNull(*u.moveTo)
	}
	return u.resource.data.Client.VirtualMachineByName(ctx, u.plan.Account.ValueString(), group.ValueString(), name, cloudserver.IncludeDeleted)
}
