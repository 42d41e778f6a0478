package backup

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var (
	_ resource.ResourceWithConfigure   = (*scheduleResource)(nil)
	_ resource.ResourceWithIdentity    = (*scheduleResource)(nil)
	_ resource.ResourceWithImportState = (*scheduleResource)(nil)
)

// typeName is the resource, without the provider's prefix.
const typeName = "_backup_schedule"

type scheduleResource struct {
	data *tfkit.ProviderData
}

// NewResource returns the resource cloudserver_backup_schedule.
func NewResource() resource.Resource {
	return &scheduleResource{}
}

func (r *scheduleResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + typeName
}

func (r *scheduleResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	tfkit.Configure(req.ProviderData, &r.data, &resp.Diagnostics)
}

// Create creates the schedule, once even if an answer is lost.
func (r *scheduleResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() || !r.data.RequireReady("create "+plan.title(), &resp.Diagnostics) {
		return
	}
	schedule, account, err := r.create(ctx, plan)
	if err != nil {
		addCreateError(plan, err, &resp.Diagnostics)
		return
	}
	plan.ID, plan.Capacity = planned(plan, schedule)
	r.data.Noted.Add(plan.note())
	tfkit.SavePrivate(ctx, resp.Private, kept{account}, &resp.Diagnostics)
	tfkit.Save(ctx, &resp.State, resp.Identity, plan, plan.identity(), &resp.Diagnostics)
}

// Read finds the schedule on its disc, whatever machine the disc is on now. The
// identity is written on every way out.
func (r *scheduleResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	state.identity().Save(ctx, resp.Identity, &resp.Diagnostics)
	if !r.data.Ready() {
		return
	}
	r.data.Noted.Add(state.note())
	if r.data.NoteRead("backup schedule "+state.ID.ValueString(), &resp.Diagnostics); resp.Diagnostics.HasError() {
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
			if at, err := locate(ctx, r.data, tfkit.IDOf(state.VirtualMachineID)); err == nil {
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
	if resp.Diagnostics.HasError() || !r.data.RequireReady("delete "+state.title(), &resp.Diagnostics) {
		return
	}
	left, err := r.remove(ctx, state, tfkit.LoadPrivate[kept](ctx, req.Private, &resp.Diagnostics))
	switch summary := "Cannot delete " + state.title(); {
	case isStillThere(err):
		resp.Diagnostics.AddError(summary, tfkit.Detail(err, "Run the same command again."))
	case err != nil:
		tfkit.AddUnproved(&resp.Diagnostics, summary, "the disc", err, attributePath)
	case left:
		resp.Diagnostics.AddWarning(summary, fmt.Sprintf("Virtual machine %s is soft-deleted, and discs of such a machine cannot be changed. "+
			"The schedule is removed from the state. It comes back with the machine if somebody undeletes it.", state.VirtualMachineID.ValueString()))
	}
}

// errStillThere is a schedule that the service refused to delete or did not find,
// and reports all the same.
type errStillThere struct{ cause error }

func (e *errStillThere) Error() string {
	return e.cause.Error() + ", but the disc still has the schedule"
}

func isStillThere(err error) bool {
	_, is := errors.AsType[*errStillThere](err)
	return is
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
	ref, _, err := refTo(ctx, r.data, machine)
	if err == nil {
		err = r.data.Client.DeleteBackupSchedule(ctx, ref, tfkit.IDOf(state.DiscID), tfkit.IDOf(state.ID))
	}
	if status := cloudserver.StatusCode(err); status != http.StatusNotFound && status != http.StatusBadRequest {
		return false, err
	}
	f, findErr := r.find(ctx, state, k)
	switch {
	case findErr != nil:
		return false, errors.Join(err, findErr)
	case f != nil && f.schedule != nil:
		return false, &errStillThere{err}
	}
	return f != nil && f.disc == nil, nil
}
