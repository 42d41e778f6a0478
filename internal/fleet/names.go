package fleet

import (
	"context"
	"errors"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// nameKey is the name of a machine in its group.
type nameKey struct{ account, group, name string }

// nameLook is the last look at a name.
type nameLook struct {
	byName bool // it is one of the first
	at     time.Time
	holder NameHolder
}

// NameHolder is who has a name.
type NameHolder struct {
	// Known is false if the service cannot describe the machine with the name yet.
	Known bool
	// Machine is the machine with the name, possibly soft-deleted; nil: none has it.
	Machine *cloudserver.VirtualMachine
	// Tracked reports whether this process has read the machine from a state, or has created it.
	Tracked bool
}

// IsFree reports whether no machine has the name.
func (h NameHolder) IsFree() bool { return h.Known && h.Machine == nil }

// Holder finds out which machine of a group has the name, soft-deleted ones included. group is its ID or name; in a
// group that does not exist, each name is free. The first names are looked up one by one, the others in a listing of the
// group. An answer may be a minute old.
func (f *Fleet) Holder(ctx context.Context, account, group, name string) (NameHolder, error) {
	f.mu.Lock()
	look := f.nameLook(nameKey{account, group, name})
	if !look.at.IsZero() && time.Since(look.at) < keep {
		defer f.mu.Unlock()
		return f.withTracked(look.holder), nil
	}
	var l *listing
	if !look.byName {
		// Reads and writes of machines do not count: a look-up of a name may be a minute old.
		l = f.listingForRead(ctx, f.group(groupKey{account, group, true}), &knownMachine{})
	}
	f.mu.Unlock()

	all, err := l.awaitBriefly(ctx)
	if err != nil {
		return NameHolder{}, err
	}
	if all != nil {
		return f.looked(look, NameHolder{Known: true, Machine: all.named(name)}), nil
	}
	return f.holderByName(ctx, look, account, group, name)
}

// holderByName asks for the machine of that name.
func (f *Fleet) holderByName(
	ctx context.Context, look *nameLook, account, group, name string,
) (NameHolder, error) {
	found, err := f.api.VirtualMachineByName(
		ctx, account, group, name, cloudserver.IncludeDeleted, cloudserver.WithoutOverview,
	)
	switch {
	case errors.Is(err, cloudserver.ErrNotDescribed):
		return NameHolder{}, nil
	case cloudserver.IsNotFound(err):
		return f.looked(look, NameHolder{Known: true}), nil
	case err != nil:
		return NameHolder{}, err
	}
	return f.looked(look, NameHolder{Known: true, Machine: found}), nil
}

// nameLook returns what is known about a name. The caller holds the lock.
func (f *Fleet) nameLook(name nameKey) *nameLook {
	look := f.names[name]
	if look == nil {
		look = &nameLook{byName: f.byName < firstByID}
		if look.byName {
			f.byName++
		}
		f.names[name] = look
	}
	return look
}

// looked records who has the name.
func (f *Fleet) looked(look *nameLook, holder NameHolder) NameHolder {
	f.mu.Lock()
	defer f.mu.Unlock()
	look.at, look.holder = time.Now(), holder
	return f.withTracked(holder)
}

// withTracked completes an answer by what this process knows now. The caller holds the lock.
func (f *Fleet) withTracked(holder NameHolder) NameHolder {
	if holder.Machine != nil {
		k := f.machines[holder.Machine.ID]
		holder.Tracked = k != nil && k.tracked
	}
	return holder
}
