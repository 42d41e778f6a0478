package backup

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ModifyPlan warns of what is probably a mistake.
func (r *scheduleResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	var state, plan model
	diags := &resp.Diagnostics
	if req.Plan.Raw.IsNull() {
		return
	}
	if !req.State.Raw.IsNull() {
		diags.Append(req.State.Get(ctx, &state)...)
	}
	if diags.Append(req.Plan.Get(ctx, &plan)...); diags.HasError() {
		return
	}
	plan.warnTimes(state, diags)
	plan.warnMovingStart(state, diags)
	if req.State.Raw.IsNull() {
		r.checkDisc(ctx, plan, diags)
	} else {
		r.warnReplaced(state, plan, diags)
	}
}

// PlanUnchanged implements tfkit.UnchangedPlanner. ModifyPlan warns of changes alone.
func (r *scheduleResource) PlanUnchanged(context.Context, *tfkit.ProviderData, tfkit.UnchangedPlan) bool {
	return true
}

const secondsOfDay = 24 * 60 * 60

const (
	usualInterval = time.Hour // at least
	usualStart    = 366 * 24 * time.Hour
	longInterval  = 366 * 24 * time.Hour
)

// warnTimes warns of a new interval or start that is unusual.
func (m model) warnTimes(before model, diags *diag.Diagnostics) {
	changed := tfkit.Given(m.IntervalSeconds) && !m.IntervalSeconds.Equal(before.IntervalSeconds)
	switch interval := m.IntervalSeconds.ValueInt64(); {
	case changed && interval > int64(longInterval.Seconds()):
		diags.AddAttributeWarning(path.Root("interval_seconds"), "Backups are taken very rarely",
			fmt.Sprintf("interval_seconds is %d: a backup of disc %s every %d days. Is it in milliseconds? "+
				"An hour is 3600, a day 86400, a week 604800.", interval, m.DiscID.ValueString(), interval/secondsOfDay))
	case changed && interval < int64(usualInterval.Seconds()):
		diags.AddAttributeWarning(path.Root("interval_seconds"), "Backups are taken very often",
			fmt.Sprintf("interval_seconds is %d: a backup of disc %s every %s. An hour is 3600, a day 86400, a week 604800.",
				interval, m.DiscID.ValueString(), time.Duration(interval)*time.Second))
	}
	if start, err := cloudserver.ParseStart(m.StartAt.ValueString()); err == nil && !m.StartAt.Equal(before.StartAt) &&
		time.Until(start) > usualStart {
		diags.AddAttributeWarning(path.Root("start_at"), "The first backup is more than a year away",
			fmt.Sprintf("start_at is %q, and disc %s has no backup of this schedule before that. "+
				"Set the time at which the first backup is to be taken.", m.StartAt.ValueString(), m.DiscID.ValueString()))
	}
}

// warnMovingStart warns of a new start that probably follows the time of the plan, as plantimestamp() does.
func (m model) warnMovingStart(before model, diags *diag.Diagnostics) {
	start, err := cloudserver.ParseStart(m.StartAt.ValueString())
	if err != nil || m.StartAt.Equal(before.StartAt) {
		return
	}
	had, err := cloudserver.ParseStart(before.StartAt.ValueString())
	if now := time.Now(); isTimeOfPlan(start, now) || err == nil && isSameHourOnDayOfPlan(start, had, now) {
		diags.AddAttributeWarning(path.Root("start_at"), "The start of the backups may differ in every plan",
			fmt.Sprintf("start_at is %q, which follows from the time of this plan. "+
				"If it comes from plantimestamp(), each later plan has another time and replaces the schedule: "+
				"set a time, such as 2030-01-31 04:00:00, or add start_at to ignore_changes.", m.StartAt.ValueString()))
	}
}

// planTime is how long after the beginning of a plan a schedule is planned, at most.
const planTime = 2 * time.Minute

// isTimeOfPlan reports whether a start is the time of the plan, give or take some hours. People rarely write seconds.
func isTimeOfPlan(start, now time.Time) bool {
	passed := now.Sub(start) % time.Hour
	if passed < 0 {
		passed += time.Hour
	}
	return start.Second() != 0 && passed < planTime
}

// isSameHourOnDayOfPlan reports whether the day of a start has become that of the plan, or a day beside it, and its hour
// is the one it had.
func isSameHourOnDayOfPlan(start, had, now time.Time) bool {
	const day = 24 * time.Hour
	return start.After(had) && start.Sub(had)%day == 0 && start.Sub(now).Abs() <= day
}

// warnReplaced warns that replacing a schedule, as every change does, deletes it first, and of a start that would
// replace it in every plan.
func (r *scheduleResource) warnReplaced(state, plan model, diags *diag.Diagnostics) {
	changed := plan.changed(state)
	if len(changed) == 0 || !plan.DiscID.Equal(state.DiscID) { // of another disc
		return
	}
	diags.AddAttributeWarning(path.Root(changed[0]), "The backup schedule is deleted before its successor is created",
		fmt.Sprintf("The service cannot change backup schedule %s of disc %s, so it is replaced. "+
			"If the service refuses the new one, the disc has none.\n\n", state.ID.ValueString(), state.DiscID.ValueString())+
			"To create the new one first, set create_before_destroy = true in the block lifecycle of this resource. If it is set, ignore this warning.")
	if plan.StartAt.IsUnknown() {
		diags.AddAttributeWarning(path.Root("start_at"), "The start of the backups is not known at plan",
			"The schedule is replaced, because its start_at may be another one. "+
				"A value from timestamp() is never known at plan, so that every plan replaces the schedule: "+
				"set a time, such as 2030-01-31 04:00:00, or add start_at to ignore_changes.")
	}
}

// changed returns the attributes whose values differ, or may differ.
func (m model) changed(before model) (names []string) {
	for _, a := range []struct {
		name          string
		before, value attr.Value
	}{
		{"virtual_machine_id", before.VirtualMachineID, m.VirtualMachineID},
		{"disc_id", before.DiscID, m.DiscID},
		{"start_at", before.StartAt, m.StartAt},
		{"interval_seconds", before.IntervalSeconds, m.IntervalSeconds},
		{"capacity", before.Capacity, m.Capacity},
	} {
		if !a.value.Equal(a.before) {
			names = append(names, a.name)
		}
	}
	return names
}

// checkDisc finds out whether the disc of a new schedule is on its machine, and already has an equal schedule. A
// replacement would otherwise delete the old schedule before the service refuses the new one.
func (r *scheduleResource) checkDisc(ctx context.Context, plan model, diags *diag.Diagnostics) {
	disc := tfkit.IDOf(plan.DiscID) // a disc of this run has none yet
	ctx, cancel, ok := r.Data.PlanCheck(ctx)
	defer cancel()
	if !ok || disc == 0 {
		return
	}
	found, err := discOn(ctx, r.Data.Client, tfkit.IDOf(plan.VirtualMachineID), disc)
	if err != nil { // any other failure is reported at apply
		addTargetError(diags, "Cannot create "+plan.title(), err)
		return
	}
	if plan.StartAt.IsUnknown() || plan.IntervalSeconds.IsUnknown() {
		return
	}
	if unmanaged := r.unmanaged(plan, found); unmanaged != nil {
		r.warnTakesOver(plan, unmanaged.ID, diags)
	}
}

// unmanaged returns a schedule of the disc that equals the planned one and that no resource read in this run manages,
// or nil. It may be the result of a lost answer, or the schedule that this one replaces with create_before_destroy,
// because a process that applies has read nothing. A second schedule would take each backup twice.
func (r *scheduleResource) unmanaged(m model, disc *cloudserver.Disc) *cloudserver.BackupSchedule {
	for _, equal := range m.equal(disc.BackupSchedules, nil) {
		if !r.Data.Notes.IsHeld(object(equal.ID)) {
			return &equal
		}
	}
	return nil
}

// warnTakesOver warns once in a run that the resource will manage an existing schedule.
func (r *scheduleResource) warnTakesOver(m model, id int64, diags *diag.Diagnostics) {
	if r.Data.Notes.FirstTime(run.EqualSchedule, cloudserver.IDText(id)) {
		diags.AddAttributeWarning(path.Root("disc_id"), "An equal backup schedule is managed from now on",
			fmt.Sprintf("Disc %s has a backup schedule of the same times already (ID %d). "+
				"This resource manages it instead of creating a second one, which would take each backup twice. "+
				"If another resource manages it, remove one of the two. If only the address of its resource has changed, add a block moved.", m.DiscID.ValueString(), id))
	}
}

// warnTwice warns of schedules of the disc that equal this one.
func (m model) warnTwice(disc *cloudserver.Disc, diags *diag.Diagnostics) {
	if disc == nil {
		return
	}
	var others []string
	for _, equal := range m.equal(disc.BackupSchedules, nil) {
		if id := cloudserver.IDText(equal.ID); id != m.ID.ValueString() {
			others = append(others, id)
		}
	}
	if len(others) > 0 {
		diags.AddAttributeWarning(path.Root("disc_id"), "The disc has equal backup schedules",
			fmt.Sprintf("Disc %s has more schedules of the same times as backup schedule %s, and each backup is taken as often: %s. Keep one. "+
				"To delete another, import it, and destroy its resource.",
				m.DiscID.ValueString(), m.ID.ValueString(), tfkit.Quoted(others)))
	}
}
