// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// planLocationCreate sets account and group to the provider's defaults. If a default is unknown, they are unknown as
// well.
func (p *proposal) planLocationCreate() {
	p.plan.Account = p.defaults.AccountOr(p.config.Account, p.plan.title(), &p.refused)
	if p.config.Group.IsNull() {
		p.plan.Group = p.defaults.Group
	}
}

// plannedGroup returns the planned group of a machine as a plan of this process leaves it, or nil if there is none.
// Terraform plans a group before the machines that refer to it, in a plan as in an apply.
func (r *vmResource) plannedGroup(plan *model) *inventory.PlannedGroup {
	if !r.Data.Ready() || !tfkit.Given(plan.Account) || !tfkit.Given(plan.Group) {
		return nil
	}
	group, ok := r.Data.Inventory.PlannedGroup(plan.Account.ValueString(), plan.Group.ValueString())
	if !ok {
		return nil
	}
	return &group
}

// planLocation makes unknown what changes with another account or group. If the machine's own group gets the new name,
// it stays where it is, and only its hostname changes.
func (m *model) planLocation(state *model, planned *inventory.PlannedGroup) {
	if m.Account.Equal(state.Account) && m.Group.Equal(state.Group) {
		return
	}
	m.Hostname = types.StringUnknown()
	if m.Account.Equal(state.Account) && planned != nil && planned.ID != 0 && planned.ID == tfkit.IDOf(state.GroupID) {
		return
	}
	m.GroupID, m.IPv4Address, m.IPv6Address, m.ManagementAddress =
		types.StringUnknown(), types.StringUnknown(), types.StringUnknown(), types.StringUnknown()
	if !m.Account.Equal(state.Account) {
		m.AccountID = types.StringUnknown()
	}
}

// moves reports whether the update moves the machine to another group, or may do so.
func (m *common) moves(state *model) bool { return !m.GroupID.Equal(state.GroupID) }

// warnMove warns of what changes for others when the machine moves.
func (d *decision) warnMove(diags *diag.Diagnostics) {
	if d.plan.moves(&d.state) {
		diags.AddAttributeWarning(path.Root("group"), "The update moves the machine",
			"The hostname of "+d.state.title()+" changes with its group, and its addresses may change. "+
				"A reverse name that was set stays with the old address.")
	}
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
	group, err := r.Data.Inventory.GroupByID(ctx, vm.GroupID, likely...)
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

// findMissing finds out whether the account or the group does not exist. It returns nil if both do.
func (r *vmResource) findMissing(ctx context.Context, account, group string) (*tfkit.AttributeError, error) {
	groups, err := r.Data.Inventory.Groups(ctx, account)
	switch {
	case cloudserver.IsNotFound(err):
		return &tfkit.AttributeError{At: path.Root("account"), Detail: r.Data.NoSuchAccount(ctx, account)}, nil
	case err != nil:
		return nil, err
	case slices.ContainsFunc(groups, func(g cloudserver.Group) bool { return g.Name == group }):
		return nil, nil
	}
	return &tfkit.AttributeError{At: path.Root("group"), Detail: r.Data.NoSuchGroup(ctx, account, group)}, nil
}

// explainMissing explains that account or group was not found, with the closest names.
func (r *vmResource) explainMissing(ctx context.Context, m *model, denial error) (at path.Path, detail string) {
	missing, err := r.findMissing(ctx, m.Account.ValueString(), m.Group.ValueString())
	if err != nil || missing == nil {
		return path.Root("group"), tfkit.Detail(denial, "Check account and group.")
	}
	return missing.At, missing.Detail
}

// findByName finds a machine by its names, including soft-deleted ones. If the group or the machine does not exist, the
// error is an *tfkit.AttributeError with the closest names.
func findByName(
	ctx context.Context, data *tfkit.ProviderData, account, groupName, name string,
) (*cloudserver.VirtualMachine, *inventory.Group, error) {
	group, err := data.Inventory.GroupNamed(ctx, account, groupName)
	if cloudserver.IsNotFound(err) {
		return nil, nil, &tfkit.AttributeError{At: path.Root("group"), Detail: data.NoSuchGroup(ctx, account, groupName)}
	}
	if err != nil {
		return nil, nil, err
	}
	groupID := cloudserver.IDText(group.ID)
	vm, err := data.Client.VirtualMachineByName(ctx, account, groupID, name, cloudserver.IncludeDeleted)
	if cloudserver.IsNotFound(err) {
		return nil, nil, &tfkit.AttributeError{At: path.Root("name"), Detail: noSuchName(ctx, data, group, name)}
	}
	return vm, group, err
}

// noSuchName explains that no machine of a group has a name, with the closest names.
func noSuchName(ctx context.Context, data *tfkit.ProviderData, group *inventory.Group, name string) string {
	const text = "No such machine is visible to these credentials."
	groupID := cloudserver.IDText(group.ID)
	machines, err := data.Client.VirtualMachines(ctx, group.Account, groupID, cloudserver.IncludeDeleted)
	if err != nil {
		return text
	}
	names := mapped(machines, func(vm cloudserver.VirtualMachine) string { return vm.Name })
	return text + " " + tfkit.SuggestVisible(name, names)
}

// locationCheck asks whether a new location of a machine exists, and which machine has its name there.
type locationCheck struct {
	account, group, name string
	groupID              int64 // of a group that is known by its ID; 0: by its name
	renames              bool  // an existing machine
}

// locationFinding is what the service has there.
type locationFinding struct {
	missing  *tfkit.AttributeError // nil: account and group exist
	existing *cloudserver.VirtualMachine
	// warns reports whether the plan warns of the existing machine: not if the plan replaces it.
	warns bool
}

// newLocationCheck returns the question for a new name or location, or nil if the machine keeps both, or if the plan
// knows the answer: in a group that this process creates, each name is free.
func newLocationCheck(state, plan *model, planned *inventory.PlannedGroup) *locationCheck {
	if !tfkit.Given(plan.Name) || !tfkit.Given(plan.Account) || !tfkit.Given(plan.Group) {
		return nil
	}
	if plan.Name.Equal(state.Name) && plan.Account.Equal(state.Account) && plan.Group.Equal(state.Group) {
		return nil
	}
	q := &locationCheck{
		account: plan.Account.ValueString(), group: plan.Group.ValueString(), name: plan.Name.ValueString(),
		renames: !state.ID.IsNull(),
	}
	switch {
	case planned != nil && planned.ID == 0:
		return nil
	case planned != nil:
		q.groupID = planned.ID
	case tfkit.Given(plan.GroupID):
		q.groupID = tfkit.IDOf(plan.GroupID)
	}
	if plan.Name.Equal(state.Name) && q.groupID != 0 && q.groupID == tfkit.IDOf(state.GroupID) {
		return nil // its group is renamed
	}
	return q
}

// findExisting finds the machine that has the name; nil: none. isKnown is false if that cannot be found out: the machine
// cannot be described yet, or a path would take the group's name of digits for an ID.
func (r *vmResource) findExisting(
	ctx context.Context, q *locationCheck,
) (existing *cloudserver.VirtualMachine, isKnown bool, err error) {
	group := q.group
	switch {
	case q.groupID != 0:
		group = cloudserver.IDText(q.groupID)
	case cloudserver.IsDigits(q.group):
		return nil, false, nil
	}
	existing, err = r.Data.Inventory.MachineNamed(ctx, q.account, group, q.name)
	if errors.Is(err, cloudserver.ErrNotDescribed) {
		return nil, false, nil
	}
	return existing, err == nil, err
}

// askForName answers whether the plan warns of a machine that has the name.
func (r *vmResource) askForName(ctx context.Context, q *locationCheck, a *locationFinding) error {
	existing, _, err := r.findExisting(ctx, q)
	if existing == nil {
		return err
	}
	a.existing = existing
	a.warns = q.renames || r.Data.Inventory.PlanName(existing.ID)
	return nil
}

// reportLocation reports a location that does not exist, and the machine that has the name. An account that is not visible is
// an error. The others are warnings, because another change of the same plan may create the group, or free the name.
func (d *decision) reportLocation(a locationFinding, diags *diag.Diagnostics) {
	q := d.questions.location
	switch {
	case a.missing == nil:
	case a.missing.At.Equal(path.Root("account")):
		diags.AddAttributeError(a.missing.At, fmt.Sprintf("Cannot find account %q", q.account), a.missing.Detail)
	case cloudserver.IsDigits(q.group): // no resource creates such a group
		diags.AddAttributeError(a.missing.At, fmt.Sprintf("Cannot find group %q", q.group), a.missing.Detail)
	default:
		advice := " Unless another resource creates the group before the machine, the apply fails. " +
			"Terraform keeps that order where group refers to the name of a cloudserver_group."
		if d.config.Account.IsNull() {
			advice += " For a group of another account, set account as well, or provider."
		}
		diags.AddAttributeWarning(a.missing.At, "The group does not exist", a.missing.Detail+advice)
	}
	if a.warns {
		d.withAction.warnTaken(a.existing, q.name, q.renames, diags)
	}
}

// warnTaken warns that a machine has the planned name of another one.
func (with withAction) warnTaken(
	existing *cloudserver.VirtualMachine, name string, renames bool, diags *diag.Diagnostics,
) {
	summary := fmt.Sprintf("The name %q is taken", name)
	unless := "Unless this apply renames or destroys the machine that has the name, the name is refused. "
	if existing.Deleted {
		summary, unless = fmt.Sprintf("A soft-deleted machine has the name %q", name), ""
	}
	diags.AddAttributeWarning(path.Root("name"), summary, unless+with.takenAdvice(existing, name, renames))
}

// takenAdvice explains which machine has the wanted name of another machine, and what to do about it. An existing
// machine that is renamed is in the state already, so it has no import block.
func (with withAction) takenAdvice(existing *cloudserver.VirtualMachine, name string, renames bool) string {
	id := cloudserver.IDText(existing.ID)
	switch {
	case existing.Deleted && renames:
		return fmt.Sprintf("The soft-deleted virtual machine %s has the name %q. To free the name, "+
			"purge that machine and its discs %s. Otherwise choose another name.",
			id, name, with.onMachine("purge", id, "name="+name))
	case existing.Deleted:
		return fmt.Sprintf("The soft-deleted virtual machine %s has the name %q. To use it, undelete it %s, "+
			"and import it:\n\n%s\n\n"+
			"To free the name, purge it and its discs %s.",
			id, name, with.onMachine("undelete", id), importBlock(existing.ID), with.onMachine("purge", id, "name="+name))
	case renames:
		return fmt.Sprintf("Virtual machine %s has the name %q. "+
			"If an element was removed from the list of a count, this renames the others and destroys the last: use for_each. "+
			"If another change of this configuration frees the name only after this one, run apply again. "+
			"Otherwise choose another name.", id, name)
	}
	return fmt.Sprintf("Virtual machine %s has the name %q. "+
		"If this plan replaces it, create_before_destroy needs another name. "+
		"If the block of its resource was renamed, write a block moved. "+
		"If no resource manages it, or the state was lost, import it:\n\n%s\n\n"+
		"Otherwise choose another name, or run apply again.", id, name, importBlock(existing.ID))
}

// importBlock returns the import block for an existing machine.
func importBlock(id int64) string {
	return "import {\n  to = cloudserver_vm.NAME # the address of this resource\n  id = " +
		strconv.Quote(cloudserver.IDText(id)) + "\n}"
}
