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

// nameLook is the last look at a name.
type nameLook struct {
	byName bool      // it is one of the first
	at     time.Time // zero: no look yet
	holder int64     // ID of the machine that held the name; 0: none did
}

// NameHolder is what is known about who holds a name. Its zero value knows nothing.
type NameHolder struct {
	// Known is false if the service does not describe the machine that holds the name.
	Known bool
	// ID is that of the machine that holds the name; 0: none does.
	ID int64
	// Stranger is this machine, unless a state of this run tracks it.
	Stranger *cloudserver.VirtualMachine
}

// Look returns what a creation needs to decide, if its answer is lost, whether a machine is new, or nil.
func (h NameHolder) Look() *cloudserver.Look {
	if !h.Known {
		return nil
	}
	return &cloudserver.Look{Holder: h.ID}
}

// Holder finds out which machine of the group holds the name, soft-deleted ones included. If the group does not exist,
// the error is a not-found error.
//
// The first names are looked up one by one, the others in a listing of the group, which may be a minute old. If the
// listing shows that a name is taken, the holder is looked up.
func (f *Fleet) Holder(ctx context.Context, account, element, name string) (NameHolder, error) {
	f.mu.Lock()
	last := f.nameLook(Name{account, element, name})
	remembered, isKnown := NameHolder{Known: true, ID: last.holder}, time.Since(last.at) < keep && f.isOurs(last.holder)
	var l *listing
	if !isKnown && !last.byName {
		l = f.listing(ctx, f.group(groupKey{account, element, true}), &knownMachine{})
	}
	f.mu.Unlock()
	if isKnown {
		return remembered, nil
	}
	if l != nil {
		all, err := f.awaitBriefly(ctx, l)
		switch {
		case err != nil:
			return NameHolder{}, err
		case all.holders != nil && all.holders[name] != inDoubt:
			if listed, isOurs := f.looked(last, all.holders[name], l.arrived); isOurs {
				return listed, nil
			}
		case l.isDone() && cloudserver.IsNotFound(l.err):
			if err := f.Directory.Visible(ctx, account, element); err != nil {
				return NameHolder{}, err
			}
		}
	}
	return f.holderByName(ctx, last, account, element, name)
}

// holderByName asks for the machine of that name.
func (f *Fleet) holderByName(ctx context.Context, last *nameLook, account, element, name string) (NameHolder, error) {
	exists := make(chan error, 1)
	go func() { exists <- f.Directory.Visible(ctx, account, element) }() // at the same time, because a free name needs it
	found, err := f.api.VirtualMachineByName(
		ctx, account, element, name, cloudserver.IncludeDeleted, cloudserver.WithoutOverview,
	)
	switch groupErr := <-exists; {
	case errors.Is(err, cloudserver.ErrNotDescribed): // the name is taken, but the holder is unknown
		return NameHolder{}, nil
	case cloudserver.IsNotFound(err) && groupErr != nil:
		return NameHolder{}, groupErr
	case cloudserver.IsNotFound(err):
		free, _ := f.looked(last, 0, time.Now())
		return free, nil
	case err != nil:
		return NameHolder{}, err
	}
	holder, isOurs := f.looked(last, found.ID, time.Now())
	if !isOurs {
		holder.Stranger = found
	}
	return holder, nil
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
func (f *Fleet) looked(last *nameLook, holder int64, at time.Time) (_ NameHolder, isOurs bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	last.at, last.holder = at, holder
	return NameHolder{Known: true, ID: holder}, f.isOurs(holder)
}

// isOurs reports whether a state of this run is known to track the holder of a name, or nobody holds it. The caller
// holds the lock.
func (f *Fleet) isOurs(holder int64) bool { return holder == 0 || f.machines[holder] != nil }
