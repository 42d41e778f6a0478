package fleet

import (
	"context"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Name is the name of a machine in its group, or of a group in its account.
type Name struct {
	Account, Group string // Group: name, or "id:5" where only the id is known; "" for a group
	Name           string
}

// listingOfNames returns the listing of the group's names, soft-deleted machines
// included, that was requested after the given moment. One per group and run
// will mostly do. The caller awaits it.
func (f *Fleet) listingOfNames(ctx context.Context, account, element string, since uint64) *listing {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := f.group(account, element)
	if g.names == nil || g.names.abandoned || g.names.started <= since {
		g.names = f.start(ctx, func(ctx context.Context) ([]cloudserver.VirtualMachine, error) {
			return f.api.VirtualMachines(ctx, account, element, cloudserver.IncludeDeleted, cloudserver.WithoutOverview)
		}, (*listing).indexNames)
	}
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

// named returns the machine that holds the name, nil if there is none. The
// listing has arrived.
func (l *listing) named(name string) *cloudserver.VirtualMachine {
	id, ok := l.names[name]
	if !ok {
		return nil
	}
	return l.machine(id)
}

// inTheWay returns another machine whose name is the id, nil if there is none.
// The listing has arrived.
func (l *listing) inTheWay(id int64) *cloudserver.VirtualMachine {
	if other := l.named(cloudserver.IDText(id)); other != nil && other.ID != id {
		return other
	}
	return nil
}
