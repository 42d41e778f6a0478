package vm

import (
	"context"
	"errors"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/ready"
)

// takeSlot waits until the machine may go down. An update that takes nothing down does not wait, unless its machine is
// not ready.
func (u *update) takeSlot(ctx context.Context) error {
	if !u.change.restarts() && !u.change.owesReady {
		return nil
	}
	return u.running.Wait(func() (err error) {
		u.slot, err = u.resource.Data.Rollout.Take(ctx, u.state.title())
		return err
	})
}

// endSlot releases the slot. If the machine may be down, the slot stays taken.
func (u *update) endSlot(err error) {
	if _, down := errors.AsType[*ready.Error](err); !down && !u.machine.Touched {
		err = nil
	}
	u.slot.End(err)
}
