package operation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

const (
	addAttempts = 3 // of adding a disc, while the result is ambiguous
	addPause    = 2 * time.Second
)

// UpdateDisc grows or renames a disc.
func (o *Machine) UpdateDisc(ctx context.Context, id int64, update cloudserver.DiscUpdate) error {
	if _, err := o.disc(ctx, id); err != nil {
		return err
	}
	return o.write(ctx, func(ref cloudserver.Ref) error {
		_, err := o.data.Client.UpdateDisc(ctx, ref, id, update)
		return err
	}, nil)
}

// PurgeDisc destroys a disc. One that is no longer on the machine is not
// touched: it may have been moved to another one.
func (o *Machine) PurgeDisc(ctx context.Context, id int64) error {
	there, err := o.disc(ctx, id)
	if err != nil || !there {
		return err
	}
	err = o.write(ctx, func(ref cloudserver.Ref) error { return o.data.Client.PurgeDisc(ctx, ref, id) }, nil)
	if cloudserver.IsNotFound(err) {
		if there, lookErr := o.disc(ctx, id); lookErr == nil && !there {
			return nil
		}
	}
	return err
}

// AddDisc adds a disc. After an ambiguous result it looks at the machine, and
// asks again if the disc is not there. Labels are unique on a machine, so a lost
// request that takes effect late makes no second disc: the later one is refused.
func (o *Machine) AddDisc(ctx context.Context, spec cloudserver.DiscSpec) error {
	before, err := o.Look(ctx)
	if err != nil {
		return err
	}
	for attempt := 1; ; attempt++ {
		failure := o.write(ctx, func(ref cloudserver.Ref) error {
			_, err := o.data.Client.AddDisc(ctx, ref, spec)
			return err
		}, nil)
		if failure == nil || attempt == 1 && !cloudserver.IsAmbiguous(failure) {
			return failure
		}
		after, err := o.data.Client.VirtualMachine(ctx, o.address.ID)
		switch {
		case err != nil:
			return failure
		case hasNewDisc(before, after, spec.Label):
			return nil
		case !cloudserver.IsAmbiguous(failure) || attempt == addAttempts || cloudserver.Pause(ctx, addPause) != nil:
			return failure
		}
	}
}

// hasNewDisc reports whether the machine has a disc of that label since before.
func hasNewDisc(before, after *cloudserver.VirtualMachine, label string) bool {
	return slices.ContainsFunc(after.Discs, func(d cloudserver.Disc) bool {
		isOld := slices.ContainsFunc(before.Discs, func(old cloudserver.Disc) bool { return old.ID == d.ID })
		return !isOld && cloudserver.SameLabel(d.Label, label)
	})
}

// disc reports whether the disc is on the machine. A path takes labels and ids
// alike, so it refuses an id that another disc has as its label.
func (o *Machine) disc(ctx context.Context, id int64) (there bool, err error) {
	vm, err := o.Look(ctx)
	if err != nil {
		return false, err
	}
	for _, d := range vm.Discs {
		there = there || d.ID == id
		if d.ID != id && d.Label == cloudserver.IDText(id) {
			return false, fmt.Errorf("disc %d cannot be distinguished from disc %d, whose label is %q: the service takes labels and ids alike in a path; give that disc another label first", id, d.ID, d.Label)
		}
	}
	return there, nil
}
