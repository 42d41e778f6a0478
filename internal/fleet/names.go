package fleet

import (
	"context"
	"errors"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Name is the name of a machine in its group, or of a group in its account.
type Name struct {
	Account, Group string // Group: name, or "id:5" where only the id is known; "" for a group
	Name           string
}

// nameLook is what the last look at a name has shown.
type nameLook struct {
	byName bool      // it is one of the first
	at     time.Time // zero: no look yet
	cloudserver.Look
}

// Holder returns the machine of the group that holds the name and that no state
// of this run tracks, soft-deleted machines included. It returns nil if there is
// none. It also returns what the look at the name has found: a creation whose answer
// is lost takes a machine for new only if there was one. The error is a not-found
// error where the group does not exist.
//
// The first names are asked for one by one, the others by a listing of the group,
// which may be a minute old: it shows that a name is free, and who holds the
// others is asked then.
func (f *Fleet) Holder(ctx context.Context, account, element, name string) (*cloudserver.VirtualMachine, *cloudserver.Look, error) {
	key := Name{account, element, name}
	f.mu.Lock()
	last := f.names[key]
	if last == nil {
		last = &nameLook{byName: len(f.names) < firstByID}
		f.names[key] = last
	}
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
	go func() { exists <- f.Directory.Visible(ctx, account, element) }() // at the same time: a free name needs it
	found, err := f.api.VirtualMachineByName(ctx, account, element, name, cloudserver.IncludeDeleted, cloudserver.WithoutOverview)
	switch groupErr := <-exists; {
	case errors.Is(err, cloudserver.ErrNotDescribed): // somebody holds it, but nobody can say who
		return nil, nil, nil
	case cloudserver.IsNotFound(err) && groupErr != nil:
		return nil, nil, groupErr
	case cloudserver.IsNotFound(err):
		found = &cloudserver.VirtualMachine{} // nobody
	case err != nil:
		return nil, nil, err
	}
	now, isOurs := f.looked(last, found.ID, time.Now())
	if isOurs {
		found = nil
	}
	return found, now, nil
}

// looked notes who holds the name, and reports whether nobody does, or a machine of
// this run.
func (f *Fleet) looked(last *nameLook, holder int64, at time.Time) (look *cloudserver.Look, isOurs bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	last.at, last.Holder = at, holder
	return &cloudserver.Look{Holder: holder}, f.isOurs(holder)
}

// isOurs reports whether a state of this run tracks the holder of a name, as far as
// it was read yet, or nobody holds it. The caller holds the lock.
func (f *Fleet) isOurs(holder int64) bool { return holder == 0 || f.machines[holder] != nil }
