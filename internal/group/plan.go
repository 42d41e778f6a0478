// SPDX-License-Identifier: MPL-2.0

package group

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ModifyPlan sets the account of a new group to the provider's default, replaces a group whose account is another one,
// checks a new name, and notes the planned group for the plans of its machines. An account that is unknown is usually the
// same. If it is not, the CLI refuses the apply, before any request.
func (r *groupResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	if req.Plan.Raw.IsNull() {
		return
	}
	var state, plan model
	diags := &resp.Diagnostics
	diags.Append(req.Plan.Get(ctx, &plan)...)
	if req.State.Raw.IsNull() {
		var config model
		diags.Append(req.Config.Get(ctx, &config)...)
		plan.Account = r.Data.AccountOr(config.Account, "the group", diags)
		diags.Append(resp.Plan.SetAttribute(ctx, path.Root("account"), plan.Account)...)
	} else {
		diags.Append(req.State.Get(ctx, &state)...)
	}
	if diags.HasError() {
		return
	}
	if plan.Name.Equal(state.Name) && plan.Account.Equal(state.Account) {
		r.planGroup(plan) // with -refresh=false, the state of a machine may have an earlier name of the group
		return
	}
	if !req.State.Raw.IsNull() && tfkit.IsOther(plan.Account, state.Account, false) {
		resp.RequiresReplace = path.Paths{path.Root("account")}
		r.warnNotEmpty(ctx, state, diags)
	}
	if !plan.Account.Equal(state.Account) {
		plan.ID = types.StringNull() // it is created, or replaced
	}
	tfkit.RefuseDigits(state.Name, plan.Name, path.Root("name"), "group", diags)
	if diags.HasError() || !tfkit.Given(plan.Account) {
		return
	}
	if r.Data.PlanChecks {
		warnUnusual(plan.Name, diags)
	}
	isTaken := r.checkName(ctx, plan, diags)
	// After a lost state, the machines of the group exist as well, and their plans say so.
	isLost := isTaken && plan.ID.IsNull()
	if tfkit.Given(plan.Name) && !isLost {
		r.planGroup(plan)
	}
}

// planGroup notes the planned group for the plans of its machines.
func (r *groupResource) planGroup(plan model) {
	if r.Data.Ready() {
		r.Data.Inventory.PlanGroup(inventory.PlannedGroup{
			Account: plan.Account.ValueString(), Name: plan.Name.ValueString(), ID: tfkit.IDOf(plan.ID),
		})
	}
}

// warnNotEmpty warns of the machines of a group that is replaced, because only an empty group can be deleted.
func (r *groupResource) warnNotEmpty(ctx context.Context, state model, diags *diag.Diagnostics) {
	ctx, cancel, ok := r.Data.PlanCheck(ctx)
	defer cancel()
	if !ok {
		return
	}
	machines, err := r.machinesOf(ctx, state)
	if err == nil && len(machines) > 0 { // an error is that of the other checks as well
		diags.AddAttributeWarning(path.Root("account"), fmt.Sprintf("The %s is not empty", state.title()),
			"Unless this plan also destroys its machines, the delete fails. "+inTheWay(machines, r.Data.WithAction("vm_purge")))
	}
}

// warnUnusual warns of a name that the service may refuse.
func warnUnusual(name types.String, diags *diag.Diagnostics) {
	if !tfkit.Given(name) || tfkit.IsUsualName(name.ValueString()) {
		return
	}
	diags.AddAttributeWarning(path.Root("name"), fmt.Sprintf("The service may refuse the name %s", name),
		tfkit.GroupNameAdvice(name.ValueString()))
}

// checkName reports an account that is not visible, and warns of a name that another group has.
func (r *groupResource) checkName(ctx context.Context, plan model, diags *diag.Diagnostics) (isTaken bool) {
	ctx, cancel, ok := r.Data.PlanCheck(ctx)
	defer cancel()
	if !ok {
		return false
	}
	account := plan.Account.ValueString()
	groups, err := r.Data.Inventory.Groups(ctx, account)
	switch {
	case cloudserver.IsNotFound(err):
		diags.AddAttributeError(path.Root("account"), fmt.Sprintf("Cannot find account %q", account), r.Data.NoSuchAccount(ctx, account))
	case err != nil:
		tfkit.AddPlanCheckError(diags, err)
	}
	for _, group := range groups {
		if group.Name == plan.Name.ValueString() && group.ID != tfkit.IDOf(plan.ID) {
			diags.AddAttributeWarning(path.Root("name"), "The name of the group is taken", takenDetail(plan, group))
			isTaken = true
		}
	}
	return isTaken
}

// takenDetail explains what to do about a name that another group has.
func takenDetail(plan model, holder cloudserver.Group) string {
	text := fmt.Sprintf("Account %q has a group %q already (ID %d). Unless another change of this plan frees the name, "+
		"the service refuses it.", plan.Account.ValueString(), holder.Name, holder.ID)
	if plan.ID.IsNull() {
		text += " " + plan.takenAdvice()
	}
	return text
}

// takenAdvice returns the advice for a new group whose name another one has.
func (m model) takenAdvice() string {
	return "If the block of its resource was renamed, write a block moved. " +
		"If it is not the group that you mean, choose another name. Otherwise import it. " +
		"If the state was lost, its machines have to be imported as well.\n\n" + m.importBlock()
}
