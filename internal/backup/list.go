// SPDX-License-Identifier: MPL-2.0

package backup

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ list.ListResourceWithConfigure = (*scheduleList)(nil)

// scheduleList is the list resource. It shares the name and the Configure method of the resource.
type scheduleList struct {
	scheduleResource
}

// NewListResource returns the list resource cloudserver_backup_schedule, for `terraform query` of the schedules in a
// group or an account.
func NewListResource() list.ListResource {
	return &scheduleList{newResource()}
}

// ListResourceConfigSchema returns the arguments that select machines.
func (l *scheduleList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = tfkit.FilterSchema("Finds the backup schedules of the virtual machines that it selects.")
}

// listed is a schedule with its disc.
type listed struct {
	tfkit.FoundMachine
	disc     cloudserver.Disc
	schedule cloudserver.BackupSchedule
}

// List lists the schedules of the machines' discs.
func (l *scheduleList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var diags diag.Diagnostics
	var wanted tfkit.Filter
	diags.Append(req.Config.Get(ctx, &wanted)...)
	machines := wanted.FindListed(ctx, l.Data, "backup schedules", false, &diags)
	schedules, err := l.schedules(ctx, machines)
	if err != nil {
		tfkit.AddError(&diags, "Cannot list backup schedules", err, nil, "")
	}
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = tfkit.ListResults(
		req, "backup schedules", schedules, diags, func(found listed) list.ListResult { return found.result(ctx, req) },
	)
}

// schedules returns the schedules of the machines' discs. Discs that an overview shows without their schedules are read
// one by one.
func (l *scheduleList) schedules(ctx context.Context, machines []tfkit.FoundMachine) (found []listed, err error) {
	for _, machine := range machines {
		for _, disc := range machine.Discs {
			if disc.BackupSchedules == nil {
				read, err := l.Data.Client.Disc(ctx, disc.ID)
				if err != nil {
					return nil, err
				}
				disc = *read
			}
			for _, schedule := range disc.BackupSchedules {
				found = append(found, listed{machine, disc, schedule})
			}
		}
	}
	return found, nil
}

// result returns a schedule in the form in which an import would write it to the state.
func (f listed) result(ctx context.Context, req list.ListRequest) list.ListResult {
	m := model{VirtualMachineID: tfkit.IDOrNull(f.ID), DiscID: tfkit.IDOrNull(f.disc.ID), Capacity: types.Int64Null()}
	m.fromAPI(&f.disc, &f.schedule)
	title := fmt.Sprintf("%s/%s, every %d seconds", f.Title(), f.disc.Label, f.schedule.IntervalSeconds)
	return tfkit.ListResult(ctx, req, title, m.identity(), m)
}
