package vm

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// planPlaceCreate fills account and group from the provider's defaults. A
// default that is not known yet leaves them unknown.
func (r *vmResource) planPlaceCreate(config, plan *model, diags *diag.Diagnostics) {
	if r.data == nil {
		return
	}
	plan.Account = r.data.AccountOr(config.Account, plan.title(), diags)
	switch {
	case !config.GroupID.IsNull():
		if config.Group.IsNull() {
			plan.Group = types.StringUnknown()
		}
	case config.Group.IsNull():
		plan.Group = r.data.Group
		plan.GroupID = types.StringUnknown()
	default:
		plan.GroupID = types.StringUnknown()
	}
}

// planPlaceUpdate makes the other half of a place unknown while the configured
// one changes. Name and id of one group, in one account, are one place.
func (r *vmResource) planPlaceUpdate(ctx context.Context, state, config, plan *model) {
	switch {
	case !config.GroupID.IsNull() && !config.GroupID.Equal(state.GroupID):
		if config.Group.IsNull() {
			plan.Group = types.StringUnknown()
		}
		if config.Account.IsNull() {
			plan.Account = r.accountOf(ctx, plan.GroupID, state.Account)
		}
	case !config.Group.IsNull() && !config.Group.Equal(state.Group), plan.moves(state):
		if config.GroupID.IsNull() {
			plan.GroupID = types.StringUnknown()
		}
	}
	if plan.moves(state) {
		plan.IPv4Address, plan.IPv6Address = types.StringUnknown(), types.StringUnknown()
		plan.ManagementAddress, plan.Hostname = types.StringUnknown(), types.StringUnknown()
	}
}

// refuseTwoGroups refuses group beside group_id if the group with that ID is known
// to have another name. Both together are what -generate-config-out writes for an
// import with a CLI that does not leave it to the provider. A group that is gone
// has no name: a destroy plans like this first.
func (r *vmResource) refuseTwoGroups(ctx context.Context, state, config, plan *model, diags *diag.Diagnostics) {
	if !tfkit.Given(config.Group) || !tfkit.Given(config.GroupID) || config.Group.Equal(state.Group) && config.GroupID.Equal(state.GroupID) {
		return
	}
	ctx, cancel, ok := r.data.PlanCheck(ctx)
	defer cancel()
	if !ok {
		return
	}
	group, err := r.data.Directory.GroupByID(ctx, tfkit.IDOf(config.GroupID), plan.Account.ValueString())
	if err != nil || group == nil || group.Name == config.Group.ValueString() {
		return
	}
	diags.AddAttributeError(path.Root("group"), "Conflicting group and group_id",
		fmt.Sprintf("Both group and group_id are configured, and the group with the ID %s is %q, not %q. Remove one of the two: with group_id, a rename of the group changes nothing. An argument in ignore_changes counts as configured.",
			config.GroupID.ValueString(), group.Name, config.Group.ValueString()))
}

// accountOf returns the account of a group, unknown where the service does not
// list it.
func (r *vmResource) accountOf(ctx context.Context, groupID, likely types.String) types.String {
	ctx, cancel, ok := r.data.PlanCheck(ctx)
	defer cancel()
	if ok && tfkit.Given(groupID) {
		if group, err := r.data.Directory.GroupByID(ctx, tfkit.IDOf(groupID), likely.ValueString()); err == nil && group != nil {
			return types.StringValue(group.Account)
		}
	}
	return types.StringUnknown()
}

// moves reports whether the update moves the machine, or may do so.
func (m *machine) moves(state *model) bool {
	if tfkit.Given(m.GroupID) && m.GroupID.Equal(state.GroupID) && m.Account.Equal(state.Account) {
		return false
	}
	return m.GroupID.IsUnknown() || !m.GroupID.Equal(state.GroupID) || !m.Group.Equal(state.Group) || !m.Account.Equal(state.Account)
}
