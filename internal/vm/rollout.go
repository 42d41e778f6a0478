package vm

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
)

// takePlace waits until the machine may go down. An update that takes nothing down
// never waits, unless its machine is not ready.
func (u *update) takePlace(ctx context.Context) error {
	if !u.change.restarts() && !u.change.owesReady {
		return nil
	}
	return u.running.Wait(func() (err error) {
		u.place, err = u.resource.Data.Rollout.Take(ctx, u.state.title(), func(text string) { tflog.Info(ctx, u.state.title()+": "+text) })
		return err
	})
}

// endPlace gives the place back, but not that of a machine which may be down.
func (u *update) endPlace(err error) {
	if _, down := errors.AsType[*operation.NotReadyError](err); !down && !u.machine.Touched {
		err = nil
	}
	u.place.End(err)
}
