package backup

import (
	"context"
	"fmt"
	"slices"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// kept is the private state of a schedule.
type kept struct {
	// Account is that of the machine: whether the schedule is gone is judged by it.
	Account string `json:"account"`
}

// found is what the service reports of a schedule.
type found struct {
	disc     *cloudserver.Disc           // nil: it is hidden with its machine
	schedule *cloudserver.BackupSchedule // nil: it is not shown
}

// find reads a schedule, whatever machine its disc is on now. It returns nil if
// the schedule is known to be gone.
func (r *scheduleResource) find(ctx context.Context, m model, k kept) (*found, error) {
	disc, err := r.data.Client.Disc(ctx, tfkit.IDOf(m.DiscID))
	switch {
	case cloudserver.IsNotFound(err):
		return r.findHidden(ctx, m, k)
	case err != nil:
		return nil, err
	case disc.BackupSchedules == nil:
		return &found{disc: disc}, nil
	}
	i := slices.IndexFunc(disc.BackupSchedules, func(s cloudserver.BackupSchedule) bool { return s.ID == tfkit.IDOf(m.ID) })
	if i < 0 {
		return nil, nil
	}
	return &found{disc, &disc.BackupSchedules[i]}, nil
}

// findHidden returns what has become of a disc that is not found. It comes back
// with a machine that is only soft-deleted. It is gone if the service shows its
// machine without it, or denies the machine twice and shows the account: otherwise
// the credentials may just not see it.
func (r *scheduleResource) findHidden(ctx context.Context, m model, k kept) (*found, error) {
	machine, disc := tfkit.IDOf(m.VirtualMachineID), tfkit.IDOf(m.DiscID)
	vm, err := r.data.Client.VirtualMachine(ctx, machine, cloudserver.IncludeDeleted)
	if cloudserver.IsNotFound(err) {
		vm, err = r.data.Client.VirtualMachine(ctx, machine, cloudserver.IncludeDeleted)
	}
	switch {
	case cloudserver.IsNotFound(err):
		return nil, r.data.ProveVisible(ctx, k.Account)
	case err == nil && vm.Deleted:
		return &found{}, nil
	case err == nil && slices.ContainsFunc(vm.Discs, func(d cloudserver.Disc) bool { return d.ID == disc }):
		return nil, fmt.Errorf("GET /discs/%d answered 404 Not Found, but virtual machine %d still has the disc", disc, machine)
	}
	return nil, err
}

// note is what is noted of a schedule that a resource of this run manages.
func (m model) note() string { return fmt.Sprintf("backup schedule %s", m.ID.ValueString()) }
