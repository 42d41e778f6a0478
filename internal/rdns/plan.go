package rdns

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ModifyPlan replaces the resource if its address is another one. An unknown address is another one only if this plan
// makes or moves machines: otherwise it comes from elsewhere, and is usually the same.
func (r *rdnsResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	if req.Plan.Raw.IsNull() || req.State.Raw.IsNull() {
		return
	}
	var state, plan model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if tfkit.IsOther(plan.Address, state.Address, r.Data.MovesMachines.Load()) {
		resp.RequiresReplace = path.Paths{path.Root("address")}
	}
}
