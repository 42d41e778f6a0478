package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// UnsafeError is returned if no path leads to the machine with certainty. The write was not sent.
type UnsafeError struct {
	Machine     Machine                     // with its current group
	Other       *cloudserver.VirtualMachine // the machine in the way; nil: no path leads to the machine
	undescribed bool                        // the path leads to a machine that cannot be described yet
}

// Error names the machine in the way, and what to do about it.
func (e *UnsafeError) Error() string {
	if e.Other == nil {
		return fmt.Sprintf("no path leads to virtual machine %d: it exists, but GET /accounts/%s/groups/%d/virtual_machines/%[1]d does not show it. "+
			"Check that its group belongs to that account, and that no group has the ID of another one as its name.",
			e.Machine.ID, e.Machine.Account, e.Machine.GroupID)
	}
	deleted := ""
	if e.Other.Deleted {
		deleted = ", which is soft-deleted,"
	}
	return fmt.Sprintf("virtual machine %d has no unambiguous address in its group: "+
		"the service accepts names and IDs alike, and the machine with the ID %d%s is named %q. "+
		"Rename or purge that machine, and run the same command again.", e.Machine.ID, e.Other.ID, deleted, e.Other.Name)
}

// Ref returns the address for a write to the machine. It is certain that no other object answers at that address. Ref
// also returns the machine as it was read there, or nil if it cannot be described yet.
//
// The service accepts names and IDs in a path, and it is not specified which of them wins. The group is addressed by
// its ID, which a rename does not change. An address is safe if a read at exactly that path returns the machine: it is
// requested each time, because somebody may have given another machine the ID as its name since. If the address does not
// lead to the machine, it may have been moved, and its current group is tried.
//
// The error is an [*UnsafeError] if no address is safe, and the client's not-found error if the machine does not exist.
func (f *Fleet) Ref(ctx context.Context, m Machine) (cloudserver.Ref, *cloudserver.VirtualMachine, error) {
	ref, found, err := f.at(ctx, m)
	unsafe, isUnsafe := errors.AsType[*UnsafeError](err)
	if !isUnsafe {
		return ref, found, err
	}
	now, err := f.Look(ctx, m, cloudserver.IncludeDeleted)
	switch {
	case unsafe.undescribed && errors.Is(err, cloudserver.ErrNotDescribed): // so the path leads to this machine
		return ref, nil, nil
	case err != nil:
		return cloudserver.Ref{}, nil, err
	case now.GroupID == m.GroupID:
		return cloudserver.Ref{}, nil, unsafe
	}
	m.GroupID = now.GroupID
	return f.at(ctx, m)
}

// at returns the address of the machine in its group, and the machine if it was read there. The error is an
// [*UnsafeError] if the path does not lead to it.
func (f *Fleet) at(ctx context.Context, m Machine) (cloudserver.Ref, *cloudserver.VirtualMachine, error) {
	ref := cloudserver.Ref{Account: m.Account, Group: cloudserver.IDText(m.GroupID), ID: m.ID}
	unsafe := &UnsafeError{Machine: m}
	if m.GroupID == 0 {
		return ref, nil, unsafe
	}
	asked := time.Now()
	found, err := f.api.VirtualMachineAt(ctx, ref, cloudserver.IncludeDeleted)
	switch {
	case err == nil && found.ID == m.ID:
		found, err = m.admit(ctx, found, asked)
		return ref, found, err
	case err == nil:
		unsafe.Other = found
	case errors.Is(err, cloudserver.ErrNotDescribed):
		unsafe.undescribed = true
	case !cloudserver.IsNotFound(err):
		return ref, nil, err
	}
	return ref, nil, unsafe
}
