package backup

import (
	"context"
	"fmt"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/existing"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// isExisting looks for schedules as planned, for the command imports, and reports whether there are any. A disc may
// have several, and some may be in the state: which one is meant is up to the command.
func (r *scheduleResource) isExisting(ctx context.Context, plan model, diags *diag.Diagnostics) bool {
	if !tfkit.Given(plan.VirtualMachineID) || !tfkit.Given(plan.DiscID) || !tfkit.Given(plan.StartAt) ||
		!tfkit.Given(plan.IntervalSeconds) {
		return false // not known yet
	}
	found := existing.Creation{Type: "cloudserver_backup_schedule", Planned: tfkit.PlannedTexts(map[string]types.String{
		"virtual_machine_id": plan.VirtualMachineID, "disc_id": plan.DiscID, "start_at": plan.StartAt,
	})}
	found.Planned["interval_seconds"] = strconv.FormatInt(plan.IntervalSeconds.ValueInt64(), 10)
	if tfkit.Given(plan.Capacity) {
		found.Planned["capacity"] = strconv.FormatInt(plan.Capacity.ValueInt64(), 10)
	}
	disc, err := r.Data.Client.Disc(ctx, tfkit.IDOf(plan.DiscID))
	switch {
	case cloudserver.IsNotFound(err):
		err = nil // checkDisc explains it
	case err == nil:
		for _, s := range plan.equal(disc.BackupSchedules, nil) {
			found.ImportIDs = append(found.ImportIDs, fmt.Sprintf("%s/%d/%d", plan.VirtualMachineID.ValueString(), disc.ID, s.ID))
		}
	}
	r.Data.Found(found, plan.title(), err, diags)
	return len(found.ImportIDs) > 0
}
