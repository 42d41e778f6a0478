package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// checkDefinitions validates new and changed values against the service's
// definitions (API.md §6). What is already deployed is never questioned, nor is
// a distribution that is only recorded: the service may have withdrawn it.
func (r *vmResource) checkDefinitions(ctx context.Context, state, plan *model, installs bool, diags *diag.Diagnostics) {
	r.data.CheckChoices(ctx, newChoices(state, plan, installs, diags), diags)
}

// newChoices lists the values that this plan brings in.
func newChoices(state, plan *model, installs bool, diags *diag.Diagnostics) []tfkit.Choice {
	var choices []tfkit.Choice
	add := func(at path.Path, offer tfkit.Offer, before, wanted types.String) {
		if differs(before, wanted) {
			choices = append(choices, tfkit.Choice{At: at, Value: wanted.ValueString(), Offer: offer})
		}
	}
	before, _ := reimageFrom(state.Reimage, diags)
	if wanted, ok := reimageFrom(plan.Reimage, diags); ok && installs {
		add(path.Root("reimage").AtName("distribution"), tfkit.Distribution, before.Distribution, wanted.Distribution)
	}
	add(path.Root("zone_name"), tfkit.Zone, state.ZoneName, plan.ZoneName)
	add(path.Root("hardware_profile"), tfkit.HardwareProfile, state.HardwareProfile, plan.HardwareProfile)
	deployed := map[string]types.String{}
	had, _ := discsFrom(state.Disc, diags)
	for _, disc := range had {
		deployed[disc.ID.ValueString()] = disc.StorageGrade
	}
	discs, _ := discsFrom(plan.Disc, diags)
	for i, disc := range discs {
		if _, kept := deployed[disc.ID.ValueString()]; !kept {
			add(path.Root("disc").AtListIndex(i).AtName("storage_grade"), tfkit.StorageGrade, types.StringNull(), disc.StorageGrade)
		}
	}
	return choices
}
