package operation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
)

// UpdateDisc grows or renames a disc. Nothing is sent if somebody else has already given the disc that label or size.
// Otherwise the guard sees the disc right before each request; if it returns an error, nothing is sent.
func (o *Machine) UpdateDisc(
	ctx context.Context, id int64, update cloudserver.DiscUpdate, guard func(*cloudserver.Disc) error,
) error {
	return o.putDisc(ctx, id, update, func(now *cloudserver.Disc) (done bool, err error) {
		if update.Label != nil && cloudserver.SameLabel(now.Label, *update.Label) || update.Size != nil && now.Size == *update.Size {
			return true, nil
		}
		return false, guard(now)
	})
}

// putDisc changes a disc. The guard sees the disc right before each request.
func (o *Machine) putDisc(
	ctx context.Context, id int64, update cloudserver.DiscUpdate, guard func(*cloudserver.Disc) (done bool, err error),
) error {
	return o.write(ctx, func(vm *cloudserver.VirtualMachine) (bool, error) {
		now, err := o.findDisc(ctx, vm, id)
		if err != nil {
			return false, err
		}
		if on := now.VirtualMachineID; on != 0 && on != o.address.ID {
			return false, fmt.Errorf("disc %d is on virtual machine %d; nothing was sent. Plan again", id, on)
		}
		return guard(now)
	}, func(w cloudserver.Writer, ref cloudserver.Ref) error {
		_, err := w.UpdateDisc(ctx, ref, id, update)
		return err
	})
}

// MoveDisc moves a disc with its data to another machine. Both machines must be off.
func (o *Machine) MoveDisc(ctx context.Context, id int64, to *Machine) error {
	if _, err := to.lookToWrite(ctx); err != nil {
		return err
	}
	defer to.noteWrite()
	return o.writeUnlessDone(ctx, func() error {
		update := cloudserver.DiscUpdate{VirtualMachineID: &to.address.ID}
		return o.putDisc(ctx, id, update, func(*cloudserver.Disc) (bool, error) { return false, nil })
	}, func(ctx context.Context) (bool, error) {
		now, err := o.service.Client.Disc(ctx, id)
		return err == nil && now.VirtualMachineID == to.address.ID, err
	})
}

// PurgeDisc destroys a disc. A disc that is no longer on the machine is left alone: it may have been moved to another
// one. The guard sees the disc right before each request, as its machine shows it; if it returns an error, nothing is
// sent. A disc is read by its own ID only if its machine shows others: if that shows none, nothing is sent, and a denied
// disc is not known to be gone.
func (o *Machine) PurgeDisc(ctx context.Context, id int64, guard func(*cloudserver.Disc) error) error {
	err := o.service.Client.Change(ctx, func(ctx context.Context, _ time.Time) (done bool, err error) {
		vm, err := o.lookToWrite(ctx)
		if err != nil {
			return false, err
		}
		disc, err := o.findDisc(ctx, vm, id)
		if err != nil || disc.VirtualMachineID != 0 && disc.VirtualMachineID != o.address.ID {
			return err == nil, err
		}
		return false, guard(disc)
	}, func(ctx context.Context, w cloudserver.Writer) error {
		err := o.send(ctx, func(ref cloudserver.Ref) error { return w.PurgeDisc(ctx, ref, id) })
		if cloudserver.IsNotFound(err) {
			o.ref = cloudserver.Ref{} // the machine may have been moved
		}
		return err
	})
	if presence.IsGone(err) {
		return nil
	}
	return err
}

// AddDisc adds a disc. Labels are unique on a machine, so if a lost request takes effect late, the repetition is
// refused and there is no second disc. If the disc is found after a failure, it is returned with the failure, because the
// service has confirmed no request for it.
func (o *Machine) AddDisc(ctx context.Context, spec cloudserver.DiscSpec) (found *cloudserver.Disc, failure, err error) {
	before, err := o.Look(ctx)
	if err != nil {
		return nil, nil, err
	}
	err = o.writeUnlessDone(ctx, func() error {
		failure = o.write(ctx, nil, func(w cloudserver.Writer, ref cloudserver.Ref) error {
			_, err := w.AddDisc(ctx, ref, spec)
			return err
		})
		return failure
	}, func(ctx context.Context) (bool, error) {
		after, err := o.service.Fleet.Look(ctx, o.address)
		o.ref = cloudserver.Ref{} // the machine may have been moved
		if err == nil {
			found = newDisc(before, after, spec)
		}
		return found != nil, err
	})
	return found, failure, err
}

// newDisc returns the disc of this specification that the machine did not have before, or nil.
func newDisc(before, after *cloudserver.VirtualMachine, spec cloudserver.DiscSpec) *cloudserver.Disc {
	i := slices.IndexFunc(after.Discs, func(d cloudserver.Disc) bool {
		isOld := slices.ContainsFunc(before.Discs, func(old cloudserver.Disc) bool { return old.ID == d.ID })
		return !isOld && cloudserver.SameLabel(d.Label, spec.Label) && d.Size == spec.Size
	})
	if i < 0 {
		return nil
	}
	return &after.Discs[i]
}

// findDisc returns a disc as its machine shows it. If that shows others alone, the disc is read by its own ID: it may be on
// another machine.
func (o *Machine) findDisc(ctx context.Context, vm *cloudserver.VirtualMachine, id int64) (*cloudserver.Disc, error) {
	disc, err := discOn(vm, id)
	if err != nil || disc != nil {
		return disc, err
	}
	return presence.Find(ctx, o.service.Fleet, o.service.Memory, o.address.Account, func(ctx context.Context) (*cloudserver.Disc, error) {
		return o.service.Client.Disc(ctx, id)
	})
}

// discOn returns the disc of a machine, or nil if the machine is shown with others alone. A path accepts labels as well as
// IDs, so an ID that is the label of another disc is an error, and so is a machine that is shown without discs.
func discOn(vm *cloudserver.VirtualMachine, id int64) (*cloudserver.Disc, error) {
	if len(vm.Discs) == 0 {
		return nil, &origin.NoDiscsError{ID: vm.ID}
	}
	if err := location.CheckDiscPath(vm.Discs, id); err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(vm.Discs, func(d cloudserver.Disc) bool { return d.ID == id }); i >= 0 {
		return &vm.Discs[i], nil
	}
	return nil, nil
}

// TakeBackup starts a backup of a disc. The request is never repeated.
func (o *Machine) TakeBackup(ctx context.Context, disc int64) (taken *cloudserver.Backup, err error) {
	err = o.write(ctx, onMachine(disc), func(w cloudserver.Writer, ref cloudserver.Ref) (err error) {
		taken, err = w.TakeBackup(ctx, ref, disc)
		return err
	})
	return taken, err
}

// RestoreBackup starts to replace the contents of a disc by those of a backup. The request is never repeated.
func (o *Machine) RestoreBackup(ctx context.Context, disc, backup int64) error {
	return o.write(ctx, onMachine(disc), func(w cloudserver.Writer, ref cloudserver.Ref) error {
		return w.RestoreBackup(ctx, ref, disc, backup)
	})
}

// onMachine returns the look for a disc that must still be on its machine.
func onMachine(id int64) func(*cloudserver.VirtualMachine) (bool, error) {
	return func(vm *cloudserver.VirtualMachine) (bool, error) { return false, location.RequireDisc(vm, id) }
}
