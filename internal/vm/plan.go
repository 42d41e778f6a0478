package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ModifyPlan makes the plan show what the apply does: defaults, what is
// replaced, what is refused, and a warning for every loss that the plan alone
// would hide.
func (r *vmResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	switch {
	case req.Plan.Raw.IsNull():
		r.planDestroy(ctx, req, resp)
	case req.State.Raw.IsNull():
		r.planCreate(ctx, req, resp)
	default:
		r.planUpdate(ctx, req, resp)
	}
}

func (r *vmResource) planCreate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan, config model
	diags := &resp.Diagnostics
	diags.Append(plan.get(ctx, req.Plan.Raw)...)
	diags.Append(config.get(ctx, req.Config.Raw)...)
	if diags.HasError() {
		return
	}
	// A private state here is that of a machine which is replaced.
	old := readPrivate(ctx, req.Private, diags)
	if old.Protected {
		plan.refuseForcedReplacement(diags)
		return
	}
	private{Foreign: old.Foreign}.write(ctx, resp.Private, diags) // for the delete of the old machine
	planPowerCreate(&config, &plan)
	r.planPlaceCreate(&config, &plan, diags)
	old.Kept.refuse(&plan, diags)
	refuseContradiction(&model{}, &config, &plan, diags)
	r.refuseTwoGroups(ctx, &model{}, &config, &plan, diags)
	tfkit.RefuseDigits(types.StringNull(), plan.Name, path.Root("name"), "virtual machine", diags)
	discs, _ := discsFrom(plan.Disc, diags)
	for i, disc := range discs {
		refuseDigits(i, types.StringNull(), disc, diags)
	}
	warnNoDiscs(&plan, diags)
	warnBootDisc(&plan, discs, diags)
	warnNoLogin(&config, diags)
	if !diags.HasError() {
		r.checkDefinitions(ctx, &model{}, &plan, true, diags)
		r.checkName(ctx, &model{}, &plan, diags)
	}
	plan.set(ctx, &resp.Plan.Raw, diags)
}

func (r *vmResource) planDestroy(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var state model
	resp.Diagnostics.Append(state.get(ctx, req.State.Raw)...)
	p := readPrivate(ctx, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if state.DeletionProtection.ValueBool() {
		state.refuseDeletion(&resp.Diagnostics)
		return
	}
	if name, known := state.plannedName(); known && r.data.Ready() && !state.mayPurge() {
		r.noteKeptName(name, "keeps", "takes", &resp.Diagnostics)
	}
	r.warnDestroy(&state, p, &resp.Diagnostics)
}

func (r *vmResource) planUpdate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	diags := &resp.Diagnostics
	p := readPrivate(ctx, req.Private, diags)
	u := updatePlan{private: p}
	diags.Append(u.state.get(ctx, req.State.Raw)...)
	diags.Append(u.plan.get(ctx, req.Plan.Raw)...)
	if diags.HasError() {
		return
	}
	p.of(&u.state, &u.plan).write(ctx, resp.Private, diags)
	if req.Plan.Raw.Equal(req.State.Raw) && u.private.encode() == nil {
		return
	}
	diags.Append(u.config.get(ctx, req.Config.Raw)...)
	if diags.HasError() {
		return
	}
	if r.data.Ready() {
		r.data.Fleet.Track(u.state.numericID())
	}
	u.make(ctx, r, diags)
	resp.RequiresReplace = u.replace
	if name, known := u.state.plannedName(); known && r.data.Ready() && len(u.replace) > 0 && !u.state.mayPurge() {
		r.noteKeptName(name, "keeps", "takes", diags)
	}
	var refusals diag.Diagnostics
	u.refuse(ctx, r, &refusals)
	if diags.Append(u.withWayOut(refusals)...); !diags.HasError() {
		u.warn(r, diags)
		r.checkDefinitions(ctx, &u.state, &u.plan, u.change.image.install || u.change.image.replace, diags)
		if len(u.replace) == 0 {
			r.checkName(ctx, &u.state, &u.plan, diags)
		}
	}
	u.plan.set(ctx, &resp.Plan.Raw, diags)
}

// updatePlan is the plan of an existing machine.
type updatePlan struct {
	state, plan, config model
	private             private
	discs               discPlan
	change              change
	replace             []path.Path
}

// make plans every attribute and block. What cannot be known yet is unknown.
func (u *updatePlan) make(ctx context.Context, r *vmResource, diags *diag.Diagnostics) {
	planPowerUpdate(&u.state, &u.config, &u.plan, u.private)
	r.planPlaceUpdate(ctx, &u.state, &u.config, &u.plan)
	if !u.plan.ZoneName.Equal(u.state.ZoneName) && !u.state.ZoneName.IsNull() {
		u.replace = append(u.replace, path.Root("zone_name"))
	}
	u.replace = append(u.replace, r.planIPs(ctx, &u.state, &u.plan, diags)...)
	u.discs = r.planDiscs(ctx, u.state, u.config, u.private, diags)
	if u.discs.planned != nil {
		u.plan.Disc = discList(u.discs.planned)
	}
	u.change = decide(&u.state, &u.plan, u.private, diags)
	u.replace = append(u.replace, u.change.image.paths()...)
	u.planComputed()
}

// planComputed makes unknown what this update may change, and nothing else.
func (u *updatePlan) planComputed() {
	state, plan := &u.state, &u.plan
	if !plan.Name.Equal(state.Name) {
		plan.Hostname = types.StringUnknown()
	}
	installs := u.change.image.install || u.change.image.unknown
	if u.change.restarts() || u.change.owesReady || u.change.power != powerLeft || installs || plan.changesProfile(state) || plan.mayRestart() {
		plan.EffectiveHardwareProfile = types.StringUnknown()
	}
	if installs {
		plan.LastImagedWith = types.StringUnknown()
	}
}

// mayRestart reports whether a value that is not known yet may need the machine
// to be off.
func (m *model) mayRestart() bool {
	return m.Cores.IsUnknown() || m.Memory.IsUnknown() || m.HardwareProfile.IsUnknown() || m.PowerOn.IsUnknown()
}

// lostDiscs lists the discs that a replacement or a destroy destroys.
func (u *updatePlan) lostDiscs() string {
	return tfkit.Quoted(append(labels(u.discs.state), u.private.foreignLabels()...))
}
