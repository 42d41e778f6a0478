package vm

import (
	"context"
	"errors"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/ready"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/rollout"
)

// takeSlot waits until the machine may be down. An update that takes nothing down does not wait, unless an earlier one
// left its machine down or not ready.
func (u *update) takeSlot(ctx context.Context) (err error) {
	if u.change.takesSlot() {
		u.slot, err = u.resource.Data.Rollout.Take(ctx, u.state.title())
	}
	return err
}

// endSlot returns the slot. If the machine may be down, the slot stays taken, and the rollout ends, even if the update
// had no slot: another machine must not go down beside this one.
func (u *update) endSlot(err error) {
	if u.mayBeDown(err) {
		u.resource.Data.Rollout.Stop(u.state.title(), err)
	} else {
		u.slot.End()
	}
}

// mayBeDown reports whether the machine may be out of service after this outcome of the update, although it is to be
// on: this update, or an earlier one, has switched it off, or it does not answer.
func (u *update) mayBeDown(err error) bool {
	if _, isOver := errors.AsType[*rollout.Error](err); err == nil || isOver {
		return false
	}
	_, notReady := errors.AsType[*ready.Error](err)
	return notReady || u.cycles || u.change.owesReady || u.change.starts()
}

// aloneFirst completes the advice for a machine that may be down. Terraform chooses the order of an apply, so with
// max_unavailable a healthy machine could go down before this one is cured.
func (r *vmResource) aloneFirst() string {
	if r.Data.Rollout == nil {
		return ""
	}
	return " Apply this machine first, alone, with -target, because max_unavailable is set."
}
