package fleet

import (
	"context"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Track notes that this process has the machine in a state: a plan may free its
// name. Reading a machine tracks it too.
func (f *Fleet) Track(id int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tracked[id] = true
}

// Stranger finds the machine of the group that holds the name and that this
// process has in no state; nil when there is none. A group is listed for its
// names once in the life of a process, or not at all when a refresh has listed
// it: who created what since is no stranger. An error answers everybody, and nobody
// asks again. A group that cannot be seen has no strangers.
func (f *Fleet) Stranger(ctx context.Context, account, group, name string) (*cloudserver.VirtualMachine, error) {
	l := f.listingForNames(ctx, account, group)
	if err := f.await(ctx, l); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, machine := range l.machines {
		if machine.Name == name && !f.tracked[id] {
			return &machine, nil
		}
	}
	return nil, nil
}

// WasThere says whether the machine was in the group when Stranger first looked.
func (f *Fleet) WasThere(account, group string, id int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.group(account, group).names
	if l == nil || !l.isDone() {
		return false
	}
	_, there := l.machines[id]
	return there
}

// listingForNames is the first listing of the group that somebody asked for.
func (f *Fleet) listingForNames(ctx context.Context, account, group string) *listing {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := f.group(account, group)
	if g.names == nil {
		g.names = g.latest
	}
	if g.names == nil {
		g.names = f.list(ctx, g)
	}
	g.names.callers++
	return g.names
}
