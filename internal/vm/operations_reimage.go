package vm

import (
	"context"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// What is done after a failure or an interrupt has a time of its own.
const (
	recoverTimeout = 2 * time.Minute
	imageTimeout   = time.Minute // of those two minutes, for an image that may not come
	lookTimeout    = 30 * time.Second
)

// reimage installs an image on the machine, which is off. The service starts
// the machine when it is done, with autoreboot_on false (API.md §3).
func (o *operations) reimage(ctx context.Context, image cloudserver.Reimage) error {
	err := o.write(ctx, func(ref cloudserver.Ref) error { return o.data.Client.ReimageVirtualMachine(ctx, ref, image) }, nil)
	switch {
	case cloudserver.IsAmbiguous(err):
		o.phase = maybeInstalling
		return err
	case err != nil:
		return err
	}
	o.phase, o.imaged, o.on, o.autoreboot = installing, true, false, false
	o.tell("installing " + image.Distribution)
	if err := o.wait(ctx, (*cloudserver.VirtualMachine).IsOn); err != nil {
		return err
	}
	o.phase = idle
	return nil
}

// restorePower restores the power that the machine had before the first
// operation, unless it already has the one that it is to have.
func (o *operations) restorePower(ctx context.Context) error {
	if !o.wrote || o.powered {
		return nil
	}
	if err := o.comeToRest(ctx); err != nil {
		return err
	}
	return o.setPower(ctx, o.wasOn, o.wasAutoreboot)
}

// comeToRest waits until the machine's power stays what it is: a reimage ends
// with the machine on, and a guest that was asked to shut down may still do so.
func (o *operations) comeToRest(ctx context.Context) error {
	switch {
	case o.phase == installing:
		return o.wait(ctx, (*cloudserver.VirtualMachine).IsOn)
	case o.phase == maybeInstalling:
		maybe, cancel := context.WithTimeout(ctx, imageTimeout)
		defer cancel()
		if err := o.wait(maybe, (*cloudserver.VirtualMachine).IsOn); err != nil && maybe.Err() == nil {
			return err
		}
		return ctx.Err()
	case o.phase == shuttingDown && o.wasAutoreboot:
		// The service itself brings back a guest that goes off now.
		if err := o.setAutoreboot(ctx, true); err != nil {
			return err
		}
	case o.phase == shuttingDown && o.on:
		return o.wait(ctx, (*cloudserver.VirtualMachine).IsOff)
	}
	vm, err := o.data.Client.VirtualMachine(ctx, o.address.ID)
	if err != nil {
		return err
	}
	o.see(vm)
	return nil
}
