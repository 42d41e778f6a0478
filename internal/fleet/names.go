package fleet

import (
	"context"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

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
		}, func(*listing) {})
	}
	if g.firstNames == nil || g.firstNames.abandoned {
		g.firstNames = g.names
	}
	g.names.callers++
	return g.names
}
