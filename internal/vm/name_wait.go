package vm

import (
	"context"
	"errors"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// awaitName makes a request that takes the planned name, and makes it again
// while the name is refused and this run is about to free it.
func (r *vmResource) awaitName(ctx context.Context, plan *model, request func() error) error {
	name, known := plan.plannedName()
	if !known {
		return request()
	}
	return tfkit.AwaitName(ctx, func() bool { return r.data.Fleet.Names.Leaving(name) }, isNameTaken, request)
}

// isNameTaken reports a refusal of a name that a machine holds which is not
// soft-deleted: that one does not give it up by itself.
func isNameTaken(err error) bool {
	if taken, ok := errors.AsType[*cloudserver.NameTaken](err); ok {
		return !taken.Deleted
	}
	return cloudserver.IsNameTaken(err)
}
