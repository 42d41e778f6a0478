package backup

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

type model struct {
	ID               types.String `tfsdk:"id"`
	VirtualMachineID types.String `tfsdk:"virtual_machine_id"`
	DiscID           types.String `tfsdk:"disc_id"`
	StartAt          types.String `tfsdk:"start_at"`
	IntervalSeconds  types.Int64  `tfsdk:"interval_seconds"`
	Capacity         types.Int64  `tfsdk:"capacity"`
}

// title names the schedule in messages.
func (m model) title() string {
	if !tfkit.Given(m.ID) {
		return "a backup schedule of disc " + m.DiscID.ValueString()
	}
	return fmt.Sprintf("backup schedule %s of disc %s", m.ID.ValueString(), m.DiscID.ValueString())
}

// object names a schedule that is imported once, and by one resource.
func object(id int64) string { return fmt.Sprintf("backup schedule %d", id) }

// identity has only what never changes: a disc with its schedules can be moved to
// another machine.
func (m model) identity() tfkit.Identity {
	return tfkit.Identity{"disc_id": m.DiscID, "id": m.ID}
}

// spec returns the request that creates the schedule.
func (m model) spec() cloudserver.BackupScheduleSpec {
	spec := cloudserver.BackupScheduleSpec{StartAt: cloudserver.StartTime(m.StartAt.ValueString()), IntervalSeconds: m.IntervalSeconds.ValueInt64()}
	if tfkit.Given(m.Capacity) {
		spec.Capacity = m.Capacity.ValueInt64Pointer()
	}
	return spec
}

// fromAPI takes over what the service reports. The time keeps its spelling.
func (m *model) fromAPI(disc *cloudserver.Disc, schedule *cloudserver.BackupSchedule) {
	m.ID = types.StringValue(cloudserver.IDText(schedule.ID))
	if disc != nil && disc.VirtualMachineID != 0 {
		m.VirtualMachineID = types.StringValue(cloudserver.IDText(disc.VirtualMachineID))
	}
	if schedule.StartAt != "" && !cloudserver.SameTime(schedule.StartAt, m.StartAt.ValueString()) {
		m.StartAt = types.StringValue(cloudserver.StartTime(schedule.StartAt))
	}
	if schedule.IntervalSeconds != 0 {
		m.IntervalSeconds = types.Int64Value(schedule.IntervalSeconds)
	}
	if schedule.Capacity != nil || m.Capacity.IsUnknown() {
		m.Capacity = types.Int64PointerValue(schedule.Capacity)
	}
}

var attributePath = tfkit.AttributesOf(map[string]string{"start_at": "start_at", "interval_seconds": "interval_seconds", "capacity": "capacity"})
