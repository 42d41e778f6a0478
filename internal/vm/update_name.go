package vm

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// findGroup finds the group to move to, before anything is stopped: there may be
// no such group. A group that was merely renamed is the same place.
func (u *update) findGroup(ctx context.Context) (err error) {
	if !u.plan.moves(&u.state) {
		return nil
	}
	var group *fleet.Group
	known, account := u.resource.Data.Fleet.Directory, u.plan.Account.ValueString()
	if tfkit.Given(u.plan.GroupID) {
		group, err = known.GroupByID(ctx, tfkit.IDOf(u.plan.GroupID), account)
	} else {
		group, err = known.Find(ctx, account, 0, u.plan.Group.ValueString())
	}
	switch {
	case err != nil && !cloudserver.IsNotFound(err):
		return err
	case group == nil:
		at, why := u.resource.missingPlace(ctx, &u.plan)
		detail := why() + " A machine moves to an existing group: create it first. Nothing was changed."
		if err != nil {
			detail = tfkit.Detail(err, detail)
		}
		return &attributeError{at, detail}
	case tfkit.Given(u.plan.Account) && group.Account != account:
		return &attributeError{path.Root("account"), fmt.Sprintf("The group %s belongs to the account %q, not to %q. Nothing was changed. Change account or group_id.", u.plan.GroupID.ValueString(), group.Account, account)}
	}
	u.renamed = cloudserver.IDText(group.ID) == u.state.GroupID.ValueString() // and the hostname with it
	if !u.renamed {
		u.moveTo = &group.ID
	}
	return nil
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
	if cloudserver.IsNameTaken(err) {
		holder, unknown := u.holder(ctx, name) // a soft-deleted machine does not give the name up
		if (unknown != nil || !holder.Deleted) && u.rename(ctx, aside) == nil {
			request.Name = &name
			err = u.running.AwaitName(ctx, err, cloudserver.IsNameTaken, put)
			if err != nil && !cloudserver.IsAmbiguous(err) {
				return u.giveUp(ctx, aside, err)
			}
		}
	}
	if cloudserver.IsNameTaken(err) {
		return u.nameRefused(ctx, err, u.state.Name.ValueString())
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
	return u.nameRefused(ctx, refusal, old)
}

// nameRefused says what the machine is called now, who holds the name that it could
// not have, and what to do.
func (u *update) nameRefused(ctx context.Context, refusal error, called string) error {
	name := u.plan.Name.ValueString()
	now := fmt.Sprintf("The machine keeps the name %q.", called)
	if called != u.state.Name.ValueString() {
		now = fmt.Sprintf("The machine is called %q for now: another change of this apply may need its old name %q.", called, u.state.Name.ValueString())
	}
	next := fmt.Sprintf(" If another change of this configuration frees the name %q, run apply again. Otherwise choose another name.", name)
	if vm, err := u.holder(ctx, name); err == nil && vm.Deleted {
		next = " " + u.resource.softDeletedHolder(vm.ID, name)
	} else if err == nil {
		next = fmt.Sprintf(" Virtual machine %d holds the name %q.", vm.ID, name) + next
	}
	return &attributeError{path.Root("name"), tfkit.Detail(refusal, now+next)}
}

// holder finds the machine that has the name where this one is to be.
func (u *update) holder(ctx context.Context, name string) (*cloudserver.VirtualMachine, error) {
	group := u.state.GroupID
	if u.moveTo != nil {
		group = tfkit.IDOrNull(*u.moveTo)
	}
	return u.resource.Data.Client.VirtualMachineByName(ctx, u.plan.Account.ValueString(), group.ValueString(), name, cloudserver.IncludeDeleted)
}
