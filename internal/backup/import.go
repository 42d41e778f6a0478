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
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
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
	disc, err := discOn(ctx, r.Data.Client, tfkit.IDOf(m.VirtualMachineID), tfkit.IDOf(m.DiscID))
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
	m.fromAPI(disc, &disc.BackupSchedules[i])
	tfkit.Save(ctx, &resp.State, resp.Identity, m, m.identity(), &resp.Diagnostics)
}

// ObserveState implements tfkit.Observed.
func (r *scheduleResource) ObserveState(_ *run.Memory, state tfkit.RawState) run.Object {
	var m struct {
		ID string `json:"id"`
	}
	state.Fill(&m)
	return run.Object{Kind: run.BackupSchedule, ID: m.ID}
}

// Subject implements tfkit.Observed. Two schedules of a disc may have the same times, which is probably a mistake.
func (r *scheduleResource) Subject(state tfkit.Attributes) run.Subject {
	s := run.Subject{Object: run.Object{Kind: run.BackupSchedule, ID: state.Text("id")}, Title: state.Text("disc_id")}
	interval := state.Number("interval_seconds")
	if start, err := cloudserver.ParseStart(state.Text("start_at")); err == nil && s.Title != "" && interval != "" {
		s.Names = []run.Name{{Kind: run.BackupSchedule, Name: fleet.Name{Account: s.Title, Group: start.UTC().String(), Name: interval}}}
	}
	return s
}

// RefuseName implements tfkit.Observed. The service accepts equal schedules.
func (r *scheduleResource) RefuseName(_ run.Name, other, by run.Holder, diags *diag.Diagnostics) {
	what := "Another resource of this configuration creates one"
	if other.ID != "" {
		what = "Another resource of this configuration has one (ID " + other.ID + ")"
	}
	diags.AddAttributeWarning(path.Root("disc_id"), "Two backup schedules of one disc have the same times",
		fmt.Sprintf("%s for disc %s that takes backups at the same times: "+
			"each backup is taken twice, or both resources manage one schedule. Remove one of the two. "+
			"If only the address of the resource has changed, add a block moved.", what, by.Title))
}

// WarnOfName implements tfkit.Observed.
func (r *scheduleResource) WarnOfName(_, _ run.Holder, _ *diag.Diagnostics) {}
