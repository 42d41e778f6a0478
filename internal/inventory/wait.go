// SPDX-License-Identifier: MPL-2.0

package inventory

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

const (
	// newFor is how long after its creation a machine may be unknown to the service.
	newFor = 30 * time.Second

	// refusedFor is how long a wait goes on that is answered with nothing but refusals: credentials may be renewed.
	refusedFor = 2 * time.Minute
)

// Wait polls the machine until done reports true, and returns it in that state. what describes what is waited for, such
// as "the machine to be on". If ctx ends, or after two minutes of nothing but refusals, the error is a
// *progress.Unfinished with what was last seen and answered; after a deadline, there was at least one look.
//
// A wait also ends if the machine is gone (IsGone), or soft-deleted, which is a *DeletedError. Any other failure is
// remembered, and the service is asked again. In the first seconds after a creation, a 404 means that the machine is not
// known yet.
func (v *Inventory) Wait(
	ctx context.Context, at Location, what string, done func(*cloudserver.VirtualMachine) bool,
) (*cloudserver.VirtualMachine, error) {
	w := v.beginWait(at)
	defer v.endWait(w)
	p := poll{Waiting: progress.Begin(ctx, what), ctx: ctx}
	defer p.End()
	for {
		vm, err := v.look(ctx, w)
		if isCutOff(ctx, err) {
			vm, err = v.finalLook(ctx, w)
		}
		switch {
		case vm != nil && vm.Deleted:
			return nil, &DeletedError{vm}
		case vm != nil && done(vm):
			return vm, nil
		case cloudserver.IsNotFound(err) && !w.isNew():
			if err = v.checkGoneInTime(ctx, at, err); IsGone(err) {
				return nil, err
			}
		}
		if vm != nil {
			w.last = vm
		}
		if err := p.end(describePower(w.last), err); err != nil {
			return nil, err
		}
	}
}

// checkGoneInTime is CheckGone for a 404 that may have arrived just before the end of the wait.
func (v *Inventory) checkGoneInTime(ctx context.Context, at Location, denial error) error {
	ctx, cancel := cloudserver.ForLastLook(ctx)
	defer cancel()
	return v.CheckGone(ctx, at.Account, at.AccountID, denial)
}

// isCutOff reports whether a look failed only because ctx ended, so that it says nothing about the service.
func isCutOff(ctx context.Context, err error) bool {
	return err != nil && ctx.Err() != nil && cloudserver.StatusCode(err) == 0
}

// WaitFor polls anything else than a machine until look is done. seen describes what look has found, and its errors are
// treated as in Wait. If look is done with an error, WaitFor returns it.
func (v *Inventory) WaitFor(
	ctx context.Context, what string, look func(context.Context) (done bool, seen string, err error),
) error {
	p := poll{Waiting: progress.Begin(ctx, what), ctx: ctx}
	defer p.End()
	for pause := cloudserver.FirstPause; ; pause = min(2*pause, cloudserver.LongestPause) {
		done, seen, err := look(ctx)
		if done {
			return err
		}
		if err := p.end(seen, err); err != nil {
			return err
		}
		if cloudserver.Pause(ctx, pause) != nil {
			return p.Unfinished(ctx.Err())
		}
	}
}

// describePower describes what was last seen of a machine.
func describePower(vm *cloudserver.VirtualMachine) string {
	switch {
	case vm == nil:
		return ""
	case vm.PowerOn == nil:
		return "power_on was not reported"
	}
	return fmt.Sprintf("power_on is %t", *vm.PowerOn)
}

// poll is a wait that asks again and again.
type poll struct {
	*progress.Waiting
	ctx          context.Context
	refusedSince time.Time // zero: the last answer was no refusal
}

// end notes what was seen, or why nothing was. It returns an error if the wait ends with that.
func (p *poll) end(seen string, err error) error {
	switch {
	case err == nil:
		p.See(seen)
	case isCutOff(p.ctx, err):
	case seen == "":
		p.See(err.Error())
	default:
		p.See(seen + "; then " + err.Error())
	}
	switch {
	case !IsRefusal(err):
		p.refusedSince = time.Time{}
	case p.refusedSince.IsZero():
		p.refusedSince = time.Now()
	case time.Since(p.refusedSince) >= refusedFor:
		return p.Unfinished(err)
	}
	if p.ctx.Err() != nil {
		return p.Unfinished(p.ctx.Err())
	}
	return nil
}

// IsRefusal reports whether the service answers these credentials with 401 or 403, or hides the account from them.
func IsRefusal(err error) bool {
	_, isHidden := errors.AsType[*HiddenError](err)
	_, isOther := errors.AsType[*OtherServiceError](err)
	return isHidden || isOther || cloudserver.IsUnauthorized(err) || cloudserver.IsForbidden(err)
}
