package backup

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// blamed is an error with the attribute that is to blame, if one is, and what to do.
type blamed struct {
	at           path.Path
	text, advice string
}

func (e *blamed) Error() string { return e.text }

// locate returns the address of a machine.
func locate(ctx context.Context, data *tfkit.ProviderData, machine int64) (fleet.Machine, error) {
	vm, err := data.Client.VirtualMachine(ctx, machine, cloudserver.IncludeDeleted, cloudserver.WithoutOverview)
	if err != nil {
		return fleet.Machine{}, err
	}
	return location.Locate(ctx, data, vm)
}

// refTo returns the address for calls about discs of a machine, once it is certain
// that no other machine answers to it, and the account that the machine is in.
func refTo(ctx context.Context, data *tfkit.ProviderData, machine int64) (ref cloudserver.Ref, account string, err error) {
	address, err := locate(ctx, data, machine)
	if err == nil {
		ref, _, err = data.Fleet.Ref(ctx, address)
	}
	return ref, address.Account, err
}

// discOn reads a disc, and checks that it is on the machine. 0: on any.
func discOn(ctx context.Context, data *tfkit.ProviderData, machine, disc int64) (*cloudserver.Disc, error) {
	found, err := data.Client.Disc(ctx, disc)
	if err == nil && machine != 0 && found.VirtualMachineID != 0 && found.VirtualMachineID != machine {
		text := fmt.Sprintf("disc %d is on virtual machine %d, not on %d", disc, found.VirtualMachineID, machine)
		return nil, &blamed{path.Root("virtual_machine_id"), text, "Check virtual_machine_id and disc_id."}
	}
	return found, err
}

// addTargetError reports an error about the machine or the disc that the
// configuration names, and whether it is one.
func addTargetError(diags *diag.Diagnostics, summary string, err error) bool {
	at, advice := path.Root("disc_id"), "These credentials see no such machine or disc. Check virtual_machine_id and disc_id."
	if known, ok := errors.AsType[*blamed](err); ok {
		at, advice = known.at, known.advice
	} else if !cloudserver.IsNotFound(err) {
		return false
	}
	diags.AddAttributeError(at, summary, tfkit.Detail(err, advice))
	return true
}

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
	disc, err := r.Data.Client.Disc(ctx, tfkit.IDOf(m.DiscID))
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
	vm, err := r.Data.Client.VirtualMachine(ctx, machine, cloudserver.IncludeDeleted)
	if cloudserver.IsNotFound(err) {
		vm, err = r.Data.Client.VirtualMachine(ctx, machine, cloudserver.IncludeDeleted)
	}
	switch {
	case cloudserver.IsNotFound(err):
		return nil, presence.ProveVisible(ctx, r.Data, k.Account)
	case err == nil && vm.Deleted:
		return &found{}, nil
	case err == nil && slices.ContainsFunc(vm.Discs, func(d cloudserver.Disc) bool { return d.ID == disc }):
		return nil, fmt.Errorf("GET /discs/%d answered 404 Not Found, but virtual machine %d still has the disc", disc, machine)
	}
	return nil, err
}
