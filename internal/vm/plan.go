package vm

import (
	"context"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/place"
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
	old := tfkit.LoadPrivate[private](ctx, req.Private, diags)
	if old.Protected {
		plan.refuseProtected(path.Root("deletion_protection"), "", diags)
		return
	}
	tfkit.SavePrivate(ctx, resp.Private, private{Foreign: old.Foreign}, diags) // for the delete of the old machine
	planPowerCreate(&config, &plan)
	r.planPlaceCreate(&config, &plan, diags)
	old.refuseKeptName(&plan, path.Root("purge_on_destroy"), "", diags)
	refuseContradiction(&model{}, &config, &plan, diags)
	r.refuseTwoGroups(ctx, &model{}, &config, &plan, diags)
	place.RefuseDigits(types.StringNull(), plan.Name, path.Root("name"), "virtual machine", diags)
	discs := plan.discs()
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
	p := tfkit.LoadPrivate[private](ctx, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if r.Data.Ready() {
		r.Data.Fleet.Track(state.numericID())
	}
	if state.DeletionProtection.ValueBool() {
		state.refuseDeletion(&resp.Diagnostics)
		return
	}
	r.noteKept(&state, &resp.Diagnostics)
	r.warnDestroy(&state, p, &resp.Diagnostics)
}

func (r *vmResource) planUpdate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	diags := &resp.Diagnostics
	p := tfkit.LoadPrivate[private](ctx, req.Private, diags)
	u := updatePlan{private: p}
	diags.Append(u.state.get(ctx, req.State.Raw)...)
	diags.Append(u.plan.get(ctx, req.Plan.Raw)...)
	if diags.HasError() {
		return
	}
	tfkit.SavePrivate(ctx, resp.Private, p.of(&u.state, &u.plan), diags)
	if req.Plan.Raw.Equal(req.State.Raw) && reflect.ValueOf(p).IsZero() {
		return
	}
	diags.Append(u.config.get(ctx, req.Config.Raw)...)
	if diags.HasError() {
		return
	}
	if r.Data.Ready() {
		r.Data.Fleet.Track(u.state.numericID())
	}
	u.make(ctx, r, diags)
	resp.RequiresReplace = u.replace
	if len(u.replace) > 0 {
		r.noteKept(&u.state, diags)
	}
	var refusals diag.Diagnostics
	u.refuse(ctx, r, &refusals)
	if diags.Append(u.withWayOut(r, refusals)...); !diags.HasError() {
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
	u.planStays()
	planPowerUpdate(&u.state, &u.config, &u.plan, u.private)
	r.planPlaceUpdate(ctx, &u.state, &u.config, &u.plan)
	if !u.plan.ZoneName.Equal(u.state.ZoneName) && !u.state.ZoneName.IsNull() {
		u.replace = append(u.replace, path.Root("zone_name"))
	}
	u.replace = append(u.replace, r.planIPs(ctx, &u.state, &u.plan, diags)...)
	u.discs = r.planDiscs(ctx, u.state, u.config, u.private)
	if u.discs.planned != nil {
		u.plan.Disc = discList(u.discs.planned)
	}
	u.change = decide(&u.state, &u.plan, u.private)
	u.replace = append(u.replace, u.change.image.paths()...)
	u.planComputed()
}

// planStays plans the values of the state for what the configuration leaves open:
// the framework makes it unknown in every update.
func (u *updatePlan) planStays() {
	stays := u.config.machine
	tfkit.KeepUnreported(&stays, u.state.machine)
	tfkit.FillUnknown(&u.plan.machine, stays)
	u.plan.EffectiveHardwareProfile = u.state.EffectiveHardwareProfile
}

// planComputed makes unknown what this update may change, and nothing else.
func (u *updatePlan) planComputed() {
	state, plan := &u.state, &u.plan
	if !plan.Name.Equal(state.Name) {
		plan.Hostname = types.StringUnknown()
	}
	installs := u.change.image.install || u.change.image.unknown
	unknown := plan.Cores.IsUnknown() || plan.Memory.IsUnknown() || plan.HardwareProfile.IsUnknown() || plan.PowerOn.IsUnknown()
	if u.change.restarts() || u.change.owesReady || u.change.power != nil || installs || plan.changesProfile(state) || unknown {
		plan.EffectiveHardwareProfile = types.StringUnknown()
	}
	if installs {
		plan.LastImagedWith = types.StringUnknown()
	}
}

// planPlaceCreate fills account and group from the provider's defaults. A
// default that is not known yet leaves them unknown.
func (r *vmResource) planPlaceCreate(config, plan *model, diags *diag.Diagnostics) {
	if r.Data == nil {
		return
	}
	plan.Account = place.AccountOr(r.Data, config.Account, plan.title(), diags)
	if config.Group.IsNull() && config.GroupID.IsNull() {
		plan.Group = r.Data.Group
	}
}

// planPlaceUpdate makes the other half of a place unknown while the configured
// one changes. Name and id of one group, in one account, are one place.
func (r *vmResource) planPlaceUpdate(ctx context.Context, state, config, plan *model) {
	switch {
	case !config.GroupID.IsNull() && !config.GroupID.Equal(state.GroupID):
		if config.Group.IsNull() {
			plan.Group = types.StringUnknown()
		}
		if config.Account.IsNull() {
			plan.Account = types.StringUnknown()
			if group := r.groupWithID(ctx, plan.GroupID, state.Account); group != nil {
				plan.Account = types.StringValue(group.Account)
			}
		}
	case !config.Group.IsNull() && !config.Group.Equal(state.Group), plan.moves(state):
		if config.GroupID.IsNull() {
			plan.GroupID = types.StringUnknown()
		}
	}
	if plan.moves(state) {
		plan.IPv4Address, plan.IPv6Address = types.StringUnknown(), types.StringUnknown()
		plan.ManagementAddress, plan.Hostname = types.StringUnknown(), types.StringUnknown()
	}
}

// groupWithID returns a group, nil where the service does not list it.
func (r *vmResource) groupWithID(ctx context.Context, id, likely types.String) *fleet.Group {
	ctx, cancel, ok := r.Data.PlanCheck(ctx)
	defer cancel()
	if !ok || !tfkit.Given(id) {
		return nil
	}
	group, err := r.Data.Fleet.Directory.GroupByID(ctx, tfkit.IDOf(id), likely.ValueString())
	if err != nil {
		return nil
	}
	return group
}

// moves reports whether the update moves the machine, or may do so.
func (m *machine) moves(state *model) bool {
	if tfkit.Given(m.GroupID) && m.GroupID.Equal(state.GroupID) && m.Account.Equal(state.Account) {
		return false
	}
	return m.GroupID.IsUnknown() || !m.GroupID.Equal(state.GroupID) || !m.Group.Equal(state.Group) || !m.Account.Equal(state.Account)
}

// planPowerCreate: a new machine runs unless the configuration says otherwise,
// and comes back by itself if it is to run (API.md §3, power).
func planPowerCreate(config, plan *model) {
	if config.PowerOn.IsNull() {
		plan.PowerOn = types.BoolValue(true)
	}
	if config.AutorebootOn.IsNull() {
		plan.AutorebootOn = plan.PowerOn
	}
}

// planPowerUpdate plans what the configuration leaves open: the power that a
// failed update owes, and autoreboot_on as a stop or a start needs it.
func planPowerUpdate(state, config, plan *model, p private) {
	if p.Owed != nil && config.PowerOn.IsNull() {
		plan.PowerOn = types.BoolValue(p.Owed.PowerOn)
	}
	if !config.AutorebootOn.IsNull() {
		switch {
		case !config.PowerOn.IsNull() || state.AutorebootOn.ValueBool():
		case plan.AutorebootOn.IsUnknown() && !plan.PowerOn.ValueBool():
			plan.PowerOn = types.BoolUnknown()
		case plan.AutorebootOn.ValueBool():
			plan.PowerOn = types.BoolValue(true) // because the service starts it
		}
		return
	}
	switch {
	case plan.PowerOn.IsUnknown():
		plan.AutorebootOn = types.BoolUnknown()
	case tfkit.Given(config.PowerOn) && !config.PowerOn.ValueBool():
		plan.AutorebootOn = types.BoolValue(false) // or the service starts it again
	case p.Owed != nil:
		plan.AutorebootOn = types.BoolValue(p.Owed.AutorebootOn)
	case plan.PowerOn.ValueBool() && !state.PowerOn.ValueBool():
		plan.AutorebootOn = types.BoolValue(true)
	}
}
