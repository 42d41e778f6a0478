package operation

import (
	"context"
	"errors"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
)

// lookToWrite returns the machine as read within the last few seconds, and after the last wait or failed attempt: what
// this process has written since does not matter.
func (o *Machine) lookToWrite(ctx context.Context) (*cloudserver.VirtualMachine, error) {
	if vm := o.address.Origin.Fresh(); vm != nil {
		return vm, nil
	}
	return o.LookByID(ctx)
}

// LookByID reads the machine by its ID, unless it was read within the last few seconds. [presence.IsGone] reports true
// for the error only if the machine is known to be gone.
func (o *Machine) LookByID(ctx context.Context) (*cloudserver.VirtualMachine, error) {
	if vm := o.address.Origin.Fresh(); o.Last != nil && vm != nil {
		return vm, nil
	}
	vm, err := presence.FindMachine(ctx, o.service.Fleet, o.service.Memory, o.address, func(ctx context.Context) (*cloudserver.VirtualMachine, error) {
		o.ref = cloudserver.Ref{} // by now it may lead to another machine
		vm, err := o.Find(ctx)
		if unsafe, ok := errors.AsType[*fleet.UnsafeError](err); ok && o.followTo(ctx, unsafe.Machine.GroupID) {
			vm, err = o.Find(ctx)
		}
		if err == nil && vm == nil {
			vm, err = o.service.Fleet.Look(ctx, o.address, cloudserver.IncludeDeleted)
		}
		return vm, err
	})
	if err == nil {
		ref := o.ref // the answer has proved it
		o.followTo(ctx, vm.GroupID)
		o.see(vm)
		o.ref = ref
		presence.NoteDomain(o.service.Fleet, o.service.Memory, o.address.Account, o.address.Origin)
	}
	return vm, err
}
