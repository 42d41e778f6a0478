package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ModifyPlan makes the plan tell the whole truth: defaults, what is replaced,
// what is refused, and a warning for every loss that the plan alone would hide.
func (r *vmResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	switch {
	case req.Plan.Raw.IsNull():
		r.planDestroy(ctx, req, resp)
	case req.State.Raw.IsNull():
		r.planCreate(ctx, req, resp)
	case !req.Plan.Raw.Equal(req.State.Raw):
		r.planUpdate(ctx, req, resp)
	}
}

// PlansOnlyChanges implements tfkit.PlansOnlyChanges.
func (r *vmResource) PlansOnlyChanges() {}

func (r *vmResource) planDestroy(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if state.DeletionProtection.ValueBool() {
		state.refuseDeletion(&resp.Diagnostics)
	}
}

func (r *vmResource) planCreate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan, config model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if config.PowerOn.IsNull() {
		plan.PowerOn = types.BoolValue(true)
	}
	r.planPlace(config, &plan, &resp.Diagnostics)
	r.checkPlan(ctx, model{}, plan, config, true, &resp.Diagnostics)
	r.checkName(ctx, plan, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.Plan.Set(ctx, plan)...)
}

// planPlace fills account and group from the provider. A default that is not
// known yet leaves them open.
func (r *vmResource) planPlace(config model, plan *model, diags *diag.Diagnostics) {
	if r.data == nil {
		return
	}
	if config.Group.IsNull() {
		plan.Group = r.data.Group
	}
	plan.Account = r.data.AccountOr(config.Account, plan.title(), diags)
}

func (r *vmResource) planUpdate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var state, plan, config model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if r.data.Ready() {
		r.data.Fleet.Track(state.numericID())
	}
	r.keepAccount(ctx, &state, plan)
	adopted := isAdopted(ctx, req.Private, &resp.Diagnostics)
	c := decide(ctx, state, &plan, config, adopted, &resp.Diagnostics)
	plan.foresee(state, c)
	resp.RequiresReplace = c.replace

	c.refuse(state, plan, &resp.Diagnostics)
	if !resp.Diagnostics.HasError() {
		c.warn(state, plan, &resp.Diagnostics)
		r.checkPlan(ctx, state, plan, config, len(c.reimage.changed) > 0, &resp.Diagnostics)
		if len(c.replace) == 0 && (differs(state.Name, plan.Name) || differs(state.Group, plan.Group)) {
			r.checkName(ctx, plan, &resp.Diagnostics)
		}
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, plan)...)
}

// foresee sets what the update will make of computed values: known where it is
// known, unknown only where this update changes it.
func (m *model) foresee(state model, c change) {
	if c.discs.planned != nil {
		m.Disc = discList(c.discs.planned)
	}
	moves := !m.Group.Equal(state.Group) && m.Group.ValueString() != idText(state.GroupID.ValueInt64())
	if moves {
		m.GroupID = types.Int64Unknown()
		m.IPv4Address, m.IPv6Address = types.StringUnknown(), types.StringUnknown()
		m.ManagementAddress = types.StringUnknown()
		m.NetworkInterfaces = types.ListUnknown(interfaceType)
	}
	if moves || !m.Name.Equal(state.Name) {
		m.Hostname = types.StringUnknown()
	}
	if c.restarts(state) || c.power != powerLeft || c.reimagesInPlace() || changesProfile(state, *m) || m.mayRestart() {
		m.Head = types.StringUnknown()
		m.EffectiveHardwareProfile = types.StringUnknown()
	}
	if c.reimagesInPlace() {
		m.LastImagedWith = types.StringUnknown()
	}
}

// mayRestart says whether something is not known yet that may need the machine
// off.
func (m *model) mayRestart() bool {
	return m.Cores.IsUnknown() || m.Memory.IsUnknown() || m.HardwareProfile.IsUnknown() || m.PowerOn.IsUnknown()
}

// isAdopted says whether the machine was imported and its configuration has not
// been recorded since.
func isAdopted(ctx context.Context, private privateReader, diags *diag.Diagnostics) bool {
	value, d := private.GetKey(ctx, adoptedKey)
	diags.Append(d...)
	return string(value) == "true"
}

type privateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}
