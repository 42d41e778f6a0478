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
// the state stay while the hostname has them. Otherwise they come from the groups
// that the service lists: a hostname may hold dots in every part, so it cannot be
// split.
func (r *vmResource) readPlace(ctx context.Context, state, before *model, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics) {
	unchanged := tfkit.Given(before.Account) && tfkit.Given(before.Group) && state.GroupID.Equal(before.GroupID)
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
	case !unchanged:
		// A group that cannot be listed is known by its id alone.
		state.Group = tfkit.IDOrNull(vm.GroupID)
		if !tfkit.Given(state.Account) {
			state.Account = r.data.Account
		}
	}
}

// hostNamesPlace reports whether the hostname has the group and the account of the
// state, or there is no hostname. It has not where the group was renamed.
func (m *model) hostNamesPlace() bool {
	names := m.Name.ValueString() + "." + m.Group.ValueString() + "." + m.Account.ValueString() + "."
	host := m.Hostname.ValueString()
	return host == "" || len(host) >= len(names) && strings.EqualFold(host[:len(names)], names)
}
