// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"cmp"
	"context"
	"errors"
	"net/http"

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
	summary, err := "Cannot "+failure.Step.Verb+" "+u.state.title(), failure.Err
	over, isOver := errors.AsType[*rollout.Error](err)
	blamed, isBlamed := errors.AsType[*tfkit.AttributeError](err)
	_, isDeleted := errors.AsType[*inventory.DeletedError](err)
	switch {
	case isOver: // the error of that machine has the cause
		diags.AddError(summary, over.Words("updated")+" "+u.left())
	case isBlamed:
		diags.AddAttributeError(blamed.At, summary, blamed.Detail+" "+u.left())
	case inventory.IsGone(err):
		diags.AddError(summary, tfkit.Detail(err, "The machine is gone: the next plan creates it again, with empty discs."))
	case isDeleted:
		diags.AddError(summary, tfkit.Detail(err, u.left()+" The next plan says how to get it back."))
	default:
		blame := failure.Step.Blame
		if blame == nil {
			blame = u.plan.attributePath
		}
		tfkit.AddError(diags, summary, err, blame, u.left()+" "+u.next(failure))
	}
}

// left returns what a failed update has left.
func (u *update) left() string {
	seen := u.machine.Last()
	switch {
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
	switch status := cloudserver.StatusCode(failure.Err); {
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
	advice := "The update is done, and the next apply waits again. " +
		cmp.Or(u.plan.readyAdvice(err), "Run apply again to continue.")
	if u.resource.Data.Rollout != nil {
		advice += " " + aloneFirst
	}
	diags.AddAttributeError(path.Root("ready"), "Updated "+u.plan.title()+", but it is not ready", tfkit.Detail(err, advice))
}
