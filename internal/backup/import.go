package backup

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ImportState finds the schedule by virtual_machine_id/disc_id/id, or by its
// identity.
func (r *scheduleResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	var m model
	if req.ID != "" {
		parts := strings.Split(req.ID, "/")
		for _, part := range parts {
			if _, err := cloudserver.ParseID(part); err != nil || len(parts) != 3 {
				resp.Diagnostics.AddError("Invalid import ID of a backup schedule",
					fmt.Sprintf("%q must be three numeric IDs, virtual_machine_id/disc_id/id, such as 1004/1005/1010.", req.ID))
				return
			}
		}
		m.VirtualMachineID, m.DiscID, m.ID = types.StringValue(parts[0]), types.StringValue(parts[1]), types.StringValue(parts[2])
	} else {
		resp.Diagnostics.Append(req.Identity.GetAttribute(ctx, path.Root("disc_id"), &m.DiscID)...)
		resp.Diagnostics.Append(req.Identity.GetAttribute(ctx, path.Root("id"), &m.ID)...)
	}
	if m.DiscID.IsNull() && !resp.Diagnostics.HasError() {
		resp.Diagnostics.AddError("Invalid import ID of a backup schedule", "It is empty. Use three numeric IDs, virtual_machine_id/disc_id/id, such as 1004/1005/1010.")
	}
	if resp.Diagnostics.HasError() || !r.data.RequireReady("import "+m.title(), &resp.Diagnostics) {
		return
	}
	if r.data.ImportOnce("backup schedule "+m.ID.ValueString(), &resp.Diagnostics) {
		r.importSchedule(ctx, m, resp)
	}
}

func (r *scheduleResource) importSchedule(ctx context.Context, m model, resp *resource.ImportStateResponse) {
	summary := "Cannot import " + m.title()
	wanted := tfkit.IDOf(m.VirtualMachineID)
	disc, err := r.data.Client.Disc(ctx, tfkit.IDOf(m.DiscID))
	if err == nil && wanted != 0 && disc.VirtualMachineID != 0 && disc.VirtualMachineID != wanted {
		err = &errElsewhere{disc.ID, disc.VirtualMachineID, wanted}
	}
	switch {
	case cloudserver.IsNotFound(err):
		resp.Diagnostics.AddError(summary, tfkit.Detail(err, "No such disc is visible to these credentials: check the IDs."))
		return
	case err != nil:
		tfkit.AddError(&resp.Diagnostics, summary, err, nil, "Check the IDs.")
		return
	}
	for i := range disc.BackupSchedules {
		if disc.BackupSchedules[i].ID != tfkit.IDOf(m.ID) {
			continue
		}
		m.fromAPI(disc, &disc.BackupSchedules[i])
		tfkit.Save(ctx, &resp.State, resp.Identity, m, m.identity(), &resp.Diagnostics)
		return
	}
	resp.Diagnostics.AddError(summary, "The disc has no such backup schedule: check the IDs. The data source cloudserver_vm shows the schedules of its discs.")
}
