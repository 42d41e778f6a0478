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
	if !u.mayBeDown(err) {
		err = nil
	}
	u.slot.End(err)
}

// mayBeDown reports whether the machine may be out of service after this outcome of the update.
func (u *update) mayBeDown(err error) bool {
	_, notReady := errors.AsType[*ready.Error](err)
	return err != nil && (notReady || u.machine.Touched)
}

// aloneFirst completes the advice for a machine that may be down. Terraform chooses the order of an apply, so with
// max_unavailable a healthy machine could go down before this one is cured.
func (r *vmResource) aloneFirst() string {
	if r.Data.Rollout == nil {
		return ""
	}
	return " Apply this machine first, alone, with -target: with max_unavailable, a plain apply may take a healthy machine down before it cures this one."
}
