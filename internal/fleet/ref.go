package fleet

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Ref returns the address for a write to the machine, once it is certain that no
// other object answers to it.
//
// The service takes names and ids alike in a path, and which one wins is not
// specified. An address is safe when a listing of its group, under the very path
// that the write uses, shows the machine and no other one whose name is the
// machine's id. One listing per group and run tells that for all of its
// machines. The group is addressed by its id first, because a rename of the
// group changes nothing about that, and then by its name. Where neither leads to
// the machine, it may have been moved, and its present group is tried.
//
// Where a listing fails, a read at the path of the write has to return the
// machine itself. The error is an [*UnsafeError] where no address is safe, and
// the client's not-found error where the machine does not exist.
func (f *Fleet) Ref(ctx context.Context, m Machine) (cloudserver.Ref, error) {
	paths := m.paths()
	for _, ref := range paths {
		if leads, err := f.leadsTo(ctx, m, ref); leads || err != nil {
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
	moved := m.in(strconv.FormatInt(now.GroupID, 10))
	if now.GroupID != 0 && !slices.Contains(paths, moved) {
		if leads, err := f.leadsTo(ctx, Machine{Account: m.Account, GroupID: now.GroupID, ID: m.ID}, moved); leads || err != nil {
			return moved, err
		}
	}
	return cloudserver.Ref{}, &UnsafeError{Machine: m, GroupID: now.GroupID}
}

// paths returns the addresses that the machine may have, the best one first. A
// name of a group that consists of digits is none: it may be another one's id.
func (m Machine) paths() []cloudserver.Ref {
	var paths []cloudserver.Ref
	if m.GroupID != 0 {
		paths = append(paths, m.in(strconv.FormatInt(m.GroupID, 10)))
	}
	if m.Group != "" && !isDigits(m.Group) {
		paths = append(paths, m.in(m.Group))
	}
	return paths
}

// in returns the machine's address in a group.
func (m Machine) in(element string) cloudserver.Ref {
	return cloudserver.Ref{Account: m.Account, Group: element, ID: m.ID}
}

// isDigits reports whether a name could be an id.
func isDigits(name string) bool {
	_, err := strconv.ParseUint(name, 10, 64)
	return err == nil
}

// leadsTo reports whether a write to ref reaches the machine. The error is an
// [*UnsafeError] where it could reach another one.
func (f *Fleet) leadsTo(ctx context.Context, m Machine, ref cloudserver.Ref) (bool, error) {
	var since uint64
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
	other := l.named(m.ID)
	if other != nil && f.writes[other.ID] > l.started || f.names.takesDigits(m.ID, f.writes, l.started) {
		return false, false, nil
	}
	_, shown := l.machines[m.ID]
	shown = shown && l.started > f.moves[m.ID]
	here := shown || f.writes[m.ID] > l.started && l.shows(m.GroupID)
	switch {
	case here && other != nil:
		return false, true, &UnsafeError{Machine: m, GroupID: m.GroupID, Other: other}
	case here:
		return true, true, nil
	}
	return false, f.writes[m.ID] <= l.started, nil
}

// named returns another machine whose name is the id. The listing has arrived.
func (l *listing) named(id int64) *cloudserver.VirtualMachine {
	name := strconv.FormatInt(id, 10)
	for other, machine := range l.machines {
		if machine.Name == name && other != id {
			return &machine
		}
	}
	return nil
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
		return false, &UnsafeError{Machine: m, GroupID: found.GroupID, Other: found}
	}
	return true, nil
}

// refToUndescribed returns the address of a machine that exists, but that no
// listing shows yet. No other machine has its id as a name in the group that
// answers for it.
func (f *Fleet) refToUndescribed(ctx context.Context, paths []cloudserver.Ref, notDescribed error) (cloudserver.Ref, error) {
	for _, ref := range paths {
		l := f.listingOfNames(ctx, ref.Account, ref.Group, 0)
		if err := f.await(ctx, l); err != nil || l.named(ref.ID) != nil {
			continue
		}
		if _, err := f.api.VirtualMachineAt(ctx, ref, cloudserver.IncludeDeleted); errors.Is(err, cloudserver.ErrNotDescribed) {
			return ref, nil
		}
	}
	return cloudserver.Ref{}, notDescribed
}
