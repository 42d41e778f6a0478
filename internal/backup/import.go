// SPDX-License-Identifier: MPL-2.0

package backup

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ImportState imports a schedule by virtual_machine_id/disc_id/id, or by its identity.
func (r *scheduleResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	diags := &resp.Diagnostics
	m := importedModel(ctx, req, diags)
	if diags.HasError() || !r.Data.RequireReady("import "+m.title(), diags) {
		return
	}
	summary := "Cannot import " + m.title()
	disc, err := r.Data.Client.Disc(ctx, tfkit.IDOf(m.DiscID))
	if err != nil {
		addError(diags, summary, err)
		return
	}
	if err := checkPlace(disc, m.VirtualMachineID); err != nil {
		diags.AddError(summary, fmt.Sprintf("%s Import %d/%d/%s.",
			tfkit.Sentence(err.Error()), disc.VirtualMachineID, disc.ID, m.ID.ValueString()))
		return
	}
	schedule := scheduleOf(disc, m)
	if schedule == nil {
		diags.AddError(summary, "The disc has no such backup schedule: check the IDs. "+
			"The data source cloudserver_vm shows the schedules of its discs.")
		return
	}
	m.fromAPI(disc, schedule)
	diags.Append(resp.State.Set(ctx, m)...)
	m.identity().Save(ctx, resp.Identity, diags)
}

// importedModel returns the IDs of an import.
func importedModel(ctx context.Context, req resource.ImportStateRequest, diags *diag.Diagnostics) (m model) {
	if req.ID == "" && !req.Identity.Raw.IsNull() {
		diags.Append(req.Identity.GetAttribute(ctx, path.Root("disc_id"), &m.DiscID)...)
		diags.Append(req.Identity.GetAttribute(ctx, path.Root("id"), &m.ID)...)
		return m
	}
	text := tfkit.ImportText(ctx, req, "id", diags)
	if diags.HasError() {
		return m
	}
	parts := strings.Split(text, "/")
	isInvalid := func(part string) bool { return tfkit.IDOf(types.StringValue(part)) == 0 }
	if len(parts) != 3 || slices.ContainsFunc(parts, isInvalid) {
		diags.AddError("Invalid import ID of a backup schedule",
			fmt.Sprintf("%q must be three numeric IDs, virtual_machine_id/disc_id/id, such as 1004/1005/1010.", text))
		return m
	}
	m.VirtualMachineID = types.StringValue(parts[0])
	m.DiscID = types.StringValue(parts[1])
	m.ID = types.StringValue(parts[2])
	return m
}
