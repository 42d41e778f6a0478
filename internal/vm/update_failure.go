// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/steps"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// lookTimeout limits the read of the machine after a failure.
const lookTimeout = 30 * time.Second

// saveFailure ends an update of which a step has failed. If nothing was changed, the state stays as it is.
func (u *update) saveFailure(ctx context.Context, failure *steps.Failure, resp *resource.UpdateResponse) {
	diags := &resp.Diagnostics
	isDenied := cloudserver.IsNotFound(failure.Err) && !inventory.IsGone(failure.Err)
	if !u.machine.Wrote() && !isDenied {
		u.report(failure, diags)
		return
	}
	looking, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookTimeout)
	defer cancel()
	vm, err := u.machine.LookAgain(looking)
	if isDenied {
		failure.Err = explained(failure.Err, vm, err)
	}
	if !u.machine.Wrote() {
		u.report(failure, diags)
		return
	}
	applied, p := u.applied(failure, diags)
	switch owes := p.Owed; {
	case inventory.IsGone(err): // the error of the update says so
	case err != nil:
		diags.AddAttributeWarning(path.Root("id"), "Cannot read the machine after the failure",
			tfkit.Detail(err, "The state of "+u.state.title()+" may be as it was before the update; "+
				"the next plan refreshes it."))
	default:
		if p = u.resource.refresh(looking, &applied, p, vm, diags); u.machine.MayGoOff() {
			p.Owed = owes // until the next refresh, which shows whether it has gone off
		}
	}
	applied.showPending(p.Owed)
	u.report(failure, diags)
	tfkit.SavePrivate(ctx, resp.Private, p, diags)
	applied.save(ctx, &resp.State, resp.Identity, diags)
}

// explained returns the error of a step that was answered with 404, which may also be for a disc or a group, or that the
// machine was deleted since the plan. vm and lookErr are what a look at the machine found.
func explained(denial error, vm *cloudserver.VirtualMachine, lookErr error) error {
	switch {
	case inventory.IsGone(lookErr):
		return lookErr
	case lookErr == nil && vm.Deleted:
		return &inventory.DeletedError{Machine: vm}
	}
	return denial
}

// applied returns what was really applied, as far as the service does not show it, and what is owed.
func (u *update) applied(failure *steps.Failure, diags *diag.Diagnostics) (applied model, p private) {
	p = u.private
	for _, left := range failure.Unrestored {
		u.state.owePower(left.Machine, left.Err, &p, diags)
	}
	applied = u.plan // which has what the service does not know
	applied.common, applied.AccountID = u.state.common, u.state.AccountID
	applied.EffectiveHardwareProfile, applied.LastChange = u.state.EffectiveHardwareProfile, u.state.LastChange
	applied.Disc, applied.Reimage, applied.IPs = discList(u.discs), u.state.Reimage, u.state.IPs
	if u.machine.IsImaged() {
		applied.Reimage = u.plan.Reimage
		p.hasImage()
	}
	p.Owed.Ready = !applied.Ready.IsNull() && (p.Owed.Ready || u.machine.WasDown())
	return applied, p
}
