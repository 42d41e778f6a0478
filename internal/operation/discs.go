package operation

import (
	"context"
	"fmt"
	"slices"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
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

// AddDisc adds a disc. A request whose answer was lost is not repeated blindly:
// labels are unique, so the machine shows whether it took effect.
func (o *Machine) AddDisc(ctx context.Context, spec cloudserver.DiscSpec) error {
	before, err := o.Look(ctx)
	if err != nil {
		return err
	}
	err = o.write(ctx, func(ref cloudserver.Ref) error {
		_, err := o.data.Client.AddDisc(ctx, ref, spec)
		return err
	}, nil)
	if !cloudserver.IsAmbiguous(err) {
		return err
	}
	after, lookErr := o.data.Client.VirtualMachine(ctx, o.address.ID)
	if lookErr != nil {
		return err
	}
	for _, d := range after.Discs {
		isNew := !slices.ContainsFunc(before.Discs, func(old cloudserver.Disc) bool { return old.ID == d.ID })
		if isNew && cloudserver.SameLabel(d.Label, spec.Label) {
			return nil
		}
	}
	return err
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
