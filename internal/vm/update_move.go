package vm

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// findGroup finds the group to move to, before anything is stopped: there may be
// no such group. A group that was merely renamed is the same place.
func (u *update) findGroup(ctx context.Context) error {
	if !u.plan.moves(&u.state) {
		return nil
	}
	target, err := u.targetGroup(ctx)
	if err != nil {
		return err
	}
	if cloudserver.IDText(target.ID) != u.state.GroupID.ValueString() {
		u.moveTo = &target.ID
		return nil
	}
	u.renamed = true // the group was renamed, and the hostname with it
	return nil
}

func (u *update) targetGroup(ctx context.Context) (*fleet.Group, error) {
	known, account := u.resource.data.Directory, u.plan.Account.ValueString()
	if tfkit.Given(u.plan.GroupID) {
		group, err := known.GroupByID(ctx, tfkit.IDOf(u.plan.GroupID), account)
		switch {
		case err != nil:
			return nil, err
		case group == nil:
			return nil, &attributeError{path.Root("group_id"), fmt.Sprintf("GET /accounts/%s/groups shows no group with the ID %s, nor does any other account that these credentials can see.", account, u.plan.GroupID.ValueString())}
		case tfkit.Given(u.plan.Account) && group.Account != account:
			return nil, &attributeError{path.Root("account"), fmt.Sprintf("The group %s belongs to the account %q, not to %q. Change account or group_id.", u.plan.GroupID.ValueString(), group.Account, account)}
		}
		return group, nil
	}
	name := u.plan.Group.ValueString()
	group, err := known.GroupNamed(ctx, account, name)
	switch {
	case cloudserver.IsNotFound(err):
		return nil, &attributeError{path.Root("account"), tfkit.Detail(err, tfkit.NoSuchAccount(ctx, u.resource.data.Directory, account))}
	case err != nil:
		return nil, err
	case group == nil:
		return nil, &attributeError{path.Root("group"), tfkit.NoSuchGroup(ctx, u.resource.data.Directory, account, name) + " A machine moves to an existing group: create it first."}
	}
	return group, nil
}

// placeName returns the names of where the machine is after the update.
func (u *update) placeName(ctx context.Context, vm *cloudserver.VirtualMachine) (group, account types.String) {
	group, account = u.state.Group, u.state.Account
	if u.plan.Group.IsUnknown() && vm.GroupID != 0 {
		group = tfkit.IDOrNull(vm.GroupID)
		if found, err := u.resource.data.Directory.GroupByID(ctx, vm.GroupID, u.plan.Account.ValueString()); err == nil && found != nil {
			group, account = types.StringValue(found.Name), types.StringValue(found.Account)
		}
	}
	return group, account
}
