package vm

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

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
	p := r.propose(ctx, req, diags)
	if diags.HasError() {
		return
	}
	if p.private.refuseProtected(&p.plan, diags); diags.HasError() {
		return
	}
	planPowerCreate(&p.config, &p.plan)
	p.planLocationCreate(r.Data)
	tfkit.SavePrivate(ctx, resp.Private, p.private.forSuccessor(&p.plan), diags)
	r.conclude(ctx, decideCreation(p, r.findFacts(ctx, &p)), resp)
}

func (r *vmResource) planDestroy(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	var state model
	resp.Diagnostics.Append(state.get(ctx, req.State.Raw)...)
	p := tfkit.LoadPrivate[private](ctx, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if r.Data.Ready() {
		r.Data.Fleet.Track(state.numericID())
	}
	r.rememberProtection(&state, &state)
	if state.DeletionProtection.ValueBool() {
		r.refuseDeletion(&state, &resp.Diagnostics)
		return
	}
	r.warnDestroy(&state, p, &resp.Diagnostics)
}

func (r *vmResource) planUpdate(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	diags := &resp.Diagnostics
	p := r.propose(ctx, req, diags)
	if diags.HasError() {
		return
	}
	tfkit.SavePrivate(ctx, resp.Private, p.private.forPlan(&p.state, &p.plan), diags)
	r.rememberProtection(&p.state, &p.plan)
	if r.Data.Ready() {
		r.Data.Fleet.Track(p.state.numericID())
	}
	p.keepState()
	r.conclude(ctx, decideUpdate(p, r.findFacts(ctx, &p)), resp)
}

// propose decodes what a plan starts from.
func (r *vmResource) propose(ctx context.Context, req resource.ModifyPlanRequest, diags *diag.Diagnostics) proposal {
	p := proposal{account: r.Data.Account, group: r.Data.Group, withAction: r.Data.WithAction}
	p.private = tfkit.LoadPrivate[private](ctx, req.Private, diags)
	if !req.State.Raw.IsNull() {
		diags.Append(p.state.get(ctx, req.State.Raw)...)
	}
	diags.Append(p.plan.get(ctx, req.Plan.Raw)...)
	diags.Append(p.config.get(ctx, req.Config.Raw)...)
	p.plan.DeletionProtection = r.protects(&p.config, &p.plan)
	return p
}

// conclude reports a decision and, unless it refuses something, asks its questions.
func (r *vmResource) conclude(ctx context.Context, d *decision, resp *resource.ModifyPlanResponse) {
	diags := &resp.Diagnostics
	diags.Append(d.refused...)
	r.noteDiscs(d, diags)
	if !diags.HasError() && r.Data.Ready() {
		answers := r.ask(ctx, d.questions)
		for _, err := range answers.unchecked {
			r.Data.AddPlanCheckError(err, diags)
		}
		diags.Append(d.judge(answers)...)
	}
	if !diags.HasError() {
		diags.Append(d.warned...)
	}
	if !d.state.DeletionProtection.ValueBool() && d.private.From != imported {
		r.Data.AddWayOut(d.state.object(), diags)
	}
	resp.RequiresReplace = d.replace
	d.plan.set(ctx, &resp.Plan.Raw, diags)
}

// keepState plans the state's values for attributes that the configuration leaves open, because the framework makes
// them unknown in every update.
func (p *proposal) keepState() {
	protection := p.plan.DeletionProtection // its default is the provider's, not the state's
	keepState(&p.plan.common, p.config.common, p.state.common)
	keepState(&p.plan.treatment, p.config.treatment, p.state.treatment)
	p.plan.DeletionProtection = protection
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
