package group

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ModifyPlan sets the account of a new group to the provider's default, and
// refuses names that cannot be created.
func (r *groupResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		r.planDestroy(ctx, req, resp)
		return
	}
	var state, plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	creates := req.State.Raw.IsNull()
	if creates {
		var config model
		resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
		plan.Account = r.data.AccountOr(config.Account, "the group", &resp.Diagnostics)
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("account"), plan.Account)...)
	} else {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	}
	if resp.Diagnostics.HasError() || plan.Name.Equal(state.Name) {
		return
	}
	tfkit.RefuseDigits(state.Name, plan.Name, path.Root("name"), "group", &resp.Diagnostics)
	r.planName(ctx, state, plan, &resp.Diagnostics)
	if creates && !resp.Diagnostics.HasError() {
		r.checkAccount(ctx, plan, &resp.Diagnostics)
	}
}

// planDestroy notes that the name of the group becomes free.
func (r *groupResource) planDestroy(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if name, known := state.plannedName(); known && r.data != nil {
		r.data.GroupNames.PlanDestroy(name)
	}
}

// checkAccount asks once per run whether the account of new groups is visible.
func (r *groupResource) checkAccount(ctx context.Context, plan model, diags *diag.Diagnostics) {
	if !tfkit.Given(plan.Account) {
		return
	}
	ctx, cancel, ok := r.data.PlanCheck(ctx)
	defer cancel()
	if !ok {
		return
	}
	name := plan.Account.ValueString()
	err := r.data.Directory.CheckAccount(ctx, name)
	if err == nil {
		_, err = r.data.Directory.Groups(ctx, name)
	}
	switch {
	case cloudserver.IsNotFound(err):
		diags.AddAttributeError(path.Root("account"), "Cannot create "+plan.title(), tfkit.Detail(err, tfkit.NoSuchAccount(ctx, r.data.Directory, name)))
	case err != nil:
		r.data.AddPlanCheckError(err, diags)
	}
}
