package operation

import (
	"context"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// What an operation waits for, as [progress.Begin] takes it.
const (
	PoweredOn = "the machine to be on"
	ShutDown  = "the guest to shut down"
	installed = "the image to be installed"
)

// Wait waits until done reports true. what describes what is waited for. Of what was read, only the answer that ended the
// wait counts as a look before the next request.
func (o *Machine) Wait(ctx context.Context, what string, done func(*cloudserver.VirtualMachine) bool) error {
	vm, ref, err := o.service.Fleet.WaitToWrite(ctx, o.address, what, done)
	if err != nil {
		o.Expire()
		return err
	}
	o.see(vm)
	o.ref = ref
	return nil
}

// WaitFor waits until look is done, which gets the machine as just read, wherever it is by then (see
// [fleet.Fleet.WaitFor]).
func (o *Machine) WaitFor(
	ctx context.Context, look func(context.Context, *cloudserver.VirtualMachine) (done bool, err error), failed func(error),
) error {
	return o.service.Fleet.WaitFor(ctx, o.address, func(ctx context.Context, vm *cloudserver.VirtualMachine) (bool, error) {
		if vm.GroupID != 0 && vm.GroupID != o.address.GroupID {
			o.follow(ctx, vm.GroupID)
		}
		return look(ctx, vm)
	}, failed)
}
