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
// specified. An address is safe when a listing of its group, under the very path
// that the write uses, shows the machine and no other one whose name is the
// machine's id. One listing per group and run shows that for all of its
// machines. The group is addressed by its id first, because a rename of the
// group changes nothing about that, and then by its name. Where neither leads to
// the machine, it may have been moved, and its present group is tried.
//
// Where a listing fails, or does not show the machine, a read at the path of the
// write has to return the machine itself. The error is an [*UnsafeError] where no
// address is safe, and the client's not-found error where the machine does not
// exist.
func (f *Fleet) Ref(ctx context.Context, m Machine) (cloudserver.Ref, error) {
	began, paths := uint64(f.Now()), m.paths()
	for _, ref := range paths {
		if leads, err := f.leadsTo(ctx, m, ref, 0); leads || err != nil {
			return ref, err
		}
	}
	now, err := f.api.VirtualMachine(ctx, m.ID, cloudserver.IncludeDeleted)
	if errors.Is(err, cloudserver.ErrNotDescribed) {
		return f.refToUndescribed(ctx, paths, err)
	}
	if err != nil {
		return cloudserver.Ref{}, err
	}
	present := Machine{Account: m.Account, Group: m.Group, GroupID: now.GroupID, ID: m.ID}
	for _, ref := range present.paths() {
		if slices.Contains(paths, ref) && !f.listedBefore(ref, began) {
			continue // nothing has changed since it was tried
		}
		if leads, err := f.leadsTo(ctx, present, ref, began); leads || err != nil {
			return ref, err
		}
	}
	for _, ref := range present.paths() { // a listing may lag behind a creation
		if leads, err := f.readsAt(ctx, m, ref); leads || err != nil {
			return ref, err
		}
	}
	return cloudserver.Ref{}, &UnsafeError{Machine: present}
}

// listedBefore reports whether the names at the address were listed before the
// moment, so that a machine may have come since.
func (f *Fleet) listedBefore(ref cloudserver.Ref, moment uint64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.group(ref.Account, ref.Group).names
	return l.usable() && l.started < moment && !(l.isDone() && l.err != nil)
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

// leadsTo reports whether a write to ref reaches the machine, according to a
// listing that was requested after the given moment. The error is an
// [*UnsafeError] where the write could reach another machine.
func (f *Fleet) leadsTo(ctx context.Context, m Machine, ref cloudserver.Ref, since uint64) (bool, error) {
	for {
		l := f.listingOfNames(ctx, ref.Account, ref.Group, since)
		err := f.await(ctx, l)
		switch {
		case cloudserver.IsNotFound(err):
			return false, nil
		case err != nil && ctx.Err() != nil:
			return false, err
		case err != nil:
			return f.readsAt(ctx, m, ref)
		}
		leads, current, err := f.judge(l, m)
		if current {
			return leads, err
		}
		since = l.started // what this process wrote since then decides
	}
}

// judge reports what a listing of the names tells about the address of the
// machine, and whether that is still current.
func (f *Fleet) judge(l *listing, m Machine) (leads, current bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	other, own := l.inTheWay(m.ID), f.writes[m.ID]
	if other != nil && f.writes[other.ID].at > l.started {
		return false, false, nil
	}
	listed := l.machine(m.ID)
	left := own.at > l.started && own.groupID != 0 && listed != nil && own.groupID != listed.GroupID
	cameLater := own.at > l.started && own.groupID == m.GroupID && l.shows(m.GroupID)
	here := listed != nil && !left && l.started > own.moved || cameLater
	switch {
	case here && other != nil:
		return false, true, &UnsafeError{Machine: m, Other: other}
	case here:
		return true, true, nil
	}
	return false, own.at <= l.started, nil
}

// shows reports whether the listing is one of the group with the id. The listing
// has arrived.
func (l *listing) shows(groupID int64) bool {
	for _, machine := range l.machines {
		return groupID != 0 && machine.GroupID == groupID
	}
	return false
}

// readsAt reports whether the path of a write to ref returns the machine.
func (f *Fleet) readsAt(ctx context.Context, m Machine, ref cloudserver.Ref) (bool, error) {
	found, err := f.api.VirtualMachineAt(ctx, ref, cloudserver.IncludeDeleted)
	switch {
	case cloudserver.IsNotFound(err):
		return false, nil
	case err != nil:
		return false, err
	case found.ID != m.ID:
		return false, &UnsafeError{Machine: m, Other: found}
	}
	return true, nil
}

// refToUndescribed returns the address of a machine that exists, but that no
// listing shows yet. No other machine has its id as a name in the group that
// answers for it.
func (f *Fleet) refToUndescribed(ctx context.Context, paths []cloudserver.Ref, notDescribed error) (cloudserver.Ref, error) {
	for _, ref := range paths {
		l := f.listingOfNames(ctx, ref.Account, ref.Group, 0)
		if err := f.await(ctx, l); err != nil || l.inTheWay(ref.ID) != nil {
			continue
		}
		if _, err := f.api.VirtualMachineAt(ctx, ref, cloudserver.IncludeDeleted); errors.Is(err, cloudserver.ErrNotDescribed) {
			return ref, nil
		}
	}
	return cloudserver.Ref{}, notDescribed
}
