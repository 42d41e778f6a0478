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

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ImportState imports a schedule by virtual_machine_id/disc_id/id, or by its identity.
func (r *scheduleResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	var m model
	parts := strings.Split(tfkit.ImportText(ctx, req, "id", &resp.Diagnostics), "/")
	if resp.Diagnostics.HasError() {
		return
	}
	if req.ID == "" {
		resp.Diagnostics.Append(req.Identity.GetAttribute(ctx, path.Root("disc_id"), &m.DiscID)...)
		resp.Diagnostics.Append(req.Identity.GetAttribute(ctx, path.Root("id"), &m.ID)...)
		parts = []string{m.DiscID.ValueString(), m.ID.ValueString()}
	} else if len(parts) == 3 {
		m.VirtualMachineID, m.DiscID, m.ID = types.StringValue(parts[0]), types.StringValue(parts[1]),
			types.StringValue(parts[2])
	}
	if m.ID.IsNull() ||
		slices.ContainsFunc(parts, func(part string) bool { return tfkit.IDOf(types.StringValue(part)) == 0 }) {
		resp.Diagnostics.AddError("Invalid import ID of a backup schedule",
			fmt.Sprintf("%q must be three numeric IDs, virtual_machine_id/disc_id/id, such as 1004/1005/1010.", req.ID))
	}
	if resp.Diagnostics.HasError() || !r.Data.RequireReady("import "+m.title(), &resp.Diagnostics) {
		return
	}
	id, summary := tfkit.IDOf(m.ID), "Cannot import "+m.title()
	disc, err := discOn(ctx, r.Data, tfkit.IDOf(m.VirtualMachineID), tfkit.IDOf(m.DiscID))
	if err != nil {
		if !addTargetError(&resp.Diagnostics, summary, err) {
			tfkit.AddError(&resp.Diagnostics, summary, err, nil, "Check the IDs.")
		}
		return
	}
	i := slices.IndexFunc(disc.BackupSchedules, func(s cloudserver.BackupSchedule) bool { return s.ID == id })
	if i < 0 {
		resp.Diagnostics.AddError(summary, "The disc has no such backup schedule: check the IDs. The data source cloudserver_vm shows the schedules of its discs.")
		return
	}
	if presence.Import(ctx, r.Data, object(id), resp) {
		m.fromAPI(disc, &disc.BackupSchedules[i])
		tfkit.Save(ctx, &resp.State, resp.Identity, m, m.identity(), &resp.Diagnostics)
	}
}

// ObserveState implements tfkit.StateObserver.
func (r *scheduleResource) ObserveState(d *tfkit.ProviderData, state tfkit.RawState, diags *diag.Diagnostics) {
	var m struct {
		ID string `json:"id"`
	}
	state.Fill(&m)
	presence.Manage(d, object(tfkit.IDOf(types.StringValue(m.ID))), diags)
}
