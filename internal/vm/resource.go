package vm

import (
	"context"
	"errors"
	"reflect"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const (
	defaultCreateTimeout = 20 * time.Minute
	defaultUpdateTimeout = 20 * time.Minute
	defaultDeleteTimeout = 10 * time.Minute
)

var (
	_ resource.ResourceWithConfigure   = (*vmResource)(nil)
	_ resource.ResourceWithIdentity    = (*vmResource)(nil)
	_ resource.ResourceWithImportState = (*vmResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*vmResource)(nil)
	_ tfkit.PlansOnlyChanges           = (*vmResource)(nil)
)

type vmResource struct {
	data *tfkit.ProviderData
}

// NewResource gives the resource cloudserver_vm.
func NewResource() resource.Resource {
	return &vmResource{}
}

func (r *vmResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_vm"
}

func (r *vmResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	tfkit.Configure(req.ProviderData, &r.data, &resp.Diagnostics)
}

// Create sends one vm_create and waits for what it asked for.
func (r *vmResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan, config model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	timeout, d := plan.Timeouts.Create(ctx, defaultCreateTimeout)
	resp.Diagnostics.Append(d...)
	request := plan.createRequest(ctx, config, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.data.RequireReady("create "+plan.place(), &resp.Diagnostics) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	created, err := r.data.Client.CreateVirtualMachine(ctx, plan.Account.ValueString(), plan.Group.ValueString(), request)
	if err == nil && created.Adopted {
		err = r.accept(plan, created, &resp.Diagnostics)
	}
	if err != nil {
		r.addCreateError(ctx, plan, err, &resp.Diagnostics)
		return
	}
	// The id is saved before anything is waited for: whatever happens from here
	// on, the machine is tracked.
	plan.ID = types.StringValue(idText(created.ID))
	tracked := plan
	tracked.read(ctx, created, &resp.Diagnostics)
	save(ctx, &resp.State, resp.Identity, tracked, &resp.Diagnostics)
	r.data.Fleet.Wrote(tracked.machine())

	running, err := r.data.Fleet.WaitCreated(ctx, tracked.machine(), createdAsAsked(request))
	if err != nil {
		tracked.addUnfinished(&resp.Diagnostics, err)
		if wait, ok := errors.AsType[*fleet.WaitError](err); ok && wait.Last != nil {
			tracked.read(ctx, wait.Last, &resp.Diagnostics)
			save(ctx, &resp.State, resp.Identity, tracked, &resp.Diagnostics)
		}
		return
	}
	plan.fill(ctx, running, &resp.Diagnostics)
	save(ctx, &resp.State, resp.Identity, plan, &resp.Diagnostics)
}

// createdAsAsked says when a new machine is ready: on, when that was asked for,
// or else as soon as it can be described (service.md §3).
func createdAsAsked(request cloudserver.VirtualMachineCreate) func(*cloudserver.VirtualMachine) bool {
	if on := request.VirtualMachine.PowerOn; on == nil || !*on {
		return func(*cloudserver.VirtualMachine) bool { return true }
	}
	return isOn
}

// Read asks by numeric id, so that a rename or a move elsewhere is drift and
// not a loss.
func (r *vmResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !r.data.Ready() {
		return
	}
	vm, err := r.data.Fleet.Read(ctx, state.machine())
	if cloudserver.IsNotFound(err) {
		// Once more, so that one wrong answer forgets no machine, and because a
		// soft-deleted one is hidden, but its name stays taken.
		vm, err = r.data.Client.VirtualMachine(ctx, state.numericID(), cloudserver.IncludeDeleted)
	}
	setIdentity(ctx, resp.Identity, state, &resp.Diagnostics)
	switch {
	case cloudserver.IsNotFound(err):
		resp.State.RemoveResource(ctx)
		return
	case errors.Is(err, cloudserver.ErrNotDescribed):
		return
	case err != nil:
		state.addError(&resp.Diagnostics, "read", err, "The state is left as it was. Run the same command again.")
		return
	case vm.Deleted:
		state.warnSoftDeleted(&resp.Diagnostics)
		resp.State.RemoveResource(ctx)
		return
	}
	before := state
	state.read(ctx, vm, &resp.Diagnostics)
	if state.Account.IsNull() {
		state.Account = r.data.Account
	}
	if reflect.DeepEqual(before, state) {
		return // most refreshes find nothing new, and to write a state is the dear part of one
	}
	save(ctx, &resp.State, resp.Identity, state, &resp.Diagnostics)
}

// Delete purges the machine, or soft-deletes it, and waits until it is gone.
func (r *vmResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	timeout, d := state.Timeouts.Delete(ctx, defaultDeleteTimeout)
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() || !r.data.RequireReady("delete "+state.place(), &resp.Diagnostics) {
		return
	}
	if state.DeletionProtection.ValueBool() {
		state.refuseDeletion(&resp.Diagnostics)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := r.remove(ctx, state)
	const advice = "The machine stays in the state: run the same command again."
	if wait, ok := errors.AsType[*fleet.WaitError](err); ok {
		resp.Diagnostics.AddError("Cannot delete "+state.title(), waitDetail(wait, "the machine to be gone")+"\n\n"+advice)
		return
	}
	if err != nil {
		state.addError(&resp.Diagnostics, "delete", err, advice)
	}
}

// remove deletes the machine wherever it is. One that is gone is no error; one
// that somebody has moved since the state was read is followed.
func (r *vmResource) remove(ctx context.Context, state model) error {
	err := r.removeFrom(ctx, state)
	if !cloudserver.IsNotFound(err) {
		return err
	}
	vm, err := r.data.Client.VirtualMachine(ctx, state.numericID())
	if cloudserver.IsNotFound(err) || err == nil && vm.Deleted {
		return nil
	}
	if err != nil {
		return err
	}
	state.read(ctx, vm, &diag.Diagnostics{})
	return r.removeFrom(ctx, state)
}

// removeFrom deletes the machine in the group where the state has it.
func (r *vmResource) removeFrom(ctx context.Context, state model) error {
	purge := !state.PurgeOnDestroy.Equal(types.BoolValue(false))
	err := r.data.Client.DeleteVirtualMachine(ctx, state.ref(), purge)
	r.data.Fleet.Wrote(state.machine())
	if err != nil {
		return err
	}
	return r.data.Fleet.WaitGone(ctx, state.machine())
}

// save writes state and identity together: the framework wants both from every
// operation, on a CLI without identity too.
func save(ctx context.Context, state *tfsdk.State, identity *tfsdk.ResourceIdentity, m model, diags *diag.Diagnostics) {
	m.nullUnknown(ctx, diags)
	diags.Append(state.Set(ctx, m)...)
	setIdentity(ctx, identity, m, diags)
}

func setIdentity(ctx context.Context, identity *tfsdk.ResourceIdentity, m model, diags *diag.Diagnostics) {
	if identity != nil {
		diags.Append(identity.SetAttribute(ctx, path.Root("id"), m.ID)...)
	}
}
