package fleet

import (
	"context"
	"errors"
	"slices"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Ref returns the address for a write to the machine, once it is certain that no
// other object answers to it.
//
// The service takes names and ids alike in a path, and which one wins is not
// specified. An address is safe where a read at the very path of the write returns
// the machine; or, for others than the first twenty machines, where a listing of
// the group at that path shows the machine, and no other one whose name is the
// machine's id. The group is addressed by its id first, because a rename of the
// group changes nothing about that, and then by its name. Where neither leads to
// the machine, it may have been moved, and its present group is tried.
//
// The error is an [*UnsafeError] where no address is safe, and the client's
// not-found error where the machine does not exist.
func (f *Fleet) Ref(ctx context.Context, m Machine) (cloudserver.Ref, error) {
	paths := m.paths()
	ref, unsafe, err := f.leading(ctx, m, paths)
	if ref.ID != 0 || err != nil {
		return ref, err
	}
	now, err := f.api.VirtualMachine(ctx, m.ID, cloudserver.IncludeDeleted)
	if err != nil {
		return cloudserver.Ref{}, err
	}
	present := Machine{Account: m.Account, Group: m.Group, GroupID: now.GroupID, ID: m.ID}
	others := slices.DeleteFunc(present.paths(), func(ref cloudserver.Ref) bool { return slices.Contains(paths, ref) })
	ref, unsafeNow, err := f.leading(ctx, present, others)
	switch {
	case ref.ID != 0, err != nil:
		return ref, err
	case unsafeNow != nil:
		return ref, unsafeNow
	case unsafe != nil:
		return ref, unsafe
	}
	return ref, &UnsafeError{Machine: present}
}

// paths returns the addresses that the machine may have, the best one first. A
// name of a group that consists of digits is none: it may be another one's id.
func (m Machine) paths() []cloudserver.Ref {
	var paths []cloudserver.Ref
	if m.GroupID != 0 {
		paths = append(paths, m.in(cloudserver.IDText(m.GroupID)))
	}
	if m.Group != "" && !cloudserver.IsDigits(m.Group) {
		paths = append(paths, m.in(m.Group))
	}
	return paths
}

// in returns the machine's address in a group.
func (m Machine) in(element string) cloudserver.Ref {
	return cloudserver.Ref{Account: m.Account, Group: element, ID: m.ID}
}

// leading returns the first of the addresses that leads to the machine, the zero
// one if none does; unsafe is then an address that leads to another machine, nil
// if none does.
func (f *Fleet) leading(ctx context.Context, m Machine, paths []cloudserver.Ref) (ref cloudserver.Ref, unsafe, err error) {
	for _, ref := range paths {
		leads, err := f.isListedAt(ctx, m, ref)
		if err == nil && !leads {
			leads, err = f.readsAt(ctx, m, ref)
		}
		if other, ok := errors.AsType[*UnsafeError](err); ok {
			unsafe = other
			continue
		}
		if leads || err != nil {
			return ref, nil, err
		}
	}
	return cloudserver.Ref{}, unsafe, nil
}

// isListedAt reports whether a listing proves that the address is safe. One from
// before a move of this process, or a write to the machine, proves nothing.
func (f *Fleet) isListedAt(ctx context.Context, m Machine, ref cloudserver.Ref) (bool, error) {
	f.mu.Lock()
	var l *listing
	if !f.goesByID(m) {
		l = f.listingOfNames(ctx, groupKey{ref.Account, ref.Group})
	}
	f.mu.Unlock()
	if l == nil {
		return false, nil
	}
	if err := f.awaitBriefly(ctx, l); err != nil {
		return false, ctx.Err()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	other, isTaken := l.names[cloudserver.IDText(m.ID)]
	return l.started > max(f.moved, f.writes[m.ID]) && l.machine(m.ID) != nil && (!isTaken || other == m.ID), nil
}

// readsAt reports whether the path of a write to ref returns the machine. Where
// the machine there cannot be described yet, it is this one if that cannot be
// described either.
func (f *Fleet) readsAt(ctx context.Context, m Machine, ref cloudserver.Ref) (bool, error) {
	found, err := f.api.VirtualMachineAt(ctx, ref, cloudserver.IncludeDeleted)
	switch {
	case errors.Is(err, cloudserver.ErrNotDescribed):
		_, err = f.api.VirtualMachine(ctx, m.ID, cloudserver.IncludeDeleted)
		return errors.Is(err, cloudserver.ErrNotDescribed), nil
	case cloudserver.IsNotFound(err):
		return false, nil
	case err != nil:
		return false, err
	case found.ID != m.ID:
		return false, &UnsafeError{Machine: m, Other: found}
	}
	return true, nil
}
