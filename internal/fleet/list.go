package fleet

import (
	"cmp"
	"context"
	"slices"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// List is all machines of the group as they are now, soft-deleted ones excepted,
// sorted by id. All who ask while a listing is under way share it, and reads of
// single machines are answered from it afterwards. Who asks for a whole group
// wants to know what is there, so a listing that arrived earlier is not enough.
func (f *Fleet) List(ctx context.Context, account, group string) ([]cloudserver.VirtualMachine, error) {
	l := f.listingForAll(ctx, account, group)
	if err := f.await(ctx, l); err != nil {
		return nil, err
	}
	machines := make([]cloudserver.VirtualMachine, 0, len(l.machines))
	for _, machine := range l.machines {
		machines = append(machines, machine)
	}
	slices.SortFunc(machines, func(a, b cloudserver.VirtualMachine) int { return cmp.Compare(a.ID, b.ID) })
	return machines, nil
}

// listingForAll is the listing of the group that is under way, unless something
// was written since it was asked for, or a new one. The caller awaits it.
func (f *Fleet) listingForAll(ctx context.Context, account, group string) *listing {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := f.group(account, group)
	l := g.latest
	if !l.usable() || l.isDone() || l.started <= g.written {
		l = f.list(ctx, g)
	}
	l.callers++
	return l
}
