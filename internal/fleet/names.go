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

// nameKey is a name in a group, as a path addresses that.
type nameKey struct {
	groupKey
	name string
}

// nameLook is what a look at a name has shown.
type nameLook struct {
	holder int64 // 0: the name is free
	at     time.Time
}

// Holder returns the machine of the group that holds the name and that no state
// of this run tracks, soft-deleted machines included. It returns nil if there is
// none. The error is a not-found error where the group does not exist.
//
// The first names are asked for one by one, the others by a listing of the group,
// which may be a minute old: it shows that a name is free, and who holds the
// others is asked then.
func (f *Fleet) Holder(ctx context.Context, account, element, name string) (*cloudserver.VirtualMachine, error) {
	key := nameKey{groupKey{account, element}, name}
	if f.isKnownFree(key) {
		return nil, nil
	}
	l := f.listingForName(ctx, key)
	if l == nil {
		return f.askHolder(ctx, key)
	}
	err := f.awaitBriefly(ctx, l)
	switch {
	case err != nil && ctx.Err() != nil, cloudserver.IsUnauthorized(err):
		return nil, err
	case cloudserver.IsNotFound(err):
		if err := f.Directory.Exists(ctx, account, element); err != nil {
			return nil, err
		}
		return f.askHolder(ctx, key)
	case err != nil:
		return f.askHolder(ctx, key)
	}
	holder := l.names[name]
	if holder == 0 || f.IsTracked(holder) {
		f.noteLook(key, nameLook{holder, l.arrived})
		return nil, nil
	}
	return f.askHolder(ctx, key)
}

// isKnownFree reports whether a look within the last minute has shown that the
// name is free, or that a machine of this run holds it.
func (f *Fleet) isKnownFree(key nameKey) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	look, ok := f.looks[key]
	return ok && time.Since(look.at) < keepListing && (look.holder == 0 || f.tracked[look.holder])
}

// listingForName returns a listing that tells about the name, nil if it is to be
// asked for alone.
func (f *Fleet) listingForName(ctx context.Context, key nameKey) *listing {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.firstNames) < firstByID {
		f.firstNames[key] = true
	}
	if f.firstNames[key] {
		return nil
	}
	return f.listingOfNames(ctx, key.groupKey)
}

// listingOfNames returns a listing of the group's names, soft-deleted machines
// included, nil if there is none and another one is not worth its cost. The caller
// holds the lock, and awaits it.
func (f *Fleet) listingOfNames(ctx context.Context, key groupKey) *listing {
	g := f.group(key.account, key.element)
	if l := g.names; !l.usable() || l.isDone() && !l.isFresh() {
		if l.usable() {
			l.wanted++
		}
		if l.usable() && !l.mayBeRepeated(l.wanted) {
			return nil
		}
		g.names = f.start(ctx, func(ctx context.Context) ([]cloudserver.VirtualMachine, error) {
			return f.api.VirtualMachines(ctx, key.account, key.element, cloudserver.IncludeDeleted, cloudserver.WithoutOverview)
		}, (*listing).indexNames)
	}
	g.names.wanted++
	g.names.callers++
	return g.names
}

// indexNames prepares for questions about names. The caller holds the lock.
func (l *listing) indexNames() {
	l.names = make(map[string]int64, len(l.machines))
	for id, machine := range l.machines {
		l.names[machine.Name] = id
	}
}

// askHolder asks who holds the name. Where nobody does, the group is asked for as
// well, once: it may not exist.
func (f *Fleet) askHolder(ctx context.Context, key nameKey) (*cloudserver.VirtualMachine, error) {
	look := nameLook{at: time.Now()}
	found, err := f.api.VirtualMachineByName(ctx, key.account, key.element, key.name, cloudserver.IncludeDeleted, cloudserver.WithoutOverview)
	switch {
	case errors.Is(err, cloudserver.ErrNotDescribed): // somebody holds it, but nobody can say who
		return nil, nil
	case cloudserver.IsNotFound(err):
		if err := f.Directory.Exists(ctx, key.account, key.element); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	default:
		look.holder = found.ID
	}
	f.noteLook(key, look)
	if found != nil && !f.IsTracked(found.ID) {
		return found, nil
	}
	return nil, nil
}

func (f *Fleet) noteLook(key nameKey, look nameLook) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.looks[key] = look
}

// Looked returns what the last look of this process at the name found, nil if
// there was none. A creation whose answer is lost takes a machine for new only if
// there was one.
func (f *Fleet) Looked(account, element, name string) *cloudserver.Look {
	f.mu.Lock()
	defer f.mu.Unlock()
	if look, looked := f.looks[nameKey{groupKey{account, element}, name}]; looked {
		return &cloudserver.Look{Holder: look.holder}
	}
	return nil
}

// Track notes that a state of this run contains the machine. Reading a machine,
// and writing to it, track it too.
func (f *Fleet) Track(id int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tracked[id] = true
}

// IsTracked reports whether a state of this run contains the machine, as far as
// it was read yet.
func (f *Fleet) IsTracked(id int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tracked[id]
}
