package fleet

import (
	"context"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// firstByID is how many machines, and how many names, a process asks for one by
// one before it lists a group.
const firstByID = 20

// Read returns the machine as the service has it now, or as a listing showed it
// that nothing has contradicted since (see the package's comment). The error is
// the client's not-found error for a machine that does not exist, and
// [cloudserver.ErrNotDescribed] for one that cannot be described yet.
func (f *Fleet) Read(ctx context.Context, m Machine) (*cloudserver.VirtualMachine, error) {
	if l := f.listingForRead(ctx, m); l != nil {
		all, err := l.awaitBriefly(ctx)
		if isFinal(ctx, err) {
			return nil, err
		}
		if machine, ok := all.byID[m.ID]; ok {
			return &machine, nil
		}
	}
	return f.api.VirtualMachine(ctx, m.ID)
}

// listingForRead returns a listing that may answer for the machine, nil when the
// machine is to be read by id.
func (f *Fleet) listingForRead(ctx context.Context, m Machine) *listing {
	f.mu.Lock()
	defer f.mu.Unlock()
	k := f.machine(m.ID)
	defer func() { k.read = f.tick() }()
	if f.goesByID(m) {
		return nil
	}
	return f.listing(ctx, f.group(groupKey{m.Account, m.group(), false}), k)
}
