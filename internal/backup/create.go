package backup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// lastLook bounds a look at the disc after an interrupt.
const lastLook = 5 * time.Second

// create creates the schedule, and never repeats the request: schedules have no
// name that would make the service refuse a second one. Where the result is
// ambiguous, a schedule of the disc that was not shown before, and is the only one
// as planned, is the one.
func (r *scheduleResource) create(ctx context.Context, m model) (created *cloudserver.BackupSchedule, account string, err error) {
	machine, disc := tfkit.IDOf(m.VirtualMachineID), tfkit.IDOf(m.DiscID)
	end, err := r.Data.Turns.Take(ctx, fmt.Sprint("disc ", disc))
	if err != nil {
		return nil, "", err
	}
	defer end()
	before, err := discOn(ctx, r.Data, machine, disc)
	if err != nil {
		return nil, "", err
	}
	for _, equal := range m.equal(before.BackupSchedules, nil) {
		if !r.Data.Noted.Has("read " + object(equal.ID)) {
			return nil, "", m.exists(equal.ID)
		}
	}
	ref, account, err := refTo(ctx, r.Data, machine)
	if err != nil {
		return nil, "", err
	}
	created, err = r.Data.Client.CreateBackupSchedule(ctx, ref, disc, m.spec())
	if err == nil || !isAmbiguous(err) {
		return created, account, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
	defer cancel()
	var added []cloudserver.BackupSchedule
	after, lookErr := r.Data.Client.Disc(ctx, disc)
	if lookErr == nil {
		added = m.equal(after.BackupSchedules, before.BackupSchedules)
	}
	if len(added) == 1 {
		return &added[0], account, nil
	}
	return nil, "", &cloudserver.AmbiguousError{What: m.title(), Err: err, LookErr: lookErr}
}

// equal returns the schedules that are as planned, without those that were there
// before.
func (m model) equal(schedules, before []cloudserver.BackupSchedule) (equal []cloudserver.BackupSchedule) {
	for _, s := range schedules {
		if m.asPlanned(s) && !slices.ContainsFunc(before, func(b cloudserver.BackupSchedule) bool { return b.ID == s.ID }) {
			equal = append(equal, s)
		}
	}
	return equal
}

// exists returns the error for a schedule of the disc that is as planned, and of no
// resource that this run has read.
func (m model) exists(id int64) error {
	disc := m.DiscID.ValueString()
	return &blamed{
		path.Empty(), fmt.Sprintf("disc %s already has an equal backup schedule, with the ID %d; a second one would take each backup twice", disc, id),
		fmt.Sprintf("To manage it, import it:\n\nimport {\n  to = cloudserver_backup_schedule.NAME # the address of this resource\n  id = \"%s/%s/%d\"\n}\n\n"+
			"If another resource manages it already, remove this one. If it is the schedule that this one replaces, remove create_before_destroy.",
			m.VirtualMachineID.ValueString(), disc, id),
	}
}

// isAmbiguous reports whether what was asked for may have been done in spite of
// the error, and whether that could not be found out.
func isAmbiguous(err error) bool {
	_, unknown := errors.AsType[*cloudserver.AmbiguousError](err)
	return unknown || cloudserver.IsAmbiguous(err)
}

// asPlanned reports whether a schedule is what was asked for.
func (m model) asPlanned(s cloudserver.BackupSchedule) bool {
	return cloudserver.SameTime(m.StartAt.ValueString(), s.StartAt) && m.IntervalSeconds.ValueInt64() == s.IntervalSeconds &&
		(!tfkit.Given(m.Capacity) || s.Capacity == nil || m.Capacity.ValueInt64() == *s.Capacity)
}

// addCreateError reports why the schedule was not created.
func addCreateError(m model, err error, diags *diag.Diagnostics) {
	summary := "Cannot create " + m.title()
	const look = "Before you run the command again, look whether the disc has the schedule now: `backup_schedules` of the disc in the data source cloudserver_vm. " +
		"If it has, import it as virtual_machine_id/disc_id/id."
	switch {
	case isAmbiguous(err):
		diags.AddError(summary, tfkit.Detail(err, look))
	case addTargetError(diags, summary, err):
	default:
		tfkit.AddError(diags, summary, err, attributePath, "Nothing was created. Remove the cause, and run the same command again.")
	}
}
