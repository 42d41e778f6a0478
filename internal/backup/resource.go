package backup

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var (
	_ resource.ResourceWithConfigure   = (*scheduleResource)(nil)
	_ resource.ResourceWithIdentity    = (*scheduleResource)(nil)
	_ resource.ResourceWithImportState = (*scheduleResource)(nil)
)

type scheduleResource struct{ tfkit.Resource }

// NewResource returns the resource cloudserver_backup_schedule. The machine is no
// part of its identity: a disc with its schedules can be moved to another one.
func NewResource() resource.Resource {
	return &scheduleResource{tfkit.Resource{Name: "_backup_schedule", Identity: map[string]string{
		"disc_id": "ID of the disc.",
		"id":      "ID of the schedule.",
	}}}
}

// Create creates the schedule, once even if an answer is lost.
func (r *scheduleResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() || !r.Data.RequireReady("create "+plan.title(), &resp.Diagnostics) {
		return
	}
	schedule, account, err := r.create(ctx, plan)
	if err != nil {
		addCreateError(plan, err, &resp.Diagnostics)
		return
	}
	plan.ID = types.StringValue(cloudserver.IDText(schedule.ID))
	plan.Capacity = tfkit.PlannedOr(plan.Capacity, types.Int64PointerValue(schedule.Capacity))
	r.Data.NoteRead(object(schedule.ID), &resp.Diagnostics)
	tfkit.SavePrivate(ctx, resp.Private, kept{account}, &resp.Diagnostics)
	tfkit.Save(ctx, &resp.State, resp.Identity, plan, plan.identity(), &resp.Diagnostics)
}

// Read finds the schedule on its disc, whatever machine the disc is on now.
func (r *scheduleResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !r.BeginRead(ctx, state.identity(), object(tfkit.IDOf(state.ID)), resp) {
		return
	}
	k := tfkit.LoadPrivate[kept](ctx, req.Private, &resp.Diagnostics)
	f, err := r.find(ctx, state, k)
	switch {
	case err != nil:
		tfkit.AddUnproved(&resp.Diagnostics, "Cannot read "+state.title(), "the disc", err, attributePath)
	case f == nil:
		resp.State.RemoveResource(ctx)
	case f.schedule != nil:
		before := state.VirtualMachineID
		state.fromAPI(f.disc, f.schedule)
		if k.Account == "" || !before.Equal(state.VirtualMachineID) {
			if at, err := locate(ctx, r.Data, tfkit.IDOf(state.VirtualMachineID)); err == nil {
				tfkit.SavePrivate(ctx, resp.Private, kept{at.Account}, &resp.Diagnostics)
			}
		}
		tfkit.Save(ctx, &resp.State, resp.Identity, state, state.identity(), &resp.Diagnostics)
	}
}

// Update sends nothing: every change that the service would have to know replaces
// the schedule.
func (r *scheduleResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if !resp.Diagnostics.HasError() {
		tfkit.Save(ctx, &resp.State, resp.Identity, plan, plan.identity(), &resp.Diagnostics)
	}
}

// Delete deletes the schedule where its disc is now. The backups that it has taken
// stay.
func (r *scheduleResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !r.Data.RequireReady("delete "+state.title(), &resp.Diagnostics) {
		return
	}
	left, err := r.remove(ctx, state, tfkit.LoadPrivate[kept](ctx, req.Private, &resp.Diagnostics))
	switch summary := "Cannot delete " + state.title(); {
	case err != nil:
		tfkit.AddUnproved(&resp.Diagnostics, summary, "the disc", err, attributePath)
	case left:
		resp.Diagnostics.AddWarning(summary, fmt.Sprintf("Virtual machine %s is soft-deleted, and discs of such a machine cannot be changed. "+
			"The schedule is removed from the state. It comes back with the machine if somebody undeletes it.", state.VirtualMachineID.ValueString()))
	}
}

// remove deletes the schedule. Left is true if that is not possible because its
// machine is soft-deleted. What is refused or not found may just have been
// destroyed with its machine, so it is looked up again.
func (r *scheduleResource) remove(ctx context.Context, state model, k kept) (left bool, err error) {
	f, err := r.find(ctx, state, k)
	if f == nil || f.disc == nil {
		return f != nil, err
	}
	machine := tfkit.IDOf(state.VirtualMachineID)
	if f.disc.VirtualMachineID != 0 {
		machine = f.disc.VirtualMachineID
	}
	ref, _, err := refTo(ctx, r.Data, machine)
	if err == nil {
		err = r.Data.Client.DeleteBackupSchedule(ctx, ref, tfkit.IDOf(state.DiscID), tfkit.IDOf(state.ID))
	}
	if status := cloudserver.StatusCode(err); status != http.StatusNotFound && status != http.StatusBadRequest {
		return false, err
	}
	f, findErr := r.find(ctx, state, k)
	switch {
	case findErr != nil:
		return false, errors.Join(err, findErr)
	case f != nil && f.schedule != nil:
		return false, errors.New(err.Error() + ", but the disc still has the schedule; run the same command again")
	}
	return f != nil && f.disc == nil, nil
}
