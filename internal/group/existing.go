package group

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/existing"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// planExisting looks for the group that a plan would create, for the command imports. If it exists, the plan gets its
// ID, and the result is true.
func (r *groupResource) planExisting(ctx context.Context, plan *model, diags *diag.Diagnostics) bool {
	if !tfkit.Given(plan.Account) || !tfkit.Given(plan.Name) {
		return false // not known yet
	}
	found := existing.Creation{Type: "cloudserver_group"}
	group, err := r.Data.Fleet.Directory.GroupNamed(ctx, plan.Account.ValueString(), plan.Name.ValueString())
	if err == nil && group != nil {
		plan.read(&group.Group)
		found.ImportIDs = []string{plan.ID.ValueString()}
	}
	found.Planned = tfkit.PlannedTexts(map[string]types.String{"account": plan.Account, "name": plan.Name, "id": plan.ID})
	r.Data.Found(found, plan.title(), err, diags)
	return len(found.ImportIDs) > 0
}
