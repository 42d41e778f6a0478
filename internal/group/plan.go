package group

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ModifyPlan sets the account of a new group to the provider's default, and refuses names that cannot be created.
func (r *groupResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	var state, plan model
	if req.Plan.Raw.IsNull() {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
		presence.PlanDestroy(r.Data, state.object(), &resp.Diagnostics)
		return
	}
	defer r.Data.AddWayOut(&resp.Diagnostics)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	creates := req.State.Raw.IsNull()
	if creates {
		var config model
		resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
		plan.Account = location.AccountOr(r.Data, config.Account, "the group", &resp.Diagnostics)
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("account"), plan.Account)...)
	} else {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	}
	if resp.Diagnostics.HasError() || plan.Name.Equal(state.Name) {
		return
	}
	if creates && r.Data.LooksForExisting() && r.planExisting(ctx, &plan, &resp.Diagnostics) {
		resp.Diagnostics.Append(resp.Plan.Set(ctx, plan)...)
		return
	}
	location.RefuseDigits(state.Name, plan.Name, path.Root("name"), "group", &resp.Diagnostics)
	holder := run.Holder{ID: state.ID.ValueString(), Was: state.Name.ValueString()}
	if creates { // possibly in place of one to which the first plan gave the name
		holder.ID = tfkit.PlannedID(ctx, req.Private, &resp.Diagnostics)
		tfkit.EndPlan(ctx, resp.Private, &resp.Diagnostics)
	} else {
		tfkit.BeginPlan(ctx, resp.Private, holder.ID, &resp.Diagnostics)
	}
	r.planName(plan, holder, &resp.Diagnostics)
	if !creates && r.Data != nil && tfkit.Given(plan.Name) && plan.Account.Equal(state.Account) {
		r.Data.Notes.Rename(state.object(), fleet.Name{
			Account: plan.Account.ValueString(), Name: plan.Name.ValueString(),
		})
	}
	if !resp.Diagnostics.HasError() {
		r.checkAccount(ctx, plan, &resp.Diagnostics)
	}
}

// planName refuses to give one name to two groups, and lets the machines of the group know that it will exist.
func (r *groupResource) planName(plan model, holder run.Holder, diags *diag.Diagnostics) {
	if !tfkit.Given(plan.Account) || !tfkit.Given(plan.Name) || r.Data == nil {
		return
	}
	name := fleet.Name{Account: plan.Account.ValueString(), Name: plan.Name.ValueString()}
	location.WarnName(name.Name, diags)
	r.Data.Notes.PlanName(run.Group, name)
	if other, _ := r.Data.Notes.TakeName(run.Group, holder, name); other != nil {
		what := "creates a group with this name"
		if other.ID != "" {
			what = fmt.Sprintf("renames group %q (ID %s) to this name", other.Was, other.ID)
		}
		diags.AddAttributeError(path.Root("name"), "Duplicate "+plan.title(),
			fmt.Sprintf("Another resource of this configuration %s, too, and names are unique in an account. Remove one of the two, or choose another name. Machines can share one cloudserver_group.", what))
	}
}

// checkAccount checks once per run whether the account of new and renamed groups is visible. It warns of a name that belongs to a
// group which no resource has read: the state may be lost.
func (r *groupResource) checkAccount(ctx context.Context, plan model, diags *diag.Diagnostics) {
	if !tfkit.Given(plan.Account) {
		return
	}
	ctx, cancel, ok := r.Data.PlanCheck(ctx)
	defer cancel()
	if !ok {
		return
	}
	name := plan.Account.ValueString()
	var groups []cloudserver.Group
	err := r.Data.Fleet.Directory.CheckAccount(ctx, name)
	if err == nil {
		groups, err = r.Data.Fleet.Directory.Groups(ctx, name)
	}
	switch {
	case cloudserver.IsNotFound(err):
		verb := "create"
		if tfkit.Given(plan.ID) {
			verb = "rename"
		}
		diags.AddAttributeError(path.Root("account"), "Cannot "+verb+" "+plan.title(), tfkit.Detail(err, location.NoSuchAccount(ctx, r.Data, r.Data.Fleet.Directory, name)))
	case err != nil:
		r.Data.AddPlanCheckError(err, diags)
	}
	for _, group := range groups {
		if group.Name == plan.Name.ValueString() && cloudserver.IDText(group.ID) != plan.ID.ValueString() && !r.Data.Notes.IsRead(run.ObjectWithID(run.Group, group.ID)) {
			way := "If it is the group that you mean, " + plan.importIt()
			if tfkit.Given(plan.ID) {
				way = "Choose another name otherwise."
			}
			diags.AddAttributeWarning(path.Root("name"), "The name of the group is taken",
				fmt.Sprintf("Account %q has a group %q already, and no resource that this run has read manages it. Unless another change of this plan frees the name, the service refuses it. %s", name, group.Name, way))
		}
	}
}
