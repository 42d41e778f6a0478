package group

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// plannedName returns the name of the group in its account, and whether both are
// known.
func (m model) plannedName() (fleet.Name, bool) {
	return fleet.Name{Account: m.Account.ValueString(), Name: m.Name.ValueString()}, tfkit.Given(m.Account) && tfkit.Given(m.Name)
}

// planName refuses a name that another resource of the same run is planned to
// have, and names that would be exchanged. The state of a new group is empty.
func (r *groupResource) planName(ctx context.Context, state, plan model, diags *diag.Diagnostics) {
	name, known := plan.plannedName()
	if !known || r.data == nil || tfkit.IsOwnRun(ctx) {
		return
	}
	before, _ := state.plannedName()
	id := tfkit.IDOf(state.ID) // 0 for a new group
	conflict := r.data.GroupNames.Plan(id, before, name)
	switch {
	case conflict == nil:
	case conflict.Twice:
		diags.AddAttributeError(path.Root("name"), "Duplicate "+plan.title(),
			"Another resource of this configuration creates or renames a group to this name, too, and names are unique in an account. "+
				"Remove one of the two, or choose another name. Machines can share one cloudserver_group.")
	default:
		tfkit.AddNameExchange(conflict, "group", diags)
	}
}

// awaitName makes a request that takes the planned name, and makes it again while
// the name is refused and this run is about to free it.
func (r *groupResource) awaitName(ctx context.Context, plan model, request func() error) error {
	name, known := plan.plannedName()
	if !known {
		return request()
	}
	leaving := func() bool { return r.data.GroupNames.Leaving(name) }
	return tfkit.AwaitName(ctx, leaving, isNameTaken, func() error {
		err := request()
		if isNameTaken(err) {
			r.data.Directory.Changed(name.Account) // the next attempt has to see who has left
		}
		return err
	})
}

func isNameTaken(err error) bool {
	_, taken := errors.AsType[*cloudserver.NameTaken](err)
	return taken || cloudserver.IsNameTaken(err)
}
