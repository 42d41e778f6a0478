package vm

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// hasID refuses a state without an ID, which only manual editing can produce.
func (m *model) hasID(verb string, diags *diag.Diagnostics) bool {
	if m.numericID() > 0 {
		return true
	}
	diags.AddAttributeError(path.Root("id"), "Cannot "+verb+" "+m.title(),
		fmt.Sprintf("The id in the state is %q, which is not a positive number. "+
			"Remove the resource from the state with `terraform state rm` and its address, and import the machine by its ID.", m.ID.ValueString()))
	return false
}

// Read reads by ID, so that a rename or a move elsewhere is drift, not a loss.
func (r *vmResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	diags := &resp.Diagnostics
	diags.Append(state.get(ctx, req.State.Raw)...)
	p := tfkit.LoadPrivate[private](ctx, req.Private, diags)
	if diags.HasError() {
		return
	}
	if !r.Data.BeginRead(ctx, state.identity(), state.object(), resp) || !state.hasID("read", diags) {
		return
	}
	r.rememberState(&state)
	address := state.address(r.Data.Fleet.Directory)
	vm, gone := r.find(ctx, &state, p, &address, diags)
	if vm != nil {
		r.Data.Fleet.Domains.SetMachine(vm.ID, address.Origin.Domain())
		presence.NoteDomain(r.Data.Fleet, &r.Data.Memory, state.Account.ValueString(), address.Origin)
	}
	switch {
	case gone && !diags.HasError():
		r.Data.Memory.Note(state.object(), func(k *run.Known) { k.Protection = run.Protection{} })
		tfkit.SavePrivate(ctx, resp.Private, private{}, diags) // Terraform passes it to the plan of the creation
		resp.State.RemoveResource(ctx)
		return
	case vm == nil:
		return
	}
	before := state
	p = r.readMachine(ctx, &state, p, vm, diags)
	r.rememberAddresses(&state, state.Hostname.ValueString())
	r.warnWentOff(&state, &before, p, diags)
	warnLeftAlone(&state, &before, p, diags)
	if diags.HasError() {
		return
	}
	tfkit.SavePrivate(ctx, resp.Private, p, diags)
	state.DiscIDs = state.discIDs()
	if reflect.DeepEqual(before, state) {
		return // most refreshes find nothing new, and writing the state is their most expensive part
	}
	state.save(ctx, &resp.State, resp.Identity, diags)
}

// find reads the machine. gone is true only if that is known: its 404 is proved, or it is soft-deleted. Without an
// answer, vm is nil and the state stays as it is.
func (r *vmResource) find(
	ctx context.Context, state *model, p private, address *fleet.Machine, diags *diag.Diagnostics,
) (vm *cloudserver.VirtualMachine, gone bool) {
	err := state.errOtherDomain(r.Data.Fleet)
	if err == nil {
		vm, err = r.readByID(ctx, *address)
	}
	if renamed := r.ofRenamedDomain(ctx, state, p, err, diags); renamed != nil {
		vm, err = renamed, nil
		address.Origin = nil // it knows the old domain
	}
	verb := "read"
	if state.isImport() {
		verb = "import"
	}
	summary := "Cannot " + verb + " " + state.title()
	switch {
	case presence.IsGone(err) && state.isImport():
		diags.AddError(summary, tfkit.Detail(err, "No machine with this ID is visible to these credentials, and no soft-deleted one either. "+
			"Check the ID, or import by account/group/name."))
	case presence.IsGone(err):
		state.warnGone(err, diags)
		return nil, true
	case errors.Is(err, cloudserver.ErrNotDescribed) && !state.isImport(): // the next refresh will know more
	case errors.Is(err, cloudserver.ErrNotDescribed):
		diags.AddError(summary, "The machine is still being created, and the service cannot describe it yet. Run the same command again in a minute.")
	case presence.IsHidden(err):
		presence.AddUnknown(diags, summary, "the machine", err, nil)
	case err != nil:
		state.addError(diags, verb, err, "The state is unchanged. "+tfkit.Again(err))
	case vm.Deleted && state.isImport():
		diags.AddError(summary, fmt.Sprintf("The machine %q is soft-deleted. Undelete it %s, and import it then.",
			vm.Name, r.byAction("undelete", state.ID.ValueString())))
	case vm.Deleted:
		r.warnSoftDeleted(ctx, state, vm, diags)
		return nil, true
	default:
		return vm, false
	}
	return nil, false
}

// readByID reads the machine in the way that the fleet finds cheapest. After a 404 it reads once more by ID, including
// soft-deleted machines.
func (r *vmResource) readByID(
	ctx context.Context, address fleet.Machine,
) (*cloudserver.VirtualMachine, error) {
	denied := false
	return presence.FindMachine(ctx, r.Data.Fleet, &r.Data.Memory, address, func(ctx context.Context) (*cloudserver.VirtualMachine, error) {
		if denied {
			return r.Data.Fleet.Look(ctx, address, cloudserver.IncludeDeleted)
		}
		denied = true
		return r.Data.Fleet.Read(ctx, address)
	})
}

// warnGone warns that the machine is removed from the state.
func (m *model) warnGone(denial error, diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root("id"), Gone, tfkit.Detail(denial,
		"The "+m.title()+" "+DeletedElsewhere+", or moved to an account that these credentials do not see; "+
			"or this is another service: check endpoint, and whether the resource has lost its argument provider, "+
			"because another provider block was asked then. "+
			"It is removed from the state, and the plan creates it again, with empty discs: "+
			"if it was deleted, its data and backups are lost. "+
			"If it was moved, make its account visible to these credentials, and import it by its ID."))
}

// warnSoftDeleted warns that the machine is removed from the state but keeps its name. The message names the machine's
// current group, which calls need.
func (r *vmResource) warnSoftDeleted(
	ctx context.Context, state *model, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics,
) {
	m, ignored := *state, diag.Diagnostics{}
	m.common = m.refreshed(vm)
	r.readLocation(ctx, &m, state, vm, &ignored)
	diags.AddAttributeWarning(path.Root("id"), SoftDeleted,
		fmt.Sprintf("The %s is removed from the state and will be recreated, but its name stays taken until it is purged, so creating it fails. "+
			"To keep it, undelete it %s; if an apply was made since, import it by its ID as well. To create it again, purge it first %s.",
			m.fullTitle(), r.byAction("undelete", m.ID.ValueString()), r.byAction("purge", m.ID.ValueString(), "name="+m.Name.ValueString())))
}

// readMachine updates the state and the private state.
func (r *vmResource) readMachine(
	ctx context.Context, state *model, p private, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics,
) private {
	before := *state
	state.fromAPI(vm)
	if before.isImport() {
		state.PowerOn = state.importedPower()
	}
	r.readLocation(ctx, state, &before, vm, diags)
	state.readImage(&before)
	p.Discs = r.refreshDiscs(ctx, state, p, vm, diags)
	if p.Owed != nil && state.PowerOn.ValueBool() == p.Owed.PowerOn &&
		state.AutorebootOn.ValueBool() == p.Owed.AutorebootOn {
		p.Owed = nil
	}
	if !state.LastImagedWith.IsNull() { // by somebody else, or at the first start
		p.hasImage()
	}
	return p
}
