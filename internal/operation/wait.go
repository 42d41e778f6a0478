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

// Wait waits until done reports true. what describes what is waited for.
func (o *Machine) Wait(ctx context.Context, what string, done func(*cloudserver.VirtualMachine) bool) error {
	vm, err := o.data.Fleet.Wait(ctx, o.address, what, done)
	if err != nil {
		return err
	}
	o.see(vm)
	return nil
}
