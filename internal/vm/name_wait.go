package vm

import (
	"context"
	"errors"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

const (
	// nameGrace is how long it may take until another resource of this run
	// begins to give a name up: Terraform works on them concurrently.
	nameGrace = 3 * time.Second
	// nameWait is how long a name is waited for that this run gives up.
	nameWait  = 2 * time.Minute
	namePause = time.Second
)

// awaitName makes a request that takes the planned name, and makes it again
// while the name is refused and this run is about to free it. A name that
// nothing in this run gives up is asked for once.
func (r *vmResource) awaitName(ctx context.Context, plan *model, request func() error) error {
	name, known := plan.plannedName()
	leaving := func() bool { return r.data.Fleet.Leaving(name) }
	for began := time.Now(); ; {
		err := request()
		if !isNameTaken(err) || !known || time.Since(began) >= nameWait {
			return err
		}
		grace := time.Now()
		for !leaving() && time.Since(grace) < nameGrace {
			if !pause(ctx, namePause/10) {
				return err
			}
		}
		if !leaving() || !pause(ctx, namePause) {
			return err
		}
	}
}

// pause waits, and reports whether the context is still alive.
func pause(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// isNameTaken reports a refusal of a name that a machine holds which is not
// soft-deleted: that one does not give it up by itself.
func isNameTaken(err error) bool {
	if taken, ok := errors.AsType[*cloudserver.NameTaken](err); ok {
		return !taken.Deleted
	}
	return cloudserver.IsNameTaken(err)
}
