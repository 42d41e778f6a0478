package vm

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// planLocationCreate sets account and group to the provider's defaults. If a default is unknown, they are unknown as
// well.
func (p *proposal) planLocationCreate(data *tfkit.ProviderData) {
	p.plan.Account = location.AccountOr(data.Defaults, p.config.Account, p.plan.title(), &p.refused)
	if p.config.Group.IsNull() && p.config.GroupID.IsNull() {
		p.plan.Group = p.group
	}
}

// relocation is how a configuration names another location than the state has.
type relocation int

const (
	locationStays relocation = iota
	groupByID
	groupByName
)

// relocation compares the locations of configuration and state. plan completes the configuration.
func (m *model) relocation(config, state *model) relocation {
	switch {
	case !config.GroupID.IsNull() && !config.GroupID.Equal(state.GroupID):
		return groupByID
	case !config.Group.IsNull() && !config.Group.Equal(state.Group), m.moves(state):
		return groupByName
	}
	return locationStays
}

// locationFacts is what a location is decided from, besides configuration, plan and state.
type locationFacts struct {
	// renamed: a plan of this run renames the machine's group to the configured name. References ensure that the group is
	// planned first, in a plan as in an apply.
	renamed bool
	// follows: the machine's group has the configured name already, and the state has the old one.
	follows bool
	// account is that of the group with the configured ID, or unknown.
	account types.String
	refused diag.Diagnostics
}

// findLocation finds out what the location depends on. It asks the service only if the location changes.
func (r *vmResource) findLocation(ctx context.Context, p *proposal) (f locationFacts) {
	state, config, plan := &p.state, &p.config, &p.plan
	f.renamed = plan.Account.Equal(state.Account) && r.isRenamed(plan, state.GroupID)
	f.account = types.StringUnknown()
	if r.refuseTwoGroups(ctx, state, config, plan, &f.refused); f.refused.HasError() || p.isCreation() {
		return f
	}
	switch plan.relocation(config, state) {
	case groupByID:
		if config.Account.IsNull() {
			f.account = r.accountOfGroup(ctx, state, plan, &f.refused)
		}
	case groupByName:
		if !f.renamed && config.GroupID.IsNull() {
			f.follows = r.followsGroup(ctx, state, config, plan, &f.refused)
		}
	case locationStays:
	}
	return f
}

// planLocation makes the other half of a location unknown if the configured half changes. The name and the ID of the
// same group, in the same account, are the same location.
func (m *model) planLocation(state, config *model, f locationFacts) {
	switch m.relocation(config, state) {
	case groupByID:
		if config.Group.IsNull() {
			m.Group = types.StringUnknown()
		}
		if config.Account.IsNull() {
			m.Account = f.account
		}
	case groupByName:
		if f.renamed || f.follows { // the same location under a new name
			m.GroupID = state.GroupID
		} else if config.GroupID.IsNull() {
			m.GroupID = types.StringUnknown()
		}
	case locationStays:
	}
	if m.moves(state) {
		m.IPv4Address, m.IPv6Address = types.StringUnknown(), types.StringUnknown()
		m.ManagementAddress, m.Hostname = types.StringUnknown(), types.StringUnknown()
	} else if !m.Group.Equal(state.Group) {
		m.Hostname = types.StringUnknown()
	}
}

// isRenamed reports whether a plan of this process renames the group with the ID to the configured name.
func (r *vmResource) isRenamed(m *model, id types.String) bool {
	if !tfkit.Given(m.Account) || !tfkit.Given(m.Group) || !tfkit.Given(id) {
		return false
	}
	configured := fleet.Name{Account: m.Account.ValueString(), Name: m.Group.ValueString()}
	return r.Data.Notes.NewName(run.Object{Kind: run.Group, ID: id.ValueString()}) == configured
}

// followsGroup reports whether the machine's own group has the configured name by now. It refuses a move to a group
// that does not exist if this process has neither read the machine nor planned the group. No call of Terraform
// distinguishes an apply from a plan without a refresh. In an apply, a plan may have seen the group renamed, and then
// another answer would be inconsistent. Where the configuration refers to the group, Terraform plans it first.
func (r *vmResource) followsGroup(ctx context.Context, state, config, plan *model, diags *diag.Diagnostics) bool {
	name := fleet.Name{Account: plan.Account.ValueString(), Name: plan.Group.ValueString()}
	if !tfkit.Given(plan.Group) || r.Data.Notes.IsRead(state.object()) ||
		r.Data.Notes.IsClaimed(run.Name{Kind: run.Group, Name: name}) {
		return false
	}
	// This is a move to another account, and no rename.
	if !plan.Account.Equal(state.Account) || config.Account.IsNull() && !plan.Account.Equal(r.Data.Account) {
		return false
	}
	ctx, cancel, ok := r.Data.PlanCheck(ctx)
	defer cancel()
	if !ok {
		return false
	}
	switch group, err := r.Data.Fleet.Directory.GroupNamed(ctx, name.Account, name.Name); {
	case err == nil && group != nil:
		return cloudserver.IDText(group.ID) == state.GroupID.ValueString()
	case err == nil, cloudserver.IsNotFound(err):
		missing := r.missingLocationError(ctx, plan, err, "If a resource of this configuration creates the group, or gives it this name, refer to it, "+
			"as in group = cloudserver_group.NAME.name, so that Terraform works on the group first. "+
			"Otherwise create the group, and run the same command again. "+tfkit.NothingChanged+" here.")
		diags.AddAttributeError(missing.at, "Cannot plan the move of "+state.title(), missing.detail)
	}
	return false
}

// accountOfGroup returns the account of the group with the configured ID. It is an error if no list of the service has
// the group, or if the groups of the likely account, the state's, cannot be read: the apply plans again, and a known
// value must not become unknown.
func (r *vmResource) accountOfGroup(ctx context.Context, state, plan *model, diags *diag.Diagnostics) types.String {
	ctx, cancel, ok := r.Data.PlanCheck(ctx)
	defer cancel()
	if !ok || !tfkit.Given(plan.GroupID) {
		return types.StringUnknown()
	}
	group, err := r.Data.Fleet.Directory.GroupByID(ctx, tfkit.IDOf(plan.GroupID), state.Account.ValueString())
	if group == nil && err == nil && tfkit.Given(state.Account) {
		_, err = r.Data.Fleet.Directory.Groups(ctx, state.Account.ValueString())
	}
	if err == nil && group != nil {
		return types.StringValue(group.Account)
	}
	detail := "The plan has to show which account the group belongs to. Run the same command again, or set account beside group_id."
	if err != nil {
		detail = tfkit.Detail(r.Data.PlanCheckError(err), detail)
	} else {
		detail = r.whyMissing(ctx, plan, path.Root("group_id")) + " Check group_id. " + detail
	}
	diags.AddAttributeError(path.Root("group_id"), "Cannot plan the move of "+state.title(), detail)
	return types.StringUnknown()
}

// moves reports whether the update moves the machine, or may do so.
func (m *common) moves(state *model) bool {
	if tfkit.Given(m.GroupID) && m.GroupID.Equal(state.GroupID) && m.Account.Equal(state.Account) {
		return false
	}
	return m.GroupID.IsUnknown() || !m.GroupID.Equal(state.GroupID) || !m.Group.Equal(state.Group) ||
		!m.Account.Equal(state.Account)
}

// refuseTwoGroups refuses group together with group_id if the group with that ID is known to have another name, or not
// to exist. Terraform writes both when a CLI that does not ask the provider generates the configuration of an import.
func (r *vmResource) refuseTwoGroups(ctx context.Context, state, config, plan *model, diags *diag.Diagnostics) {
	if !tfkit.Given(config.Group) || !tfkit.Given(config.GroupID) ||
		config.Group.Equal(state.Group) && config.GroupID.Equal(state.GroupID) || r.isRenamed(plan, config.GroupID) {
		return
	}
	ctx, cancel, ok := r.Data.PlanCheck(ctx)
	defer cancel()
	if !ok {
		return
	}
	if conflict, ok := errors.AsType[*attributeError](r.checkGroups(ctx, plan)); ok {
		diags.AddAttributeError(conflict.at, conflictingGroups, conflict.detail)
	}
}

const conflictingGroups = "Conflicting group and group_id"

// checkGroups returns an error if group and group_id are both configured and mean different groups. It sends a request
// only if both are.
func (r *vmResource) checkGroups(ctx context.Context, plan *model) error {
	if !tfkit.Given(plan.Group) || !tfkit.Given(plan.GroupID) {
		return nil
	}
	group, err := r.Data.Fleet.Directory.GroupByID(ctx, tfkit.IDOf(plan.GroupID), plan.Account.ValueString())
	switch {
	case err != nil:
		return err
	case group == nil:
		return &attributeError{path.Root("group_id"), fmt.Sprintf("Both group and group_id are configured, "+
			"and there is no group with the ID %s, or these credentials cannot see it. Remove one of the two.", plan.GroupID.ValueString())}
	}
	return plan.conflictingGroup(group)
}

// conflictingGroup returns an error if a group has another name than the plan's.
func (m *model) conflictingGroup(group *fleet.Group) error {
	if !tfkit.Given(m.Group) || !tfkit.Given(m.GroupID) || group.Name == m.Group.ValueString() {
		return nil
	}
	return &attributeError{path.Root("group"), fmt.Sprintf("Both group and group_id are configured, and the group with the ID %s is %q, not %q. "+
		"Remove one of the two: with group_id, a rename of the group changes nothing. "+
		"An argument in ignore_changes counts as configured.",
		m.GroupID.ValueString(), group.Name, m.Group.ValueString())}
}

// refuseThirdLocation handles a machine that somebody has moved to another account: it must not be moved to a group
// there that merely has the configured name.
func (d *decision) refuseThirdLocation() {
	account := d.account
	if !d.config.Account.IsNull() || !tfkit.Given(d.config.Group) || d.config.Group.Equal(d.state.Group) ||
		!tfkit.Given(account) || !tfkit.Given(d.state.Account) || account.Equal(d.state.Account) {
		return
	}
	d.refused.AddAttributeError(path.Root("account"), "Missing account of "+d.state.title(),
		fmt.Sprintf("The machine is in %s of account %s now, the provider's account is %s, and only the group %s is configured. "+
			"Set account = %[2]s to move the machine to that group of the account where it is, or account = %[3]s to move it to the provider's.",
			d.state.groupTitle(), d.state.Account, account, d.config.Group))
}

// warnMove warns of what changes for others when the machine moves.
func (d *decision) warnMove(diags *diag.Diagnostics) {
	if d.plan.moves(&d.state) {
		diags.AddAttributeWarning(path.Root("group"), "The update moves the machine",
			"The hostname of "+d.state.title()+" changes with its group, and its addresses may change. A reverse name that was set stays with the old address.")
	}
}

// missingLocation returns the attribute whose account or group was not found.
func (r *vmResource) missingLocation(ctx context.Context, m *model) path.Path {
	switch {
	case cloudserver.IsNotFound(r.Data.Fleet.Directory.Visible(ctx, m.Account.ValueString(), "")):
		return path.Root("account")
	case tfkit.Given(m.Group):
		return path.Root("group")
	}
	return path.Root("group_id")
}

// whyMissing explains the result of missingLocation, with the closest names. That may take a request.
func (r *vmResource) whyMissing(ctx context.Context, m *model, missing path.Path) string {
	account, directory := m.Account.ValueString(), r.Data.Fleet.Directory
	switch {
	case missing.Equal(path.Root("account")):
		return location.NoSuchAccount(ctx, r.Data.Defaults, directory, account)
	case missing.Equal(path.Root("group")):
		return location.NoSuchGroup(ctx, r.Data.Defaults, directory, account, m.Group.ValueString())
	}
	return "There is no group with the ID " + m.GroupID.ValueString() + ", or these credentials cannot see it."
}

// missingLocationError says which of account and group was not found, and what to do about it. denial is the service's
// answer, or nil if only a list lacks the group.
func (r *vmResource) missingLocationError(ctx context.Context, m *model, denial error, advice string) *attributeError {
	at := r.missingLocation(ctx, m)
	detail := r.whyMissing(ctx, m, at) + " " + advice
	if denial != nil {
		detail = tfkit.Detail(denial, detail)
	}
	return &attributeError{at, detail}
}

// missingAnswer is the account or the group that the question for a name has not found.
type missingAnswer struct {
	at path.Path // of the attribute that names it; empty if neither is missing
	// why is the explanation, with the closest names. It is "" if nothing is to be reported: a resource of this run
	// creates the group, or it was reported before.
	why string
}

// findMissing finds out which of account and group is missing. It returns an error if that cannot be said.
func (r *vmResource) findMissing(ctx context.Context, name fleet.Name, plan *model) (m missingAnswer, err error) {
	m.at = r.missingLocation(ctx, plan)
	switch {
	case m.at.Equal(path.Root("account")):
		if wrong := location.WrongPath(ctx, r.Data.Fleet.Directory); wrong != nil {
			return missingAnswer{}, wrong
		}
	case cloudserver.IsDigits(name.Group):
	case r.Data.Notes.IsClaimed(run.Name{Kind: run.Group, Name: fleet.Name{Account: name.Account, Name: name.Group}}),
		!r.Data.Notes.FirstTime(run.MissingGroup, name.Account+"/"+name.Group):
		return m, nil
	}
	m.why = r.whyMissing(ctx, plan, m.at)
	return m, nil
}

// judgeMissing distinguishes an account that is not visible, which is an error, from a group that another change of this
// plan may create.
func (d *decision) judgeMissing(name fleet.Name, m missingAnswer, diags *diag.Diagnostics) {
	switch {
	case m.why == "":
	case m.at.Equal(path.Root("account")):
		diags.AddAttributeError(m.at, fmt.Sprintf("The account %q does not exist or is not visible", name.Account), m.why)
	case cloudserver.IsDigits(name.Group): // no plan creates a group with such a name
		diags.AddAttributeError(m.at, fmt.Sprintf("Account %q has no %s", name.Account, d.plan.groupTitle()),
			m.why+" To select a group by its ID, use group_id.")
	default:
		diags.AddAttributeWarning(m.at, "The group does not exist yet",
			m.why+" Unless another resource creates the group before the machine, the apply fails. "+
				"Terraform keeps that order where group or group_id refers to the name or id of a cloudserver_group.")
	}
}

// findGroup finds the group to move to before anything is stopped, because it may not exist. A group that was only
// renamed is the same location.
func (u *update) findGroup(ctx context.Context) (err error) {
	if !u.change.moves {
		u.renamed = !u.plan.Group.Equal(u.state.Group) // its hostname changes as well
		return nil
	}
	var group *fleet.Group
	directory, account := u.resource.Data.Fleet.Directory, u.plan.Account.ValueString()
	if tfkit.Given(u.plan.GroupID) {
		group, err = directory.GroupByID(ctx, tfkit.IDOf(u.plan.GroupID), account)
	} else {
		group, err = directory.GroupNamed(ctx, account, u.plan.Group.ValueString())
	}
	switch {
	case err != nil && !cloudserver.IsNotFound(err):
		return err
	case group == nil:
		return u.resource.missingLocationError(ctx, &u.plan, err, "A machine moves to an existing group: create it first. "+tfkit.NothingChanged+".")
	case tfkit.Given(u.plan.Account) && group.Account != account:
		return &attributeError{path.Root("account"), fmt.Sprintf("The group %s belongs to the account %q, not to %q. "+
			tfkit.NothingChanged+". Change account or group_id.",
			u.plan.GroupID.ValueString(), group.Account, account)}
	}
	if conflict := u.plan.conflictingGroup(group); conflict != nil {
		return conflict
	}
	u.renamed = cloudserver.IDText(group.ID) == u.state.GroupID.ValueString()
	if !u.renamed {
		u.moveTo, u.moveAccount = &group.ID, group.Account
	}
	return nil
}

// readLocation determines the machine's account and group. The names in the state are kept while the hostname contains
// them. Otherwise they come from the service's lists of groups: a hostname cannot be split, because each of its parts
// may contain dots.
func (r *vmResource) readLocation(
	ctx context.Context, state, before *model, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics,
) {
	unchanged := tfkit.Given(before.Account) && tfkit.Given(before.Group) && state.GroupID.Equal(before.GroupID)
	if unchanged && state.hostNamesLocation() || vm.GroupID == 0 {
		return
	}
	group, err := r.Data.Fleet.Directory.GroupByID(ctx, vm.GroupID, state.Account.ValueString(),
		r.Data.Account.ValueString())
	switch {
	case err != nil && unchanged:
	case err != nil:
		state.addError(diags, "find the group of", err, "The state is unchanged. "+tfkit.Again(err))
	case group != nil:
		state.Account, state.Group = types.StringValue(group.Account), types.StringValue(group.Name)
	case !unchanged:
		// Of a group that cannot be listed, only the ID is known.
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

// fullTitle names the machine and its location in messages.
func (m *common) fullTitle() string {
	return m.title() + " in " + m.groupTitle() + " of account " + strconv.Quote(m.Account.ValueString())
}

func (m *common) groupTitle() string {
	if tfkit.Given(m.Group) {
		return "group " + strconv.Quote(m.Group.ValueString())
	}
	return "group " + m.GroupID.ValueString()
}
