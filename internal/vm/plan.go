// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ModifyPlan makes the plan show what the apply does: defaults, replacements, errors for what will be refused, and a
// warning for every loss that the plan alone would hide.
func (r *vmResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	switch {
	case req.Plan.Raw.IsNull():
		r.planDestroy(ctx, req, resp)
	case req.State.Raw.IsNull():
		r.planCreate(ctx, req, resp)
	default:
		r.planUpdate(ctx, req, resp)
	}
}

func (r *vmResource) planCreate(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	diags := &resp.Diagnostics
	p := r.propose(ctx, req, private{}, diags)
	if diags.HasError() {
		return
	}
	planPowerCreate(&p.config, &p.plan)
	p.plan.Pending, p.plan.LastChange = types.StringNull(), noLastChange()
	p.planLocationCreate()
	p.plannedGroup = r.plannedGroup(&p.plan)
	r.conclude(ctx, decideCreation(p, r.findFacts(ctx, &p)), resp)
}

// planUpdate leaves a plan alone that equals the state, unless something is owed, or a disc of the state was exchanged for
// an unmanaged one. An update settles what is owed, and shows what it costs. The plan of a replacement passes the private
// state on to the delete of the old machine.
func (r *vmResource) planUpdate(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	diags := &resp.Diagnostics
	kept := tfkit.LoadPrivate[private](ctx, req.Private, diags)
	isSettled := kept.Owed == (owed{}) && (len(kept.Discs) == 0 || !hasExchangedDisc(ctx, req.State, diags))
	if isSettled && req.Plan.Raw.Equal(req.State.Raw) {
		return
	}
	p := r.propose(ctx, req, kept, diags)
	if diags.HasError() {
		return
	}
	if r.Data.Ready() {
		r.Data.Inventory.Track(p.state.numericID())
	}
	p.keepState()
	p.plannedGroup = r.plannedGroup(&p.plan)
	d := decideUpdate(p, r.findFacts(ctx, &p))
	r.conclude(ctx, d, resp)
	if !d.settlesPending() && resp.Plan.Raw.Equal(req.State.Raw) {
		return
	}
	diags.Append(resp.Plan.SetAttribute(ctx, path.Root("pending"), types.StringNull())...)
	diags.Append(resp.Plan.SetAttribute(ctx, path.Root("last_change"), d.plannedLastChange())...)
}

// settlesPending reports whether an update is planned for what earlier ones have left, even if nothing else changes.
func (d *decision) settlesPending() bool { return d.private.Owed.Power != nil || d.change.owesReady }

// hasExchangedDisc reports whether a disc of the state has no ID, because it is not on the machine any more.
func hasExchangedDisc(ctx context.Context, state tfsdk.State, diags *diag.Diagnostics) bool {
	var discs types.List
	diags.Append(state.GetAttribute(ctx, path.Root("disc"), &discs)...)
	return slices.ContainsFunc(discsOf(discs), func(d discModel) bool { return d.ID.IsNull() })
}

// propose decodes what a plan starts from.
func (r *vmResource) propose(
	ctx context.Context, req resource.ModifyPlanRequest, kept private, diags *diag.Diagnostics,
) proposal {
	p := proposal{
		private: kept, defaults: r.Data.Defaults, planChecks: r.Data.PlanChecks, withAction: r.Data.WithAction,
		limited: r.Data.Rollout != nil,
	}
	if !req.State.Raw.IsNull() {
		diags.Append(req.State.Get(ctx, &p.state)...)
	}
	diags.Append(req.Plan.Get(ctx, &p.plan)...)
	diags.Append(req.Config.Get(ctx, &p.config)...)
	return p
}

// conclude reports a decision and, unless it refuses something, asks its questions.
func (r *vmResource) conclude(ctx context.Context, d *decision, resp *resource.ModifyPlanResponse) {
	diags := &resp.Diagnostics
	if d.plan.GroupID.IsUnknown() {
		r.Data.MovesMachines.Store(true)
	}
	diags.Append(d.refused...)
	if !diags.HasError() && r.Data.Ready() {
		answers := r.ask(ctx, d.questions)
		tfkit.AddPlanCheckError(diags, answers.unchecked...)
		diags.Append(d.judge(answers)...)
	}
	if !diags.HasError() {
		diags.Append(d.warned...)
	}
	resp.RequiresReplace = d.replace
	d.plan.DiscIDs = d.plan.discIDs()
	diags.Append(resp.Plan.Set(ctx, d.plan)...)
}

// keepState plans the state's values for attributes that the configuration leaves open, because the framework makes
// them unknown in every update.
func (p *proposal) keepState() {
	keepState(&p.plan.common, p.config.common, p.state.common)
	keepState(&p.plan.resourceOnly, p.config.resourceOnly, p.state.resourceOnly)
}

// keepState plans the state's values where the plan is unknown and the configuration is null.
func keepState[T any](plan *T, config, state T) {
	stays := config
	tfkit.KeepUnreported(&stays, state)
	tfkit.FillUnknown(plan, stays)
}

// addUnknown reports an unknown value that a plan needs.
func addUnknown(diags *diag.Diagnostics, at path.Path, summary, why string) {
	diags.AddAttributeError(at, summary, fmt.Sprintf("The value of %s is known only after apply. %s. "+
		"Use a value that is known at plan, or apply what it depends on first, with -target.", at, why))
}
