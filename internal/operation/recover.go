package operation

import (
	"context"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

const (
	recoverTimeout = 2 * time.Minute
	imageTimeout   = time.Minute // of those two minutes, for an image that may not come
)

// RestorePower restores the power that the machine had before the first
// operation, unless nothing changed it, or it already has the one that it is to
// have. An interrupt does not keep it from that.
func (o *Machine) RestorePower(ctx context.Context) error {
	o.Say = nil // nobody may be there to read it
	if !o.Touched || o.powered {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recoverTimeout)
	defer cancel()
	if err := o.comeToRest(ctx); err != nil {
		return err
	}
	return o.SetPower(ctx, o.WasOn, o.WasAutoreboot)
}

// RestoreAutoreboot restores no more than autoreboot_on.
func (o *Machine) RestoreAutoreboot(ctx context.Context) error {
	return o.setAutoreboot(ctx, o.WasAutoreboot)
}

// comeToRest waits until the machine's power stays what it is: a reimage ends
// with the machine on, and a guest that was asked to shut down may still do so.
func (o *Machine) comeToRest(ctx context.Context) error {
	switch {
	case o.phase == installing:
		return o.Wait(ctx, (*cloudserver.VirtualMachine).IsOn)
	case o.phase == maybeInstalling:
		maybe, cancel := context.WithTimeout(ctx, imageTimeout)
		defer cancel()
		if err := o.Wait(maybe, (*cloudserver.VirtualMachine).IsOn); err != nil && maybe.Err() == nil {
			return err
		}
		return ctx.Err()
	case o.phase == shuttingDown && o.WasAutoreboot:
		// The service itself brings back a guest that goes off now.
		if err := o.setAutoreboot(ctx, true); err != nil {
			return err
		}
	case o.phase == shuttingDown && o.On:
		return o.Wait(ctx, (*cloudserver.VirtualMachine).IsOff)
	}
	return o.LookAgain(ctx)
}

// CompletedImage reports whether an image that was no longer waited for is
// installed.
func (o *Machine) CompletedImage() bool { return o.Imaged && o.phase == installing && o.On }
