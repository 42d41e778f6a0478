// SPDX-License-Identifier: MPL-2.0

package backup

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Create creates the schedule, or takes over one of the disc that is as planned: a second one would take each backup
// twice. The block of another resource may describe it, as after a block was renamed without moved: then the delete of
// that block in this apply has to leave the schedule alone.
func (r *scheduleResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	diags := &resp.Diagnostics
	diags.Append(req.Plan.Get(ctx, &plan)...)
	if diags.HasError() || !r.Data.RequireReady("create "+plan.title(), diags) {
		return
	}
	owner, err := r.findOrCreate(ctx, &plan, diags)
	if err != nil {
		addError(diags, "Cannot create "+plan.title(), err)
		return
	}
	diags.Append(resp.State.Set(ctx, plan)...)
	tfkit.SavePrivate(ctx, resp.Private, owner, diags)
	plan.identity().Save(ctx, resp.Identity, diags)
}

// errTwoBlocks is returned if this process has made the schedule for another block.
var errTwoBlocks = errors.New("this apply has made an equal schedule of the disc for another resource block a moment ago")

// findOrCreate completes the model with the equal schedule of the disc, or with a new one. It returns the account of a
// new one.
func (r *scheduleResource) findOrCreate(
	ctx context.Context, plan *model, diags *diag.Diagnostics,
) (owner tfkit.Owner, err error) {
	endTurn, err := r.Data.Turns.Take(ctx, plan.turn())
	if err != nil {
		return owner, err
	}
	defer endTurn()
	disc, err := r.Data.Client.Disc(ctx, tfkit.IDOf(plan.DiscID))
	if err != nil {
		return owner, err
	}
	if err := checkPlace(disc, plan.VirtualMachineID); err != nil {
		return owner, err
	}
	if existing := plan.equalTo(disc); existing != nil {
		return owner, r.takeOver(plan, existing, diags)
	}
	at, err := locate(ctx, r.Data, tfkit.IDOf(plan.VirtualMachineID))
	if err != nil {
		return owner, err
	}
	created, err := r.create(ctx, at.Ref(), *plan, diags)
	if err != nil {
		return owner, err
	}
	plan.complete(created)
	r.Data.Inventory.Claim(plan.key(), "")
	return tfkit.Owner{Account: at.Account, AccountID: at.AccountID}, nil
}

// takeOver completes the model with an existing schedule.
func (r *scheduleResource) takeOver(plan *model, existing *cloudserver.BackupSchedule, diags *diag.Diagnostics) error {
	found := *plan
	found.complete(existing)
	if _, isClaimed := r.Data.Inventory.Claimed(found.key()); isClaimed {
		return errTwoBlocks
	}
	*plan = found
	r.Data.Inventory.Claim(plan.key(), "")
	r.Data.Inventory.Adopt(plan.key())
	diags.AddAttributeWarning(path.Root("disc_id"), "An equal backup schedule is managed from now on",
		fmt.Sprintf("Disc %s has a backup schedule of the same times already (ID %s). "+
			"This resource manages it instead of creating a second one, which would take each backup twice.",
			plan.DiscID.ValueString(), plan.ID.ValueString()))
	return nil
}

const (
	unavailableFor = 2 * time.Minute // how long a creation that is answered with 503 is sent again
	longestPause   = 9 * time.Second
)

// create sends the request, and sends it again only after a 503, if the disc has no schedule as planned after that.
// After another ambiguous answer, a schedule as planned is the new one, because the disc had none before.
func (r *scheduleResource) create(
	ctx context.Context, machine cloudserver.Ref, m model, diags *diag.Diagnostics,
) (*cloudserver.BackupSchedule, error) {
	began := time.Now()
	waiting := progress.Begin(ctx, m.title()+" to be created")
	defer waiting.End()
	for pause := time.Second; ; pause = min(2*pause, longestPause) {
		created, err := r.Data.Client.CreateBackupSchedule(ctx, machine, tfkit.IDOf(m.DiscID), m.toAPI())
		if !cloudserver.IsAmbiguous(err) {
			return created, err
		}
		waiting.See(err.Error())
		again := cloudserver.StatusCode(err) == http.StatusServiceUnavailable && time.Since(began) < unavailableFor &&
			cloudserver.Pause(ctx, pause) == nil
		found, lookErr := r.lookAgain(ctx, m)
		switch {
		case lookErr != nil || found == nil && !again:
			return nil, &cloudserver.AmbiguousError{What: m.title(), Err: err, LookErr: lookErr}
		case found != nil:
			diags.AddAttributeWarning(path.Root("disc_id"), "The creation of the backup schedule was not confirmed",
				fmt.Sprintf("%s The schedule exists (ID %d), and is in the state now.", tfkit.Sentence(err.Error()), found.ID))
			return found, nil
		}
	}
}

// lookAgain returns the schedule of the disc that is as planned, or nil. It looks also after an interrupt, so that the
// state has what exists.
func (r *scheduleResource) lookAgain(ctx context.Context, m model) (*cloudserver.BackupSchedule, error) {
	ctx, cancel := cloudserver.ForLastLook(ctx)
	defer cancel()
	disc, err := r.Data.Client.Disc(ctx, tfkit.IDOf(m.DiscID))
	if err != nil {
		return nil, err
	}
	return m.equalTo(disc), nil
}
