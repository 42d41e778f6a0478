package vm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// lookTimeout limits the read of the machine after a failure.
const lookTimeout = 30 * time.Second

// report explains which step failed, and how to continue.
func (u *update) report(failed *step, err error, diags *diag.Diagnostics) {
	summary := "Cannot " + failed.verb + " " + u.state.title()
	done, next := u.done(), "Run apply again to continue."
	if over, ok := errors.AsType[*run.RolloutError](err); ok { // its cause is already in the error of that machine
		diags.AddError(summary, over.Words("updated")+"\n"+done)
		return
	}
	if blamed, ok := errors.AsType[*attributeError](err); ok {
		diags.AddAttributeError(blamed.at, summary, blamed.detail)
		return
	}
	if _, other := errors.AsType[*operation.BootDiscError](err); other {
		diags.AddAttributeError(path.Root("reimage"), summary, tfkit.Sentence(err.Error())+" "+done+" Run plan again to see what it does now.")
		return
	}
	if origin.IsOther(err) {
		diags.AddAttributeError(path.Root("hostname"), summary, err.Error()+" "+done)
		return
	}
	if cloudserver.StatusCode(err) == http.StatusBadRequest && failed.verb != setPower {
		next = "Correct the configuration, and run apply again to continue."
	}
	advice := strings.TrimSpace(done + " " + next + " " + tfkit.Longer(err, "timeouts.update"))
	if u.mayBeDown(err) {
		advice += u.resource.aloneFirst()
	}
	tfkit.AddError(diags, summary, err, failed.blame, advice)
}

// done describes what the update has done before it failed.
func (u *update) done() string {
	if u.machine.Wrote {
		return "What was done before is kept, and the state shows it."
	}
	return tfkit.NothingChanged + " here."
}

// afterFailure restores the machine's power, and returns what was really applied. It does both even after an
// interrupt.
func (u *update) afterFailure(ctx context.Context, p private, diags *diag.Diagnostics) (model, private) {
	u.resource.restorePower(ctx, &u.state, u.machine, "update", &p, diags)
	ctx = context.WithoutCancel(ctx)
	applied := u.plan // provides what the service does not know
	applied.common, applied.EffectiveHardwareProfile = u.state.common, u.state.EffectiveHardwareProfile
	applied.Disc, applied.Reimage, applied.IPs = discList(u.discs), u.state.Reimage, u.state.IPs
	p.Discs = u.private.Discs
	p.Unready = p.Unready || u.cycled() && !applied.Ready.IsNull()
	if u.machine.Imaged {
		applied.Reimage = u.plan.Reimage
		p.hasImage()
	}
	look, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	vm, err := u.machine.LookNow(look)
	if err == nil && vm.Deleted {
		diags.AddAttributeWarning(path.Root("id"), SoftDeletedBefore,
			fmt.Sprintf("Somebody deleted %s outside of Terraform before this update. To keep it, undelete it %s, and apply again.",
				u.state.title(), u.resource.byAction("undelete", u.state.ID.ValueString())))
		return applied, p
	}
	if err != nil {
		diags.AddAttributeWarning(path.Root("id"), Unread,
			tfkit.Detail(err, "The state of "+u.state.title()+" is as it was before the update; the next plan refreshes it."))
		return applied, p
	}
	owed := p.Owed
	if p = u.resource.readMachine(look, &applied, p, vm, diags); u.machine.MayGoOff() {
		p.Owed = owed // until the next refresh, which shows whether it has
	}
	return applied, p
}

// afterSuccess returns the private state after an update that did everything as planned.
func (u *update) afterSuccess(p private, unready bool) private {
	now := private{Discs: u.observed(p.Discs)}
	if p.From == imageless && !u.machine.Imaged {
		now.From = imageless
	}
	now.Unready = unready
	return now
}

// observed returns what is known of the discs after an update that did everything as planned. Which discs nobody manages
// is known from the last refresh, because no plan has shown others.
func (u *update) observed(seen observedDiscs) observedDiscs {
	state, planned := u.state.discs(), u.plan.discs()
	shown := seen.onMachine(state)
	wrote := u.machine.Last != nil && u.machine.Last.Discs != nil
	if wrote {
		shown = u.machine.Last.Discs
	}
	now := observe(planned, shown)
	maps.DeleteFunc(now, func(id string, _ observedDisc) bool { return !hasDisc(planned, types.StringValue(id)) })
	for _, d := range append(seen.foreign(state), u.change.discs.released...) {
		if !hasDisc(planned, d.ID) {
			now[d.ID.ValueString()] = observedDisc{Label: d.Label.ValueString(), Grade: d.StorageGrade.ValueString(), Size: d.Size.ValueInt64()}
		}
	}
	if len(now) == 0 && seen == nil && !wrote {
		return nil // no refresh has seen them
	}
	return now.compact(planned)
}
