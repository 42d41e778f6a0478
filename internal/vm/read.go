package vm

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// hasID refuses a state that was edited into one without an id.
func (m *model) hasID(verb string, diags *diag.Diagnostics) bool {
	if m.numericID() > 0 {
		return true
	}
	diags.AddAttributeError(path.Root("id"), "Cannot "+verb+" "+m.title(),
		fmt.Sprintf("The id in the state is %q, which is not a positive number. Remove the resource from the state with `terraform state rm` and its address, and import the machine by its ID.", m.ID.ValueString()))
	return false
}

// Read asks by id, so that a rename or a move elsewhere is drift, not a loss.
func (r *vmResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	diags := &resp.Diagnostics
	diags.Append(state.get(ctx, req.State.Raw)...)
	p := tfkit.LoadPrivate[private](ctx, req.Private, diags)
	if diags.HasError() {
		return
	}
	if !presence.BeginRead(ctx, r.Data, state.identity(), state.object(), resp) || !state.hasID("read", diags) {
		return
	}
	vm, gone := r.find(ctx, &state, diags)
	switch {
	case gone && !diags.HasError():
		resp.State.RemoveResource(ctx)
		return
	case vm == nil || state.isOfAnotherService("read", vm, diags):
		return
	}
	before := state
	p = r.readMachine(ctx, &state, p, vm, diags)
	r.rememberAddresses(&state, state.Hostname.ValueString())
	r.warnWentOff(&state, &before, diags)
	p.warnForeign(&state, diags)
	if diags.HasError() {
		return
	}
	tfkit.SavePrivate(ctx, resp.Private, p, diags)
	if reflect.DeepEqual(before, state) {
		return // most refreshes find nothing new, and writing a state is the expensive part of one
	}
	state.save(ctx, &resp.State, resp.Identity, diags)
}

// find reads the machine. It is gone only when that is known: not found, or
// soft-deleted, while the account is visible. Without an answer, vm is nil and
// the state stays.
func (r *vmResource) find(ctx context.Context, state *model, diags *diag.Diagnostics) (vm *cloudserver.VirtualMachine, gone bool) {
	vm, err := r.Data.Fleet.Read(ctx, state.address())
	if cloudserver.IsNotFound(err) { // once more, because a soft-deleted machine is hidden
		vm, err = r.Data.Client.VirtualMachine(ctx, state.numericID(), cloudserver.IncludeDeleted)
	}
	switch {
	case cloudserver.IsNotFound(err):
		return nil, r.isGone(ctx, state, err, diags)
	case errors.Is(err, cloudserver.ErrNotDescribed) && !state.isImport(): // the next refresh knows more
	case errors.Is(err, cloudserver.ErrNotDescribed):
		diags.AddError("Cannot import "+state.title(), "The machine is still being created, and the service cannot describe it yet. Run the same command again in a minute.")
	case err != nil:
		state.addError(diags, "read", err, "The state is unchanged. Run the same command again.")
	case vm.Deleted && state.isImport():
		diags.AddError("Cannot import "+state.title(),
			fmt.Sprintf("The machine %q is soft-deleted. Undelete it %s, and import it then.", vm.Name, r.byAction("undelete", state.ID.ValueString())))
	case vm.Deleted:
		diags.AddWarning("The "+state.fullTitle()+" was soft-deleted elsewhere",
			fmt.Sprintf("It is removed from the state and will be recreated, but its name stays taken until it is purged, so creating it fails. "+
				"To keep it, undelete it %s; if an apply was made since, import it by its ID as well. To create it again, purge it first %s.",
				r.byAction("undelete", state.ID.ValueString()), r.byAction("purge", state.ID.ValueString())))
		return nil, true
	default:
		return vm, false
	}
	return nil, false
}

// isGone reports whether a machine that was not found is really gone. A wrong
// endpoint, or credentials that may not see the account, answer the same.
func (r *vmResource) isGone(ctx context.Context, state *model, notFound error, diags *diag.Diagnostics) bool {
	verb := "read"
	if state.isImport() {
		verb = "import"
	}
	summary := "Cannot " + verb + " " + state.title()
	if err := presence.ProveVisible(ctx, r.Data, state.Account.ValueString()); err != nil {
		presence.AddUnproved(diags, summary, "the machine", errors.Join(notFound, err), nil)
		return false
	}
	if state.isImport() {
		diags.AddError(summary, tfkit.Detail(notFound, "No machine with this ID is visible to these credentials, among soft-deleted machines, too. Check the ID, or import by account/group/name."))
		return false
	}
	diags.AddWarning("The "+state.title()+" is gone", tfkit.Detail(notFound,
		"It was deleted outside of Terraform, or moved to an account that these credentials do not see. It is removed from the state and will be recreated. "+
			"If it was moved, make its account visible to these credentials, and import it by its ID."))
	return true
}

// isOfAnotherService reports whether the machine is another one with the same ID:
// IDs are small numbers, and a state may be pointed at another service. Its
// hostname has another cluster domain then. Where all else is the same, the service
// was renamed.
func (m *model) isOfAnotherService(verb string, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics) bool {
	domain, known := strings.CutPrefix(strings.ToLower(m.Hostname.ValueString()), m.hostPrefix())
	if !known || vm.Hostname == nil || strings.HasSuffix(strings.ToLower(*vm.Hostname), domain) {
		return false
	}
	_, now, missing := readDiscs(m.discs(), private{}, vm.Discs)
	if vm.Name == m.Name.ValueString() && cloudserver.IDText(vm.GroupID) == m.GroupID.ValueString() && len(now.Foreign)+len(missing) == 0 {
		return false
	}
	diags.AddAttributeError(path.Root("hostname"), "Cannot "+verb+" "+m.title(),
		fmt.Sprintf("The state has the machine %q, and the service answers for ID %s with %q: a machine of another service. The state is unchanged, and nothing was sent. "+
			"Check endpoint, and which provider configuration this resource uses. If it is the same machine after all, remove the resource with `terraform state rm` and its address, and import it.",
			m.Hostname.ValueString(), m.ID.ValueString(), *vm.Hostname))
	return true
}

// readMachine brings the state and the private state up to date.
func (r *vmResource) readMachine(ctx context.Context, state *model, p private, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics) private {
	before := *state
	state.fromAPI(vm)
	if before.isImport() {
		state.PowerOn = state.importedPower()
	}
	r.readLocation(ctx, state, &before, vm, diags)
	state.readImage(&before)
	p = r.readDiscs(ctx, state, p, vm, diags)
	if p.Owed != nil && state.PowerOn.ValueBool() == p.Owed.PowerOn && state.AutorebootOn.ValueBool() == p.Owed.AutorebootOn {
		p.Owed = nil
	}
	if !state.LastImagedWith.IsNull() { // by somebody else, or at the first start
		p.Blank = false
	}
	return p
}
