// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/rollout"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/steps"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// report says which step of an update has failed: the cause, what the update has left, and one thing to do.
func (u *update) report(failure *steps.Failure, diags *diag.Diagnostics) {
	summary, left := "Cannot "+cmp.Or(failure.Step.Verb, "update")+" "+u.state.title(), u.left(failure.Err)
	if over, ok := errors.AsType[*rollout.Error](failure.Err); ok { // the error of that machine has the cause
		diags.AddError(summary, over.Words("updated")+" "+left)
		return
	}
	blame := failure.Step.Blame
	if blame == nil {
		blame = u.plan.attributePath
	}
	tfkit.AddError(diags, summary, failure.Err, blame, left+" "+u.next(failure))
}

// left returns what an update that failed with an error has left.
func (u *update) left(err error) string {
	seen := u.machine.Last()
	switch {
	case inventory.IsGone(err):
		return "The machine is gone: the next plan creates it again, with empty discs."
	case !u.machine.Wrote():
		return "Nothing was changed."
	case seen != nil && seen.IsOff() && u.plan.staysOn(&u.state):
		return "The machine is off. The state shows what was changed."
	case seen != nil && seen.IsOn() && u.machine.Before().On && u.machine.WasDown():
		return "The machine is on again. The state shows what was changed."
	}
	return "The state shows what was changed."
}

// next returns what to do after a failure, or "" if its cause has an advice of its own.
func (u *update) next(failure *steps.Failure) string {
	_, isExplained := errors.AsType[*tfkit.AttributeError](failure.Err)
	switch status := cloudserver.StatusCode(failure.Err); {
	case isExplained, inventory.IsGone(failure.Err):
		return ""
	case inventory.IsDeletedOrGone(failure.Err):
		return "The next plan says how to get it back."
	case failure.MayBeDown && u.resource.Data.Rollout != nil:
		return aloneFirst
	case errors.Is(failure.Late, context.DeadlineExceeded):
		return "Run apply again to continue. To give it more time, raise timeouts.update."
	case status == http.StatusBadRequest && u.change.owesPower: // as while an image is being installed
		return "The machine may be busy: run apply again in a minute."
	case status == http.StatusBadRequest:
		return "Correct the configuration, and run apply again to continue."
	case status == http.StatusNotFound:
		return "The next plan shows what is missing."
	case tfkit.Advice(failure.Err) != "":
		return ""
	}
	return "Run apply again to continue."
}

// aloneFirst is the advice for a machine that may be down, with max_unavailable. Terraform chooses the order of an apply,
// so a healthy machine could go down before this one is cured.
const aloneFirst = "Apply this machine first, alone, with -target, with these values or the old ones: " +
	"an apply of everything may take down another one beside it, although max_unavailable is set."

// addNotReady reports that the update is done, but the machine does not answer.
func (u *update) addNotReady(err error, diags *diag.Diagnostics) {
	cause, next := u.plan.readyAdvice(err), ""
	switch {
	case u.resource.Data.Rollout != nil:
		next = aloneFirst
	case cause == "":
		next = "Run apply again to continue."
	}
	diags.AddAttributeError(path.Root("ready"), "Updated "+u.plan.title()+", but it is not ready", tfkit.Detail(err,
		"The update is done, and the next apply waits again. "+strings.TrimSpace(cause+" "+next)))
}
