// SPDX-License-Identifier: MPL-2.0

// Package backup manages backups of discs (API.md §4): the resource cloudserver_backup_schedule, its list resource, and
// the data source cloudserver_backups.
package backup

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var (
	_ resource.ResourceWithConfigure   = (*scheduleResource)(nil)
	_ resource.ResourceWithIdentity    = (*scheduleResource)(nil)
	_ resource.ResourceWithImportState = (*scheduleResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*scheduleResource)(nil)
)

type scheduleResource struct{ tfkit.Resource }

// newResource returns the resource. Its identity does not contain the machine, because a disc can be moved to another
// one with its schedules.
func newResource() scheduleResource {
	return scheduleResource{tfkit.Resource{
		Name: "_backup_schedule", Identity: map[string]string{"disc_id": "ID of the disc.", "id": "ID of the schedule."},
	}}
}

// NewResource returns the resource cloudserver_backup_schedule.
func NewResource() resource.Resource { return new(newResource()) }

func (r *scheduleResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
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
				Validators:          []validator.String{tfkit.MachineID},
			},
			"disc_id": schema.StringAttribute{
				MarkdownDescription: "ID of the disc, such as `cloudserver_vm.web.disc_ids[\"vda\"]`.",
				Required:            true,
				Validators:          []validator.String{tfkit.DiscID},
			},
			"start_at": schema.StringAttribute{
				MarkdownDescription: "Time of the first backup, in the form of RFC 3339 with any offset, or `YYYY-MM-DD hh:mm:ss` in UTC.",
				Required:            true,
				Validators:          []validator.String{startTime},
				PlanModifiers: []planmodifier.String{
					tfkit.KeepSpelling{Same: cloudserver.SameTime}, stringplanmodifier.RequiresReplace(),
				},
			},
			"interval_seconds": schema.Int64Attribute{
				MarkdownDescription: "Seconds between two backups: `86400` is a day, `604800` a week.",
				Required:            true,
				Validators: []validator.Int64{tfkit.Advised{
					Int64: int64validator.AtLeast(1), Advice: "It is in seconds: a day has 86400.",
				}},
				PlanModifiers: []planmodifier.Int64{int64planmodifier.RequiresReplace()},
			},
			"capacity": schema.Int64Attribute{
				MarkdownDescription: "How many backups are kept. Without it, the service chooses.",
				Optional:            true,
				Computed:            true,
				Validators: []validator.Int64{tfkit.Advised{
					Int64: int64validator.AtLeast(1), Advice: "To let the service choose how many backups are kept, leave it out.",
				}},
				PlanModifiers: []planmodifier.Int64{
					int64planmodifier.UseStateForUnknown(), int64planmodifier.RequiresReplaceIfConfigured(),
				},
			},
		},
	}
}

// startTime validates the start of a schedule.
var startTime = tfkit.Text{
	Accepts: "a time such as 2030-01-31T04:00:00Z, 2030-01-31T05:00:00+01:00 or 2030-01-31 04:00:00 (UTC)", Summary: "Invalid time",
	Valid: func(text string) bool {
		_, err := cloudserver.ParseStart(text)
		return err == nil
	},
}

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

// identity returns the resource identity, which never changes.
func (m model) identity() tfkit.ResourceIdentity {
	return tfkit.ResourceIdentity{"disc_id": m.DiscID, "id": m.ID}
}

// key identifies the schedule among the objects that creates have found.
func (m model) key() string { return "backup_schedule " + m.ID.ValueString() }

// turn names the schedules of the disc, of which one at a time is created or deleted.
func (m model) turn() string { return "the backup schedules of disc " + m.DiscID.ValueString() }

// toAPI returns the request that creates the schedule.
func (m model) toAPI() cloudserver.BackupScheduleSpec {
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
	if disc.VirtualMachineID != 0 {
		m.VirtualMachineID = types.StringValue(cloudserver.IDText(disc.VirtualMachineID))
	}
	if schedule.StartAt != "" && !cloudserver.SameTime(schedule.StartAt, m.StartAt.ValueString()) {
		m.StartAt = types.StringValue(cloudserver.ShownStart(schedule.StartAt))
	}
	if schedule.IntervalSeconds != 0 {
		m.IntervalSeconds = types.Int64Value(schedule.IntervalSeconds)
	}
	if schedule.Capacity != nil || m.Capacity.IsUnknown() {
		m.Capacity = types.Int64PointerValue(schedule.Capacity)
	}
}

// complete sets what the plan left unknown.
func (m *model) complete(schedule *cloudserver.BackupSchedule) {
	m.ID = types.StringValue(cloudserver.IDText(schedule.ID))
	m.Capacity = tfkit.PlannedOr(m.Capacity, types.Int64PointerValue(schedule.Capacity))
}

// equalTo returns the schedule of the disc that is as planned, or nil.
func (m model) equalTo(disc *cloudserver.Disc) *cloudserver.BackupSchedule {
	i := slices.IndexFunc(disc.BackupSchedules, func(s cloudserver.BackupSchedule) bool {
		sameCapacity := !tfkit.Given(m.Capacity) || s.Capacity == nil || m.Capacity.ValueInt64() == *s.Capacity
		return sameCapacity && cloudserver.SameTime(m.StartAt.ValueString(), s.StartAt) &&
			m.IntervalSeconds.ValueInt64() == s.IntervalSeconds
	})
	if i < 0 {
		return nil
	}
	return &disc.BackupSchedules[i]
}

var attributePath = tfkit.AttributesOf(
	map[string]string{"start_at": "start_at", "interval_seconds": "interval_seconds", "capacity": "capacity"},
)

// Read reads the schedule of the disc, whichever machine the disc is on now. A schedule that is not there is removed from
// the state: creating it again takes over an equal one.
func (r *scheduleResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	diags := &resp.Diagnostics
	diags.Append(req.State.Get(ctx, &state)...)
	state.identity().Save(ctx, resp.Identity, diags)
	if diags.HasError() || !r.Data.Ready() {
		return
	}
	owner := tfkit.LoadPrivate[tfkit.Owner](ctx, req.Private, diags)
	disc, err := r.Data.Client.Disc(ctx, tfkit.IDOf(state.DiscID))
	err = r.Data.CheckGone(ctx, owner, err)
	switch {
	case inventory.IsGone(err):
		resp.State.RemoveResource(ctx)
		return
	case err != nil:
		tfkit.AddError(diags, "Cannot read "+state.title(), err, nil, "The state is unchanged.")
		return
	case disc.BackupSchedules == nil: // the service does not show them
		return
	}
	schedule := scheduleOf(disc, state)
	if schedule == nil {
		resp.State.RemoveResource(ctx)
		return
	}
	state.fromAPI(disc, schedule)
	diags.Append(resp.State.Set(ctx, state)...)
}

// scheduleOf returns the schedule with the ID of the state, or nil.
func scheduleOf(disc *cloudserver.Disc, state model) *cloudserver.BackupSchedule {
	id := tfkit.IDOf(state.ID)
	i := slices.IndexFunc(disc.BackupSchedules, func(s cloudserver.BackupSchedule) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	return &disc.BackupSchedules[i]
}

// Update sends nothing, because every change that concerns the service replaces the schedule.
func (r *scheduleResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, plan)...)
	plan.identity().Save(ctx, resp.Identity, &resp.Diagnostics)
}

// locate returns where a machine is, for calls about its discs.
func locate(ctx context.Context, d *tfkit.ProviderData, machine int64) (inventory.Location, error) {
	vm, err := d.Client.VirtualMachine(ctx, machine)
	if err != nil {
		return inventory.Location{}, err
	}
	at, _, err := tfkit.Locate(ctx, d.Inventory, vm)
	return at, err
}

// addError reports a failed call. Of a 404, the configured machine or disc is to blame.
func addError(diags *diag.Diagnostics, summary string, err error) {
	if _, isElsewhere := errors.AsType[*elsewhereError](err); isElsewhere {
		diags.AddAttributeError(path.Root("virtual_machine_id"), summary, tfkit.Detail(err,
			"Set virtual_machine_id to the machine that the disc is on, or disc_id to a disc of this machine."))
		return
	}
	if errors.Is(err, errTwoBlocks) {
		diags.AddAttributeError(path.Root("disc_id"), summary,
			tfkit.Detail(err, "Two blocks describe it: remove one of them."))
		return
	}
	if cloudserver.IsNotFound(err) {
		diags.AddAttributeError(path.Root("disc_id"), summary,
			tfkit.Detail(err, "These credentials see no such machine or disc: check virtual_machine_id and disc_id."))
		return
	}
	tfkit.AddError(diags, summary, err, attributePath, "")
}
