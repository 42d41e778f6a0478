package backup

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// found is a schedule with its disc. Known is false where the service did not
// report the schedules of the disc.
type found struct {
	disc     *cloudserver.Disc
	schedule *cloudserver.BackupSchedule
	known    bool
}

// find reads a schedule, whatever machine its disc is on now. It returns nil if
// the schedule is known to be gone.
func (r *scheduleResource) find(ctx context.Context, m model) (*found, error) {
	disc, err := r.data.Client.Disc(ctx, tfkit.IDOf(m.DiscID))
	if cloudserver.IsNotFound(err) {
		return nil, r.provedGone(ctx, m)
	}
	if err != nil {
		return nil, err
	}
	if disc.BackupSchedules == nil {
		return &found{disc: disc}, nil
	}
	i := slices.IndexFunc(disc.BackupSchedules, func(s cloudserver.BackupSchedule) bool { return s.ID == tfkit.IDOf(m.ID) })
	if i < 0 {
		return nil, nil
	}
	return &found{disc, &disc.BackupSchedules[i], true}, nil
}

// provedGone returns nil if a disc that is not found is known to be gone: the
// service shows its machine, or else the account. Otherwise the credentials may
// just not see it.
func (r *scheduleResource) provedGone(ctx context.Context, m model) error {
	_, err := r.data.Client.VirtualMachine(ctx, tfkit.IDOf(m.VirtualMachineID), cloudserver.IncludeDeleted, cloudserver.WithoutOverview)
	if !cloudserver.IsNotFound(err) {
		return err
	}
	return r.data.Directory.Visible(ctx, r.data.Account.ValueString())
}

// addUnproved reports a failure that does not prove that the schedule is gone.
func addUnproved(diags *diag.Diagnostics, summary string, err error) {
	advice := "The state is unchanged."
	if cloudserver.IsNotFound(err) {
		advice = "The service does not show the account to these credentials, so it is unknown whether the disc still exists. The state is unchanged. Check endpoint and the credentials. " +
			"If the account was closed, remove its resources from the state with `terraform state rm`."
	}
	tfkit.AddError(diags, summary, err, attributePath, advice)
}
