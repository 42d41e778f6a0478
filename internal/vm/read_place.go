package vm

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// readPlace decides which account and group the machine belongs to. The names of
// the state stay while nothing contradicts them. Otherwise they come from the
// groups that the service lists: a hostname may hold dots in every part, so it
// cannot be split.
func (r *vmResource) readPlace(ctx context.Context, state, before *model, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics) {
	unchanged := state.confirmsPlace(before)
	if unchanged && state.hostNamesPlace() || vm.GroupID == 0 {
		return
	}
	group, err := r.data.Directory.GroupByID(ctx, vm.GroupID, state.Account.ValueString(), r.data.Account.ValueString())
	switch {
	case err != nil && unchanged:
	case err != nil:
		state.addError(diags, "find the group of", err, "The state is unchanged. Run the same command again.")
	case group != nil:
		state.Account, state.Group = types.StringValue(group.Account), types.StringValue(group.Name)
	case !tfkit.Given(state.Group) || !state.GroupID.Equal(before.GroupID):
		// A group that cannot be listed is known by its id alone.
		state.Group = tfkit.IDOrNull(vm.GroupID)
		if !tfkit.Given(state.Account) {
			state.Account = r.data.Account
		}
	}
}

// confirmsPlace reports whether the machine is where the state has it: the same
// group id, and a hostname whose place has not changed, as it would when the
// group is renamed.
func (m *model) confirmsPlace(before *model) bool {
	if !tfkit.Given(before.Account) || !tfkit.Given(before.Group) || !m.GroupID.Equal(before.GroupID) {
		return false
	}
	return hostPlace(m.Name, m.Hostname) == hostPlace(before.Name, before.Hostname)
}

// hostNamesPlace reports whether the hostname has the group and the account of the
// state. It has not where the group was renamed in the same apply as the machine:
// the plan kept the old name.
func (m *model) hostNamesPlace() bool {
	names := m.Group.ValueString() + "." + m.Account.ValueString() + "."
	place := hostPlace(m.Name, m.Hostname)
	return len(place) >= len(names) && strings.EqualFold(place[:len(names)], names)
}

// hostPlace returns the part of the hostname that follows the machine's name.
func hostPlace(name, hostname types.String) string {
	place, ok := strings.CutPrefix(hostname.ValueString(), name.ValueString()+".")
	if !ok {
		return hostname.ValueString()
	}
	return place
}
