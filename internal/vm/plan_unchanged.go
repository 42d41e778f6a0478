package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// PlanUnchanged implements tfkit.UnchangedPlanner. A plan that equals the state has something to do if the machine owes
// something, if a disc is on another machine or is not in the state, if the service is about to start a machine that is
// off, or if the provider's deletion_protection is not the machine's.
func (r *vmResource) PlanUnchanged(ctx context.Context, d *tfkit.ProviderData, plan tfkit.UnchangedPlan) bool {
	var diags diag.Diagnostics
	p := tfkit.LoadPrivate[private](ctx, plan.Private, &diags)
	state := decisiveOf(plan.State)
	if p.Owed != nil || p.Unready || p.Discs.haveMoved() || len(p.Discs) > 0 && len(p.Discs.foreign(discsIn(plan.State))) > 0 ||
		!state.PowerOn.ValueBool() && state.AutorebootOn.ValueBool() ||
		!state.DeletionProtection.Equal(d.DefaultProtection()) && plan.Config().IsNull("deletion_protection") {
		return false
	}
	tfkit.SavePrivate(ctx, plan.Private, p.forPlan(&state, &state), &diags)
	if diags.HasError() {
		return false
	}
	d.Memory.Note(state.object(), func(k *run.Known) { k.Protection = state.protection(&state) })
	if d.Ready() {
		d.Fleet.Track(state.numericID())
	}
	return true
}

// discsIn returns the discs of a state, with nothing but their IDs.
func discsIn(state tfkit.Attributes) (discs []discModel) {
	ids := tfkit.AttributesIn(state["disc_ids"])
	for label := range ids {
		discs = append(discs, discModel{ID: tfkit.StringOrNull(ids.Text(label))})
	}
	return discs
}

// decisiveOf returns what an unchanged plan depends on. Decoding the whole state would take most of its time.
func decisiveOf(state tfkit.Attributes) (m model) {
	text := func(name string) types.String { return tfkit.StringOrNull(state.Text(name)) }
	m.ID, m.Name, m.Account = text("id"), text("name"), text("account")
	m.Group, m.GroupID = text("group"), text("group_id")
	m.PowerOn, m.AutorebootOn = state.Bool("power_on"), state.Bool("autoreboot_on")
	m.DeletionProtection, m.PurgeOnDestroy = state.Bool("deletion_protection"), state.Bool("purge_on_destroy")
	return m
}
