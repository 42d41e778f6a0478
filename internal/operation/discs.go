package operation

import (
	"context"
	"slices"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
)

// UpdateDisc grows or renames a disc. Nothing is sent if somebody else has already given the disc that label.
func (o *Machine) UpdateDisc(ctx context.Context, id int64, update cloudserver.DiscUpdate) error {
	now, err := o.disc(ctx, id)
	if err != nil || now != nil && update.Label != nil && cloudserver.SameLabel(now.Label, *update.Label) {
		return err
	}
	return o.putDisc(ctx, id, update)
}

func (o *Machine) putDisc(ctx context.Context, id int64, update cloudserver.DiscUpdate) error {
	return o.write(ctx, func(ref cloudserver.Ref) error {
		_, err := o.data.Client.UpdateDisc(ctx, ref, id, update)
		return err
	})
}

// MoveDisc moves a disc with its data to another machine. Both machines must be off.
func (o *Machine) MoveDisc(ctx context.Context, id int64, to *Machine) error {
	if _, err := o.disc(ctx, id); err != nil {
		return err
	}
	defer to.noteWrite()
	return o.writeUnlessDone(ctx, func() error {
		return o.putDisc(ctx, id, cloudserver.DiscUpdate{VirtualMachineID: &to.address.ID})
	}, func(ctx context.Context) (bool, error) {
		now, err := o.data.Client.Disc(ctx, id)
		return err == nil && now.VirtualMachineID == to.address.ID, err
	})
}

// PurgeDisc destroys a disc. A disc that is no longer on the machine is left alone: it may have been moved to another
// one. The guard sees the disc right before each request; if it returns an error, nothing is sent.
func (o *Machine) PurgeDisc(ctx context.Context, id int64, guard func(*cloudserver.Disc) error) error {
	if _, err := o.disc(ctx, id); err != nil {
		return err
	}
	err := presence.Destroy(ctx, o.data, func(ctx context.Context) (done bool, err error) {
		disc, err := presence.Find(ctx, o.data, o.address.Account, func(ctx context.Context) (*cloudserver.Disc, error) {
			return o.data.Client.Disc(ctx, id)
		})
		if err != nil || disc.VirtualMachineID != 0 && disc.VirtualMachineID != o.address.ID {
			return err == nil, err
		}
		return false, guard(disc)
	}, func(ctx context.Context) error {
		err := o.writeOnce(ctx, func(ref cloudserver.Ref) error { return o.data.Client.PurgeDisc(ctx, ref, id) })
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
// refused and there is no second disc.
func (o *Machine) AddDisc(ctx context.Context, spec cloudserver.DiscSpec) error {
	before, err := o.Look(ctx)
	if err != nil {
		return err
	}
	return o.writeUnlessDone(ctx, func() error {
		return o.write(ctx, func(ref cloudserver.Ref) error {
			_, err := o.data.Client.AddDisc(ctx, ref, spec)
			return err
		})
	}, func(ctx context.Context) (bool, error) {
		after, err := o.data.Fleet.Look(ctx, o.address)
		return err == nil && hasNewDisc(before, after, spec), err
	})
}

// hasNewDisc reports whether the machine has a disc of this specification that it did not have before.
func hasNewDisc(before, after *cloudserver.VirtualMachine, spec cloudserver.DiscSpec) bool {
	return slices.ContainsFunc(after.Discs, func(d cloudserver.Disc) bool {
		isOld := slices.ContainsFunc(before.Discs, func(old cloudserver.Disc) bool { return old.ID == d.ID })
		return !isOld && cloudserver.SameLabel(d.Label, spec.Label) && d.Size == spec.Size
	})
}

// disc returns the disc, or nil if it is not on the machine. A path accepts labels as well as IDs, so an ID that is the
// label of another disc is an error.
func (o *Machine) disc(ctx context.Context, id int64) (*cloudserver.Disc, error) {
	vm, err := o.Look(ctx)
	if err != nil {
		return nil, err
	}
	if err := location.CheckDiscPath(vm.Discs, id); err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(vm.Discs, func(d cloudserver.Disc) bool { return d.ID == id }); i >= 0 {
		return &vm.Discs[i], nil
	}
	return nil, nil
}
