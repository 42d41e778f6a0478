package backup

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

func (r *scheduleResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	replaceText := []planmodifier.String{stringplanmodifier.RequiresReplace()}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Manages a backup schedule of a disc: when backups are taken, and how many are kept.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				MarkdownDescription: "Numeric ID of the schedule.",
				Computed:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"virtual_machine_id": schema.StringAttribute{
				MarkdownDescription: "ID of the machine that the disc is on.",
				Required:            true,
				Validators:          []validator.String{tfkit.NumericID("")},
				PlanModifiers:       replaceText,
			},
			"disc_id": schema.StringAttribute{
				MarkdownDescription: "ID of the disc, such as `cloudserver_vm.web.disc[0].id`.",
				Required:            true,
				Validators:          []validator.String{tfkit.NumericID("")},
				PlanModifiers:       replaceText,
			},
			"start_at": schema.StringAttribute{
				MarkdownDescription: "Time of the first backup: `YYYY-MM-DD hh:mm:ss` in UTC, or RFC 3339 with any offset.",
				Required:            true,
				Validators:          []validator.String{startTime},
				PlanModifiers:       append([]planmodifier.String{tfkit.KeepSpelling{Same: cloudserver.SameTime}}, replaceText...),
			},
			"interval_seconds": schema.Int64Attribute{
				CustomType:          tfkit.Int64Type{},
				MarkdownDescription: "Seconds between two backups: `86400` is a day, `604800` a week.",
				Required:            true,
				Validators:          []validator.Int64{tfkit.Number{Least: 1, Means: "a number of seconds"}},
				PlanModifiers:       []planmodifier.Int64{int64planmodifier.RequiresReplace()},
			},
			"capacity": schema.Int64Attribute{
				CustomType:          tfkit.Int64Type{},
				MarkdownDescription: "How many backups of the schedule are kept. The service chooses if it is not set.",
				Optional:            true,
				Computed:            true,
				Validators:          []validator.Int64{tfkit.Number{Least: 1, Means: "the number of backups that are kept"}},
				PlanModifiers:       []planmodifier.Int64{int64planmodifier.UseStateForUnknown(), int64planmodifier.RequiresReplaceIfConfigured()},
			},
		},
	}
}

const timeRule = "a time such as 2030-01-31 04:00:00 (UTC) or 2030-01-31T05:00:00+01:00"

// startTime validates the start of a schedule.
var startTime = tfkit.TextOf(timeRule, "Invalid time", func(text string) string {
	if _, err := cloudserver.ParseStart(text); err != nil {
		return fmt.Sprintf("%q must be %s.", text, timeRule)
	}
	return ""
})

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

// object identifies a schedule for detecting a second import or a second resource.
func object(id int64) run.Object { return run.ObjectWithID(run.BackupSchedule, id) }

// identity contains only what never changes: a disc with its schedules can be moved to another machine.
func (m model) identity() tfkit.Identity {
	return tfkit.Identity{"disc_id": m.DiscID, "id": m.ID}
}

// spec returns the request that creates the schedule.
func (m model) spec() cloudserver.BackupScheduleSpec {
	spec := cloudserver.BackupScheduleSpec{
		StartAt: cloudserver.StartTime(m.StartAt.ValueString()), IntervalSeconds: m.IntervalSeconds.ValueInt64(),
	}
	if tfkit.Given(m.Capacity) {
		spec.Capacity = m.Capacity.ValueInt64Pointer()
	}
	return spec
}

// fromAPI sets the values that the service reports. The spelling of the time is kept.
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

var attributePath = tfkit.AttributesOf(
	map[string]string{"start_at": "start_at", "interval_seconds": "interval_seconds", "capacity": "capacity"},
)
