package operation

import (
	"context"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Reimage installs an image on the machine, which is off. The service starts
// the machine when it is done, with autoreboot_on false (API.md §3).
func (o *Machine) Reimage(ctx context.Context, image cloudserver.Reimage) error {
	err := o.write(ctx, func(ref cloudserver.Ref) error { return o.data.Client.ReimageVirtualMachine(ctx, ref, image) }, nil)
	o.touch(err)
	switch {
	case cloudserver.IsAmbiguous(err):
		o.phase = maybeInstalling
		return err
	case err != nil:
		return err
	}
	o.phase, o.Imaged, o.On, o.Autoreboot = installing, true, false, false
	o.Tell("installing " + image.Distribution)
	if err := o.Wait(ctx, (*cloudserver.VirtualMachine).IsOn); err != nil {
		return err
	}
	o.phase = idle
	return nil
}
