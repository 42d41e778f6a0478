package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
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
func (r *vmResource) plannedGroup(plan *model) *fleet.PlannedGroup {
	if !r.Data.Ready() || !tfkit.Given(plan.Account) || !tfkit.Given(plan.Group) {
		return nil
	}
	group, ok := r.Data.Fleet.Directory.PlannedGroup(plan.Account.ValueString(), plan.Group.ValueString())
	if !ok {
		return nil
	}
	return &group
}

// planLocation makes unknown what changes with another account or group. If the machine's own group gets the new name,
// it stays where it is, and only its hostname changes.
func (m *model) planLocation(state *model, planned *fleet.PlannedGroup) {
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

// missingPlace is the account or the group of a machine that the service does not have.
type missingPlace struct {
	at  path.Path // of the attribute that names it
	why string    // the explanation, with the closest names; "": both are there
}

// findMissing finds out which of account and group is missing.
func (r *vmResource) findMissing(ctx context.Context, account, group string) (missingPlace, error) {
	directory := r.Data.Fleet.Directory
	_, err := directory.GroupNamed(ctx, account, group)
	if !cloudserver.IsNotFound(err) {
		return missingPlace{}, err
	}
	_, err = directory.Account(ctx, account)
	switch {
	case cloudserver.IsNotFound(err):
		return missingPlace{path.Root("account"), r.Data.NoSuchAccount(ctx, account)}, nil
	case err != nil:
		return missingPlace{}, err
	}
	return missingPlace{path.Root("group"), r.Data.NoSuchGroup(ctx, account, group)}, nil
}
