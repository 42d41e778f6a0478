package vm

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
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
	var plan, config model
	diags := &resp.Diagnostics
	diags.Append(plan.get(ctx, req.Plan.Raw)...)
	diags.Append(config.get(ctx, req.Config.Raw)...)
	if diags.HasError() {
		return
	}
	plan.DeletionProtection = r.protects(&config, &plan)
	old := loadOldMachine(ctx, req.Private, diags)
	if old.refuseProtected(&plan, diags); diags.HasError() {
		return
	}
	planPowerCreate(&config, &plan)
	r.planLocationCreate(&config, &plan, diags)
	old.passOn(ctx, resp.Private, &plan, diags)
	if r.Data.LooksForExisting() && r.planExisting(ctx, &config, &plan, diags) {
		plan.set(ctx, &resp.Plan.Raw, diags)
		return
	}
	old.refuseKeptName(&plan, path.Root("purge_on_destroy"), "", diags)
	refuseContradiction(&model{}, &config, &plan, diags)
	r.refuseTwoGroups(ctx, &model{}, &config, &plan, diags)
	location.RefuseDigits(types.StringNull(), plan.Name, path.Root("name"), "virtual machine", diags)
	discs := plan.discs()
	for i, disc := range discs {
		refuseDigits(i, types.StringNull(), disc, diags)
	}
	warnNoDiscs(&plan, diags)
	warnUnits(&model{}, &plan, diags)
	warnBootDisc(&plan, discs, diags)
	warnNoLogin(&config, diags)
	if !diags.HasError() {
		r.Data.AskTogether(ctx, diags, r.creationQuestions(&model{}, &plan)...)
		for _, disc := range discs {
			r.noteNewDisc(disc, plan.planned(), diags)
		}
	}
	r.Data.AddWayOut(diags)
	plan.set(ctx, &resp.Plan.Raw, diags)
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
	p := tfkit.LoadPrivate[private](ctx, req.Private, diags)
	u := updatePlan{private: p, data: r.Data}
	diags.Append(u.state.get(ctx, req.State.Raw)...)
	diags.Append(u.plan.get(ctx, req.Plan.Raw)...)
	diags.Append(u.config.get(ctx, req.Config.Raw)...)
	if diags.HasError() {
		return
	}
	u.plan.DeletionProtection = r.protects(&u.config, &u.plan)
	tfkit.SavePrivate(ctx, resp.Private, p.forPlan(&u.state, &u.plan), diags)
	r.rememberProtection(&u.state, &u.plan)
	if r.Data.Ready() {
		r.Data.Fleet.Track(u.state.numericID())
	}
	u.noteMoved(r, diags)
	u.planStays()
	u.location = r.askLocation(ctx, &u.state, &u.config, &u.plan)
	diags.Append(u.location.refused...)
	u.make(ctx, r, diags)
	resp.RequiresReplace = u.replace
	u.state.warnForeign(u.discs.unclaimed(), u.private.Discs, diags)
	warnUnits(&u.state, &u.plan, diags)
	if u.refuse(r, diags); !diags.HasError() {
		questions := []tfkit.PlanQuestion{r.choices(&u.state, &u.plan, u.change.image.install), r.nameHolder(&u.state, &u.plan)}
		if len(u.replace) > 0 { // of the plan for the new machine, the CLI drops the warnings
			questions = r.creationQuestions(&u.state, &u.plan)
		}
		r.Data.AskTogether(ctx, diags, questions...)
	}
	if !diags.HasError() { // what a refused change would cost does not matter
		u.warn(diags)
	}
	if !u.state.DeletionProtection.ValueBool() {
		r.Data.AddWayOut(diags)
	}
	u.plan.set(ctx, &resp.Plan.Raw, diags)
}

// creationQuestions returns the checks of the plan for a new machine. before is the machine that it replaces, if any: its own
// name and addresses become free.
func (r *vmResource) creationQuestions(before, plan *model) []tfkit.PlanQuestion {
	return append([]tfkit.PlanQuestion{r.choices(&model{}, plan, true), r.nameHolder(before, plan)}, r.addressHolders(before, plan)...)
}

// updatePlan is the plan of an existing machine.
type updatePlan struct {
	data                *tfkit.ProviderData
	state, plan, config model
	private             private
	location            locationFacts
	discs               discDecision
	change              change
	replace             []path.Path
}

// make plans every attribute and block. What cannot be known yet is unknown.
func (u *updatePlan) make(ctx context.Context, r *vmResource, diags *diag.Diagnostics) {
	planPowerUpdate(&u.state, &u.config, &u.plan, u.private)
	u.plan.planLocation(&u.state, &u.config, u.location)
	if !u.plan.ZoneName.Equal(u.state.ZoneName) && !u.state.ZoneName.IsNull() {
		u.replace = append(u.replace, path.Root("zone_name"))
	}
	u.replace = append(u.replace, r.planIPs(ctx, &u.state, &u.plan, diags)...)
	u.discs = decideDiscs(u.discFacts())
	if u.discs.planned != nil {
		u.plan.Disc = discList(u.discs.planned)
	}
	u.change = decide(&u.state, &u.plan, u.private)
	u.replace = append(u.replace, u.change.image.paths()...)
	u.planComputed()
}

// planStays plans the state's values for attributes that the configuration leaves open, because the framework makes
// them unknown in every update.
func (u *updatePlan) planStays() {
	protection := u.plan.DeletionProtection // its default is the provider's, not the state's
	keepState(&u.plan.machine, u.config.machine, u.state.machine)
	keepState(&u.plan.treatment, u.config.treatment, u.state.treatment)
	u.plan.DeletionProtection = protection
}

// keepState plans the state's values where the plan is unknown and the configuration is null.
func keepState[T any](plan *T, config, state T) {
	stays := config
	tfkit.KeepUnreported(&stays, state)
	tfkit.FillUnknown(plan, stays)
}

// planComputed makes unknown exactly the values that this update may change.
func (u *updatePlan) planComputed() {
	state, plan := &u.state, &u.plan
	if !plan.Name.Equal(state.Name) {
		plan.Hostname = types.StringUnknown()
	}
	installs := u.change.image.install || u.change.image.unknown
	unknown := plan.Cores.IsUnknown() || plan.Memory.IsUnknown() || plan.HardwareProfile.IsUnknown() ||
		plan.PowerOn.IsUnknown()
	if u.change.restarts() || u.change.owesReady || u.change.power != nil || installs || plan.changesProfile(state) ||
		unknown {
		plan.EffectiveHardwareProfile = types.StringUnknown()
	}
	if installs {
		plan.LastImagedWith = types.StringUnknown()
	}
}

// refuse reports what must not or cannot be done, before anything is done.
func (u *updatePlan) refuse(r *vmResource, diags *diag.Diagnostics) {
	u.change.image.refuseUnknown(&u.state, &u.plan, diags)
	location.RefuseDigits(u.state.Name, u.plan.Name, path.Root("name"), "virtual machine", diags)
	refuseContradiction(&u.state, &u.config, &u.plan, diags)
	u.refuseThirdLocation(r.Data.Account, diags)
	if len(u.replace) > 0 {
		u.refuseReplacement(r, diags)
		return
	}
	diags.Append(u.discs.refused...)
	u.refuseLoss(diags)
	u.noteDiscs(r, diags)
	u.refuseStop(diags)
}

// warn warns of every loss of data, address or uptime that the plan alone would not show.
func (u *updatePlan) warn(diags *diag.Diagnostics) {
	c, image := u.change, u.change.image
	if len(u.replace) > 0 {
		u.warnReplace(diags)
		warnNoDiscs(&u.plan, diags)
		warnBootDisc(&u.plan, u.discs.planned, diags)
		warnNoLogin(&u.config, diags)
		return
	}
	u.warnMove(diags)
	diags.Append(u.discs.warned...)
	u.warnRestart(diags)
	if image.install {
		warnNoLogin(&u.config, diags)
	}
	if c.on && !c.stops() && !c.restarts() {
		u.warnNextPowerCycle(diags)
	}
	u.warnProfile(diags)
	u.warnRecorded(diags)
	u.warnNotReady(diags)
	warnOwed(&u.state, &u.config, &u.plan, u.private, diags)
}

// addUnknown reports an unknown value that a plan needs.
func addUnknown(diags *diag.Diagnostics, at path.Path, summary, why string) {
	diags.AddAttributeError(at, summary, fmt.Sprintf("The value of %s is known only after apply. %s. "+
		"Use a value that is known at plan, or apply what it depends on first, with -target.", at, why))
}
