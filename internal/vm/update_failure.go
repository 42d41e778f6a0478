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
	failure.Err = u.explainNotFound(ctx, failure.Err)
	if !u.machine.Wrote() {
		u.report(failure, diags)
		return
	}
	applied, p := u.afterFailure(ctx, failure, diags)
	applied.showPending(p.Owed)
	u.report(failure, diags)
	tfkit.SavePrivate(ctx, resp.Private, p, diags)
	applied.save(ctx, &resp.State, resp.Identity, diags)
}

// explainNotFound returns another error than a 404 if the machine was deleted since the plan. A 404 may also be for a disc
// or a group.
func (u *update) explainNotFound(ctx context.Context, err error) error {
	if !cloudserver.IsNotFound(err) || inventory.IsGone(err) {
		return err
	}
	vm, lookErr := u.resource.Data.Inventory.ReadByID(ctx, u.machine.Location())
	switch {
	case inventory.IsGone(lookErr):
		return &inventory.GoneError{Denial: err}
	case lookErr == nil && vm.Deleted:
		return &inventory.DeletedError{Machine: vm}
	}
	return err
}

// afterFailure returns what was really applied, even after an interrupt.
func (u *update) afterFailure(
	ctx context.Context, failure *steps.Failure, diags *diag.Diagnostics,
) (applied model, p private) {
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

	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookTimeout)
	defer cancel()
	vm, err := u.machine.LookAgain(ctx)
	if inventory.IsGone(err) {
		return applied, p // the error of the update says so
	}
	if err != nil {
		diags.AddAttributeWarning(path.Root("id"), "Cannot read the machine after the failure",
			tfkit.Detail(err, "The state of "+u.state.title()+" may be as it was before the update; "+
				"the next plan refreshes it."))
		return applied, p
	}
	owes := p.Owed
	if p = u.resource.refresh(ctx, &applied, p, vm, diags); u.machine.MayGoOff() {
		p.Owed = owes // until the next refresh, which shows whether it has gone off
	}
	return applied, p
}
