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
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/place"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Read asks by id, so that a rename or a move elsewhere is drift, not a loss.
func (r *vmResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	diags := &resp.Diagnostics
	diags.Append(state.get(ctx, req.State.Raw)...)
	p := tfkit.LoadPrivate[private](ctx, req.Private, diags)
	if diags.HasError() {
		return
	}
	if !r.BeginRead(ctx, state.identity(), "virtual machine "+state.ID.ValueString(), resp) || !state.hasID("read", diags) {
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

// hasID refuses a state that was edited into one without an id.
func (m *model) hasID(verb string, diags *diag.Diagnostics) bool {
	if m.numericID() > 0 {
		return true
	}
	diags.AddAttributeError(path.Root("id"), "Cannot "+verb+" "+m.title(),
		fmt.Sprintf("The id in the state is %q, which is not a positive number. Remove the resource from the state with `terraform state rm` and its address, and import the machine by its ID.", m.ID.ValueString()))
	return false
}

// isImport reports whether the state holds no more than an import put there.
func (m *model) isImport() bool { return m.Name.IsNull() }

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
		diags.AddWarning("The "+state.place()+" was soft-deleted elsewhere",
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
	if err := place.ProveVisible(ctx, r.Data, state.Account.ValueString()); err != nil {
		place.AddUnproved(diags, summary, "the machine", errors.Join(notFound, err), nil)
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
	if before.isImport() && state.aboutToStart() {
		state.PowerOn = types.BoolNull() // or a configuration that the CLI writes from it contradicts itself
	}
	r.readPlace(ctx, state, &before, vm, diags)
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

// aboutToStart reports whether the machine is off, and the service starts it.
func (m *model) aboutToStart() bool { return !m.PowerOn.ValueBool() && m.AutorebootOn.ValueBool() }

// readImage notices that somebody installed another distribution, and fills the
// block of a machine that was just imported. A name that the service merely
// words differently than the configuration is never seen as a change.
func (m *model) readImage(before *model) {
	if before.isImport() && m.Reimage.IsNull() {
		m.Reimage = importedImage(m.LastImagedWith)
		return
	}
	was, is := before.LastImagedWith, m.LastImagedWith
	if is.IsNull() || !tfkit.Given(was) || was.Equal(is) {
		return
	}
	if block, ok := blockOf[reimageModel](m.Reimage); ok {
		block.Distribution = is
		m.Reimage = block.object()
	}
}

// warnWentOff: without a configured power_on, nothing in a plan would show it.
func (r *vmResource) warnWentOff(m, before *model, diags *diag.Diagnostics) {
	if before.PowerOn.ValueBool() && tfkit.Given(m.PowerOn) && !m.PowerOn.ValueBool() {
		diags.AddAttributeWarning(path.Root("power_on"), "The "+m.title()+" has gone off",
			"It was on when it was read last. If power_on = true is configured, this plan starts it again. Otherwise it is left as it is: look at why it went off, or start it "+r.byAction("power", m.ID.ValueString())+".")
	}
}

// readDiscs brings the discs up to date, and looks for those that have left.
func (r *vmResource) readDiscs(ctx context.Context, state *model, p private, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics) private {
	discs := state.discs()
	if vm.Discs == nil {
		return p
	}
	if p.Adopted && len(discs) == 0 { // just imported
		state.Disc = discList(bootFirst(mapped(vm.Discs, discFromAPI)))
		return p
	}
	discs, p, missing := readDiscs(discs, p, vm.Discs)
	for _, disc := range missing {
		found, err := r.Data.Client.Disc(ctx, disc.numericID())
		switch {
		case err == nil && found.VirtualMachineID != 0 && found.VirtualMachineID != vm.ID:
			p.Moved[disc.Label.ValueString()] = movedDisc{ID: disc.ID.ValueString(), Machine: cloudserver.IDText(found.VirtualMachineID)}
		case err != nil && !cloudserver.IsNotFound(err):
			state.addError(diags, "read the discs of", err, "The state is unchanged. Run the same command again.")
			return p
		case err != nil:
			diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("Disc %q of %s is gone", disc.Label.ValueString(), state.title()),
				fmt.Sprintf("The disc (ID %s) was purged outside of Terraform, and its data and backups are lost. If the configuration has a block for it, an empty disc is added.", disc.ID.ValueString()))
		}
	}
	state.Disc = discList(discs)
	return p
}

// readPlace decides which account and group the machine belongs to. The names of
// the state stay while the hostname has them. Otherwise they come from the groups
// that the service lists: a hostname may hold dots in every part, so it cannot be
// split.
func (r *vmResource) readPlace(ctx context.Context, state, before *model, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics) {
	unchanged := tfkit.Given(before.Account) && tfkit.Given(before.Group) && state.GroupID.Equal(before.GroupID)
	if unchanged && state.hostNamesPlace() || vm.GroupID == 0 {
		return
	}
	group, err := r.Data.Fleet.Directory.GroupByID(ctx, vm.GroupID, state.Account.ValueString(), r.Data.Account.ValueString())
	switch {
	case err != nil && unchanged:
	case err != nil:
		state.addError(diags, "find the group of", err, "The state is unchanged. Run the same command again.")
	case group != nil:
		state.Account, state.Group = types.StringValue(group.Account), types.StringValue(group.Name)
	case !unchanged:
		// A group that cannot be listed is known by its id alone.
		state.Group = tfkit.IDOrNull(vm.GroupID)
		if !tfkit.Given(state.Account) {
			state.Account = r.Data.Account
		}
	}
}

// hostNamesPlace reports whether the hostname has the group and the account of the
// state, or there is no hostname. It has not where the group was renamed.
func (m *model) hostNamesPlace() bool {
	host := m.Hostname.ValueString()
	return host == "" || strings.HasPrefix(strings.ToLower(host), m.hostPrefix()+".")
}

// hostPrefix is what the hostname begins with, in lower case.
func (m *model) hostPrefix() string {
	return strings.ToLower(m.Name.ValueString() + "." + m.Group.ValueString() + "." + m.Account.ValueString())
}
