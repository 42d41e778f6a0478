package vm

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/rollout"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/steps"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// lookTimeout limits the read of the machine after a failure.
const lookTimeout = 30 * time.Second

// saveFailure ends an update of which a step has failed. If nothing was changed, the state stays as it is.
func (u *update) saveFailure(ctx context.Context, failure *steps.Failure, resp *resource.UpdateResponse) {
	diags, err := &resp.Diagnostics, failure.Err
	if cloudserver.IsNotFound(err) && !inventory.IsGone(err) && u.isGone(ctx) { // it may also be for a disc or a group
		failure.Err = &inventory.GoneError{Denial: err}
	}
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

// isGone reports whether the machine was deleted since the plan.
func (u *update) isGone(ctx context.Context) bool {
	_, err := u.resource.Data.Inventory.ReadByID(ctx, u.machine.Location())
	return inventory.IsGone(err)
}

// report explains which step failed, and how to continue.
func (u *update) report(failure *steps.Failure, diags *diag.Diagnostics) {
	failed, err := failure.Step, failure.Err
	done := "Nothing was changed."
	if u.machine.Wrote() {
		done = "What was done before is kept, and the state shows it."
		if u.isDown() {
			done += " The machine is off."
		}
	}
	summary := "Cannot " + failed.Verb + " " + u.state.title()
	if over, ok := errors.AsType[*rollout.Error](err); ok { // the error of that machine has the cause
		diags.AddError(summary, over.Words("updated")+" "+done)
		return
	}
	if inventory.IsGone(err) {
		tfkit.AddError(diags, summary, err, nil,
			"The machine is gone: the next plan creates it again, with empty discs.")
		return
	}
	if blamed, ok := errors.AsType[*attributeError](err); ok {
		diags.AddAttributeError(blamed.at, summary, blamed.detail+" "+done)
		return
	}
	next := "Run apply again to continue."
	switch {
	case cloudserver.StatusCode(err) == http.StatusBadRequest:
		next = "Correct the configuration, and run apply again to continue."
	case tfkit.MayPass(err):
		next = "" // that is the advice for any such error
	}
	advice := strings.TrimSpace(done + " " + next + " " + tfkit.Longer(failure.Late, "timeouts.update"))
	if failure.MayBeDown {
		advice += u.resource.aloneFirst()
	}
	blame := failed.Blame
	if blame == nil {
		blame = u.plan.attributePath
	}
	tfkit.AddError(diags, summary, err, blame, advice)
}

// isDown reports whether the machine was seen off after the failure, although it is to be on.
func (u *update) isDown() bool {
	seen := u.machine.Last()
	return seen != nil && seen.IsOff() && u.plan.staysOn(&u.state)
}

// addNotReady reports that the update is done, but the machine does not answer.
func (u *update) addNotReady(err error, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("ready"), "Updated "+u.plan.title()+", but it is not ready", tfkit.Detail(err,
		"The update is done, and the next apply waits again. "+
			cmp.Or(u.plan.readyAdvice(err), "Run apply again to continue.")+u.resource.aloneFirst()))
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
