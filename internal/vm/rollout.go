package vm

import (
	"context"
	"errors"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/ready"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
)

// takeSlot waits until the machine may be down. An update that takes nothing down does not wait, unless an earlier one
// left its machine down or not ready.
func (u *update) takeSlot(ctx context.Context) error {
	if !u.change.takesSlot() {
		return nil
	}
	began := time.Now()
	defer func() {
		if time.Since(began) > atOnce {
			u.machine.Expire()
		}
	}()
	return u.running.Wait(func() (err error) {
		u.slot, err = u.resource.Data.Rollout.Take(ctx, u.state.title())
		return err
	})
}

// atOnce is how long taking a slot may last without counting as a wait, after which the machine is looked at again.
const atOnce = 100 * time.Millisecond

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
// on: this update, or an earlier one, or somebody else, has switched it off, or it does not answer.
func (u *update) mayBeDown(err error) bool {
	if _, over := errors.AsType[*run.RolloutError](err); err == nil || over {
		return false
	}
	_, notReady := errors.AsType[*ready.Error](err)
	return notReady || u.machine.Touched || u.change.owesReady || u.change.starts()
}

// aloneFirst completes the advice for a machine that may be down. Terraform chooses the order of an apply, so with
// max_unavailable a healthy machine could go down before this one is cured.
func (r *vmResource) aloneFirst() string {
	if r.Data.Rollout == nil {
		return ""
	}
	return " Apply this machine first, alone, with -target: with max_unavailable, a plain apply may take a healthy machine down before it comes to this one."
}
