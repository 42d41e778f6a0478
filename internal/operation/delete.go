package operation

import (
	"context"
	"errors"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Guard returns an error if a machine, as it is right before a request, must not be deleted.
type Guard func(*cloudserver.VirtualMachine) error

// Delete purges or soft-deletes the machine, in whichever group it is now. If shutDown is set, a machine that is on is
// shut down first. The guard sees the machine right before each request; if it returns an error, nothing is sent. A
// machine that the service cannot describe yet is deleted without the guard only if neither a state nor an answer has
// ever described it. It is not purged while it is shown without discs that a state or an answer had.
//
// For a machine that is known to be gone, [presence.IsGone] reports true for the error.
func (o *Machine) Delete(ctx context.Context, shutDown, purge bool, guard Guard) error {
	look := func(ctx context.Context, _ time.Time) (done bool, err error) {
		vm, err := o.LookByID(ctx)
		switch {
		case errors.Is(err, cloudserver.ErrNotDescribed) && !o.address.Origin.IsDescribed():
			return false, nil
		case err != nil:
			return false, err
		}
		if purge {
			err = o.address.Origin.CheckDiscs(vm)
		}
		if err == nil {
			err = guard(vm)
		}
		return err == nil && vm.Deleted && !purge, err
	}
	if shutDown {
		if done, err := look(ctx, time.Time{}); done || err != nil {
			return err
		}
		if err := o.shutDownToDelete(ctx); err != nil {
			return err
		}
	}
	return o.service.Client.Change(ctx, look, func(ctx context.Context, w cloudserver.Writer) error {
		return o.send(ctx, func(ref cloudserver.Ref) error { return w.DeleteVirtualMachine(ctx, ref, purge) })
	})
}

// shutDownToDelete shuts the guest down if the machine is on now, whatever the state says. If the guest ignores that,
// the machine is deleted nevertheless, unless that is to be an error.
func (o *Machine) shutDownToDelete(ctx context.Context) error {
	if o.Last != nil {
		o.WasOn, o.WasAutoreboot = o.On, o.Autoreboot
	}
	if !o.On {
		return nil
	}
	reboots := o.Autoreboot
	err := o.shutDown(ctx)
	ignored := errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil
	if ignored && o.stillOn {
		return o.giveUp(ctx, err, reboots)
	}
	if ignored || cloudserver.IsNotFound(err) {
		return nil
	}
	return err
}
