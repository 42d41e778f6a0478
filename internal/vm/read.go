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
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Read finds the machine by its ID, so that a rename or a move elsewhere is drift and not a loss.
func (r *vmResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	diags := &resp.Diagnostics
	diags.Append(req.State.Get(ctx, &state)...)
	p := loadPrivate(ctx, req.Private, diags)
	if diags.HasError() {
		return
	}
	state.identity().Save(ctx, resp.Identity, diags) // the framework wants it also for what is gone
	if !r.Data.Ready() {
		return
	}
	r.Data.Fleet.Track(state.numericID())
	vm, err := r.Data.Fleet.Read(ctx, state.location())
	switch {
	case state.isImport():
		r.readImported(ctx, &state, vm, err, resp)
	case fleet.IsGone(err):
		r.warnGone(&state, err, diags)
		resp.State.RemoveResource(ctx)
	case errors.Is(err, cloudserver.ErrNotDescribed): // the next refresh will know more
	case err != nil:
		state.addError(diags, "read", err, "The state is unchanged.")
	case vm.Deleted:
		r.warnSoftDeleted(&state, diags)
		resp.State.RemoveResource(ctx)
	case state.isOtherMachine(vm):
		state.refuseOtherMachine(vm, diags)
	default:
		r.readMachine(ctx, &state, p, vm, resp)
	}
}

// readMachine writes what the service reports to the state. Most refreshes find nothing new, and writing the state is
// their most expensive part.
func (r *vmResource) readMachine(
	ctx context.Context, state *model, p private, vm *cloudserver.VirtualMachine, resp *resource.ReadResponse,
) {
	diags := &resp.Diagnostics
	before := *state
	p = r.refresh(ctx, state, p, vm, diags)
	r.warnWentOff(state, &before, p, diags)
	if diags.HasError() {
		return
	}
	p.save(ctx, resp.Private, diags)
	if !reflect.DeepEqual(before, *state) {
		state.save(ctx, &resp.State, resp.Identity, diags)
	}
}

// refresh updates the state by what the service reports, and returns the private state. What the answer lacks is kept.
func (r *vmResource) refresh(
	ctx context.Context, state *model, p private, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics,
) private {
	before := *state
	state.fromAPI(vm)
	r.readLocation(ctx, state, &before, vm, diags)
	r.refreshDiscs(ctx, state, &p, vm, diags)
	now := owedPower{PowerOn: state.PowerOn.ValueBool(), AutorebootOn: state.AutorebootOn.ValueBool()}
	if p.Owed.Power != nil && *p.Owed.Power == now {
		p.Owed.Power = nil
	}
	if !state.LastImagedWith.IsNull() {
		p.hasImage()
	}
	return p
}

// readLocation updates the names of account and group and the ID of the account. The names in the state are kept while
// the hostname contains them. Otherwise they come from the service's lists of groups.
func (r *vmResource) readLocation(
	ctx context.Context, state, before *model, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics,
) {
	stays := tfkit.Given(before.Account) && tfkit.Given(before.Group) && state.GroupID.Equal(before.GroupID)
	if stays && state.hostNamesLocation() || vm.GroupID == 0 {
		return
	}
	likely := []string{state.Account.ValueString(), r.Data.Account.ValueString()}
	group, err := r.Data.Fleet.Directory.GroupByID(ctx, vm.GroupID, likely...)
	switch {
	case err != nil && stays:
	case err != nil:
		state.addError(diags, "find the group of", err, "The state is unchanged.")
	case group != nil:
		state.Account, state.AccountID = types.StringValue(group.Account), tfkit.IDOrNull(group.AccountID)
		state.Group = types.StringValue(group.Name)
	case !stays: // of a group that cannot be listed, only the ID is known
		state.Group = tfkit.IDOrNull(vm.GroupID)
		if !tfkit.Given(state.Account) {
			state.Account = r.Data.Account
		}
	}
}

// hostNamesLocation reports whether the hostname contains the group and account of the state, or there is no hostname.
// It does not after the group was renamed.
func (m *model) hostNamesLocation() bool {
	host := m.Hostname.ValueString()
	named := m.Name.ValueString() + "." + m.Group.ValueString() + "." + m.Account.ValueString() + "."
	return host == "" || strings.HasPrefix(strings.ToLower(host), strings.ToLower(named))
}

// refreshDiscs updates the discs of the state and the unmanaged ones, and warns of those that nobody manages and of
// those that have left the machine. Discs are identified by their IDs: the service's order is not drift, and label and
// grade stay those of the last apply.
func (r *vmResource) refreshDiscs(
	ctx context.Context, state *model, p *private, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics,
) {
	if vm.Discs == nil {
		return
	}
	had := state.discs()
	var discs []discModel
	for i, disc := range had {
		found := findDisc(disc, vm.Discs)
		if found == nil {
			elsewhere := r.findElsewhere(ctx, disc, vm.ID)
			if elsewhere != "" {
				warnDiscLeft(state, i, disc, elsewhere, diags)
				continue
			}
		}
		discs = append(discs, disc.refreshed(found))
	}
	if !reflect.DeepEqual(had, discs) {
		state.Disc = discList(discs)
		state.DiscIDs = state.discIDs()
	}
	p.Discs = unmanagedDiscs(discs, vm.Discs)
	if unmanaged := p.unmanaged(); len(unmanaged) > 0 {
		diags.AddAttributeWarning(path.Root("disc"), tfkit.Summary("Unmanaged discs", tfkit.Quoted(labels(unmanaged))),
			fmt.Sprintf("The %s has discs that are not in the state: %s. "+
				"Updates leave those without a block alone; a destroy or a replacement destroys them, with their backups. "+
				"To manage one, add a disc block with its label and size.",
				state.title(), listDiscs(unmanaged)))
	}
}

// refreshed returns the disc with the size that the service reports. found is nil if it does not show the disc.
func (d discModel) refreshed(found *cloudserver.Disc) discModel {
	if found == nil {
		return d
	}
	if found.Size != 0 {
		d.Size = types.Int64Value(found.Size)
	}
	if d.StorageGrade.IsNull() {
		d.StorageGrade = tfkit.StringOrNull(reportedGrade(*found))
	}
	d.ID = tfkit.IDOrNull(found.ID) // it may have been found by its label
	return d
}

// findElsewhere looks up a disc that its machine does not show. It returns where the disc is now, or "" if it may still
// be on the machine.
func (r *vmResource) findElsewhere(ctx context.Context, disc discModel, machine int64) string {
	if !tfkit.Given(disc.ID) {
		return "It was never seen there."
	}
	found, err := r.Data.Client.Disc(ctx, disc.numericID())
	switch {
	case cloudserver.IsNotFound(err):
		return "It was purged outside of Terraform, or by an apply that did not see the answer, " +
			"and its data and backups are lost."
	case err != nil, found.VirtualMachineID == 0, found.VirtualMachineID == machine:
		return ""
	}
	return fmt.Sprintf("It was moved to virtual machine %d, with its data.", found.VirtualMachineID)
}

// warnDiscLeft warns that a disc is removed from the state.
func warnDiscLeft(state *model, index int, disc discModel, where string, diags *diag.Diagnostics) {
	next := "If its block stays in the configuration, the apply adds an empty disc. To prevent that, remove the block."
	if index == 0 {
		next = "It was the boot disc: the plan is an error while its block is in the configuration."
	}
	diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("A disc is gone: %q", disc.Label.ValueString()),
		fmt.Sprintf("Disc %s is no longer on %s. %s It is removed from the state. %s",
			disc.describe(), state.title(), where, next))
}

// isOtherMachine reports whether the ID was used again: the machine has another name, and shows discs, but none of the
// state's.
func (m *model) isOtherMachine(vm *cloudserver.VirtualMachine) bool {
	own := m.discs()
	if strings.EqualFold(vm.Name, m.Name.ValueString()) || len(vm.Discs) == 0 || len(own) == 0 {
		return false
	}
	for _, disc := range own {
		if !tfkit.Given(disc.ID) || findDisc(disc, vm.Discs) != nil {
			return false
		}
	}
	return true
}

func (m *model) refuseOtherMachine(vm *cloudserver.VirtualMachine, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("id"), "Cannot read "+m.title(),
		fmt.Sprintf("Virtual machine %d is %q now, and has none of the discs of the state (%s): "+
			"its ID was used again, or this is another service. "+
			"Check endpoint, and which provider the resource uses. If the old machine is gone, "+
			"remove the resource from the state with `terraform state rm`.",
			vm.ID, cloudserver.Shown(vm.Name), tfkit.Quoted(labels(m.discs()))))
}

// warnGone warns that the machine is removed from the state.
func (r *vmResource) warnGone(m *model, denial error, diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root("id"), "The machine is gone", tfkit.Detail(denial,
		fmt.Sprintf("The %s is not at %s any more: it was deleted outside of Terraform, with its data, "+
			"or moved to an account that these credentials do not see. "+
			"It is removed from the state, and the plan creates it again, with empty discs. "+
			"If this is not the service where it was created, check endpoint and which provider the resource "+
			"uses, and do not apply.",
			m.title(), r.Data.Client.Endpoint())))
}

// warnSoftDeleted warns that the machine is removed from the state but keeps its name.
func (r *vmResource) warnSoftDeleted(m *model, diags *diag.Diagnostics) {
	id := m.ID.ValueString()
	diags.AddAttributeWarning(path.Root("id"), "The machine was soft-deleted elsewhere",
		fmt.Sprintf("The %s is removed from the state and will be recreated, but its name stays taken until it is "+
			"purged, so creating it fails. "+
			"To keep it, undelete it %s; if an apply was made since, import it as well. To create it again, "+
			"purge it first %s.",
			m.fullTitle(), r.byAction("undelete", id), r.byAction("purge", id, "name="+m.Name.ValueString())))
}

// warnWentOff warns that a machine went off. Without a configured power_on, no plan would show it. Power that this plan
// restores is not reported.
func (r *vmResource) warnWentOff(m, before *model, p private, diags *diag.Diagnostics) {
	isOwed := p.Owed.Power != nil && p.Owed.Power.PowerOn
	if isOwed || !before.PowerOn.ValueBool() || !tfkit.Given(m.PowerOn) || m.PowerOn.ValueBool() {
		return
	}
	next := "Where power_on is not configured, it is left off: configure power_on = true, or start it " +
		r.byAction("power", m.ID.ValueString(), "state=start") + "."
	if m.aboutToStart() {
		next = "Its autoreboot_on is true, so the service starts it by itself, within seconds."
	}
	diags.AddAttributeWarning(path.Root("power_on"), "The machine has gone off",
		"The "+m.title()+" was on when it was read last. Look at why it went off. "+next)
}
