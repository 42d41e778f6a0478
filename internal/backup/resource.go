package backup

import (
	"context"
	"errors"

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
	schedule, err := r.create(ctx, plan)
	if err != nil {
		addCreateError(plan, err, &resp.Diagnostics)
		return
	}
	plan.ID, plan.Capacity = planned(plan, schedule)
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
	f, err := r.find(ctx, state)
	switch {
	case err != nil:
		addUnproved(&resp.Diagnostics, "Cannot read "+state.title(), err)
	case f == nil:
		resp.State.RemoveResource(ctx)
	case f.known:
		state.fromAPI(f.disc, f.schedule)
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
	if err := r.remove(ctx, state); err != nil {
		summary := "Cannot delete " + state.title()
		if stays, ok := errors.AsType[*errStillThere](err); ok {
			resp.Diagnostics.AddError(summary, tfkit.Detail(stays, "Run the same command again."))
			return
		}
		addUnproved(&resp.Diagnostics, summary, err)
	}
}

// errStillThere is a schedule that the service did not find in order to delete it,
// and reports all the same.
type errStillThere struct{ cause error }

func (e *errStillThere) Error() string {
	return e.cause.Error() + ", but the disc still has the schedule"
}

func (r *scheduleResource) remove(ctx context.Context, state model) error {
	f, err := r.find(ctx, state)
	if f == nil || err != nil {
		return err
	}
	machine := tfkit.IDOf(state.VirtualMachineID)
	if f.disc.VirtualMachineID != 0 {
		machine = f.disc.VirtualMachineID
	}
	ref, err := refTo(ctx, r.data, machine)
	if err != nil {
		return err
	}
	err = r.data.Client.DeleteBackupSchedule(ctx, ref, tfkit.IDOf(state.DiscID), tfkit.IDOf(state.ID))
	if !cloudserver.IsNotFound(err) {
		return err
	}
	// The disc was found just now, so it is the schedule that is gone, unless the
	// service still reports it.
	f, findErr := r.find(ctx, state)
	switch {
	case findErr != nil:
		return errors.Join(err, findErr)
	case f != nil && f.known:
		return &errStillThere{err}
	}
	return nil
}
