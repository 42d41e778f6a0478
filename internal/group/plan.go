package group

import (
	"context"
	"fmt"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ModifyPlan sets the account of a new group to the provider's default, and refuses names that cannot be created.
func (r *groupResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	var state, plan model
	if req.Plan.Raw.IsNull() {
		return
	}
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	creates := req.State.Raw.IsNull()
	if creates {
		var config model
		resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
		plan.Account = location.AccountOr(r.Data.Defaults, config.Account, "the group", &resp.Diagnostics)
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("account"), plan.Account)...)
	} else {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
		defer r.Data.AddWayOut(state.object(), &resp.Diagnostics)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if !creates {
		r.noteName(state, plan)
	}
	replaced := !creates && !plan.Account.Equal(state.Account)
	if plan.Name.Equal(state.Name) && !replaced {
		return
	}
	location.RefuseDigits(state.Name, plan.Name, path.Root("name"), "group", &resp.Diagnostics)
	if tfkit.Given(plan.Account) && tfkit.Given(plan.Name) {
		location.WarnName(plan.Name.ValueString(), &resp.Diagnostics)
	}
	if replaced { // of the plan for the new group, the CLI drops the warnings
		plan.ID = types.StringNull()
	}
	if !resp.Diagnostics.HasError() {
		r.checkAccount(ctx, plan, &resp.Diagnostics)
	}
}

// PlanUnchanged implements tfkit.UnchangedPlanner.
func (r *groupResource) PlanUnchanged(_ context.Context, d *tfkit.ProviderData, p tfkit.UnchangedPlan) bool {
	d.Notes.Rename(r.Subject(p.State).Object, fleet.Name{})
	return true
}

// noteName notes the new name of a group, if it has one, for the machines that refer to it.
func (r *groupResource) noteName(state, plan model) {
	var renamed fleet.Name
	if tfkit.Given(plan.Name) && !plan.Name.Equal(state.Name) && plan.Account.Equal(state.Account) {
		renamed = fleet.Name{Account: plan.Account.ValueString(), Name: plan.Name.ValueString()}
	}
	r.Data.Notes.Rename(state.object(), renamed)
}

// RefuseName implements tfkit.Observed.
func (r *groupResource) RefuseName(name run.Name, other, by run.Holder, diags *diag.Diagnostics) {
	what := "creates a group with this name"
	switch {
	case other.ID != "" && other.Was == name.Name.Name:
		what = fmt.Sprintf("has the group with this name (ID %s)", other.ID)
	case other.ID != "":
		what = fmt.Sprintf("renames group %q (ID %s) to this name", other.Was, other.ID)
	case by.ID != "" && by.Was == name.Name.Name:
		what = "creates a group with the name that this one has"
	}
	diags.AddAttributeError(path.Root("name"), fmt.Sprintf("Duplicate group %q of account %q", name.Name.Name, name.Account),
		fmt.Sprintf("Another resource of this configuration %s, and names are unique in an account. "+
			"Remove one of the two, or choose another name. Machines can share one cloudserver_group.", what))
}

// WarnOfName implements tfkit.Observed. A resource with another address and without a block moved is a new one to
// Terraform.
func (r *groupResource) WarnOfName(destroyed, taker run.Holder, diags *diag.Diagnostics) {
	if taker.ID != "" {
		return
	}
	diags.AddAttributeWarning(path.Root("name"), tfkit.Summary("A group is destroyed, and a new one gets its name", strconv.Quote(destroyed.Was)),
		fmt.Sprintf("This plan destroys the group %q (ID %s), and creates another of that name. "+
			"If you moved or renamed its resource, add a block moved: then nothing is destroyed. "+
			"Do not import the group, even if another warning of this plan advises it.\n\n"+
			"moved {\n  from = cloudserver_group.OLD\n  to   = cloudserver_group.NEW\n}", destroyed.Was, destroyed.ID))
}

// checkAccount checks once per run whether the account of new and renamed groups is visible. It warns of a name that
// belongs to a group which no resource has read: the state may be lost.
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
		diags.AddAttributeError(path.Root("account"), "Cannot "+verb+" "+plan.title(),
			tfkit.Detail(err, location.NoSuchAccount(ctx, r.Data.Defaults, r.Data.Fleet.Directory, name)))
	case err != nil:
		r.Data.AddPlanCheckError(err, diags)
	}
	for _, group := range groups {
		isOther := group.Name == plan.Name.ValueString() && cloudserver.IDText(group.ID) != plan.ID.ValueString()
		if isOther && !r.Data.Notes.IsHeld(run.ObjectWithID(run.Group, group.ID)) {
			way := "If it is the group that you mean, " + plan.importIt()
			if tfkit.Given(plan.ID) {
				way = "Choose another name otherwise."
			}
			diags.AddAttributeWarning(path.Root("name"), "The name of the group is taken",
				fmt.Sprintf("Account %q has a group %q already, and no resource in the state manages it. "+
					"Unless another change of this plan frees the name, the service refuses it. %s", name, group.Name, way))
		}
	}
}
