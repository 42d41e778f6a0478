package fleet

import (
	"context"
	"errors"
	"maps"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Name is the name of a machine in its group, or of a group in its account.
type Name struct {
	Account, Group string // Group: name, or "id:5" if only the ID is known; "" for a group
	Name           string
}

// nameLook is the result of the last look at a name.
type nameLook struct {
	byName bool      // it is one of the first
	at     time.Time // zero: no look yet
	cloudserver.Look
}

// Holder returns the machine of the group that holds the name, including soft-deleted ones, unless a state of this run
// tracks that machine. It returns nil if there is none. It also returns the look, which a creation needs to decide, if
// its answer is lost, whether a machine is new. If the group does not exist, the error is a not-found error.
//
// The first names are looked up one by one, the others in a listing of the group, which may be a minute old. If the
// listing shows that a name is taken, the holder is looked up.
func (f *Fleet) Holder(
	ctx context.Context, account, element, name string,
) (*cloudserver.VirtualMachine, *cloudserver.Look, error) {
	key := Name{account, element, name}
	f.mu.Lock()
	last := f.nameLook(key)
	look, isFree := last.Look, time.Since(last.at) < keep && f.isOurs(last.Holder)
	var l *listing
	if !isFree && !last.byName {
		l = f.listing(ctx, f.group(groupKey{account, element, true}), &known{})
	}
	f.mu.Unlock()
	if isFree {
		return nil, &look, nil
	}
	if l != nil {
		all, err := f.awaitBriefly(ctx, l)
		switch {
		case err != nil:
			return nil, nil, err
		case all.holders != nil && all.holders[name] != inDoubt:
			if look, isOurs := f.looked(last, all.holders[name], l.arrived); isOurs {
				return nil, look, nil
			}
		case l.isDone() && cloudserver.IsNotFound(l.err):
			if err := f.Directory.Visible(ctx, account, element); err != nil {
				return nil, nil, err
			}
		}
	}
	exists := make(chan error, 1)
	go func() { exists <- f.Directory.Visible(ctx, account, element) }() // at the same time, because a free name needs it
	found, err := f.api.VirtualMachineByName(
		ctx, account, element, name, cloudserver.IncludeDeleted, cloudserver.WithoutOverview,
	)
	switch groupErr := <-exists; {
	case errors.Is(err, cloudserver.ErrNotDescribed): // the name is taken, but the holder is unknown
		return nil, nil, nil
	case cloudserver.IsNotFound(err) && groupErr != nil:
		return nil, nil, groupErr
	case cloudserver.IsNotFound(err):
		found = &cloudserver.VirtualMachine{} // nobody holds it
	case err != nil:
		return nil, nil, err
	}
	now, isOurs := f.looked(last, found.ID, time.Now())
	if isOurs {
		found = nil
	}
	return found, now, nil
}

// nameLook returns what is known about a name. The caller holds the lock.
func (f *Fleet) nameLook(name Name) *nameLook {
	if look := f.names[name]; look != nil {
		return look
	}
	if len(f.names) > 2*f.kept+firstByID {
		f.dropOldNames()
	}
	look := &nameLook{byName: f.byName < firstByID}
	if look.byName {
		f.byName++
	}
	f.names[name] = look
	return look
}

// dropOldNames drops the looks that are no longer believed. The caller holds the lock.
func (f *Fleet) dropOldNames() {
	maps.DeleteFunc(f.names, func(_ Name, look *nameLook) bool {
		isOld := !look.at.IsZero() && time.Since(look.at) >= keep
		if isOld && look.byName {
			f.byName--
		}
		return isOld
	})
	f.kept = len(f.names)
}

// looked records who holds the name. It reports whether nobody does, or a machine of this run.
func (f *Fleet) looked(last *nameLook, holder int64, at time.Time) (look *cloudserver.Look, isOurs bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	last.at, last.Holder = at, holder
	return &cloudserver.Look{Holder: holder}, f.isOurs(holder)
}

// isOurs reports whether a state of this run is known to track the holder of a name, or nobody holds it. The caller
// holds the lock.
func (f *Fleet) isOurs(holder int64) bool { return holder == 0 || f.machines[holder] != nil }
