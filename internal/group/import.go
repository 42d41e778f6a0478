package group

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ImportState finds the group. The read that follows fills the state.
func (r *groupResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	if !r.Data.RequireReady("import a group", &resp.Diagnostics) {
		return
	}
	text := tfkit.ImportText(ctx, req, "id", &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	wanted, err := tfkit.ParseImportID(text, "account", "name")
	if err != nil {
		resp.Diagnostics.AddError("Invalid import ID of a group",
			tfkit.Detail(err, "Use the group's numeric ID (12), its name (production), or account/name (demo/production)."))
		return
	}
	found := model{ID: tfkit.IDOrNull(wanted.ID)}
	if wanted.ID == 0 {
		found.Name, found.Account = types.StringValue(wanted.Names["name"]), tfkit.StringOrNull(wanted.Names["account"])
		if found.Account.IsNull() {
			found.Account = r.Data.Account
		}
		if !tfkit.Given(found.Account) {
			resp.Diagnostics.AddError("Cannot import "+found.title(),
				"The ID contains no account, and the provider has no default. Use account/name, or set account in the provider block.")
			return
		}
	}
	found.lookUp(ctx, r.Data, "import", fmt.Sprintf("A group that is named %q is given as account/name.", cloudserver.IDText(wanted.ID)), &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), found.ID)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("account"), found.Account)...)
	found.identity().Save(ctx, resp.Identity, &resp.Diagnostics)
}

// ObserveState implements tfkit.Observed.
func (r *groupResource) ObserveState(memory *run.Memory, state tfkit.RawState) run.Object {
	var m struct {
		ID        string `json:"id"`
		Account   string `json:"account"`
		AccountID string `json:"account_id"`
	}
	state.Fill(&m)
	group := run.Object{Kind: run.Group, ID: m.ID}
	memory.Note(group, func(k *run.Known) {
		k.Account, k.AccountID = m.Account, tfkit.IDOf(types.StringValue(m.AccountID))
	})
	return group
}

// Subject implements tfkit.Observed.
func (r *groupResource) Subject(state tfkit.Attributes) run.Subject {
	s := run.Subject{Object: run.Object{Kind: run.Group, ID: state.Text("id")}, Title: state.Text("name")}
	if account := state.Text("account"); account != "" && s.Title != "" {
		s.Names = []run.Name{groupName(account, s.Title)}
	}
	return s
}

// groupName returns the name of a group as plans claim it.
func groupName(account, name string) run.Name {
	return run.Name{Kind: run.Group, Name: fleet.Name{Account: account, Name: name}}
}

// lookUp completes a model that has an ID or a name, for imports and data sources. verb completes "Cannot … group", and
// byName explains how to specify a name.
func (m *model) lookUp(ctx context.Context, p provider, verb, byName string, diags *diag.Diagnostics) {
	summary := fmt.Sprintf("Cannot %s %s", verb, m.title())
	if _, err := cloudserver.ParseID(m.ID.ValueString()); err != nil && !m.ID.IsNull() {
		diags.AddAttributeError(path.Root("id"), summary, tfkit.Detail(err, byName))
		return
	}
	group, err := m.listed(ctx, p.Fleet.Directory, p.Account.ValueString())
	account := m.Account.ValueString()
	switch {
	case err == nil:
		m.Account = types.StringValue(group.Account)
		m.read(&group.Group)
	case !cloudserver.IsNotFound(err):
		tfkit.AddError(diags, summary, err, nil, "")
	case account != "" && cloudserver.IsNotFound(p.Fleet.Directory.Visible(ctx, account, "")):
		diags.AddAttributeError(path.Root("account"), summary, location.NoSuchAccount(ctx, p.Defaults, p.Fleet.Directory, account))
	case m.ID.IsNull():
		diags.AddAttributeError(path.Root("name"), summary, location.NoSuchGroup(ctx, p.Defaults, p.Fleet.Directory, account, m.Name.ValueString()))
	default:
		diags.AddAttributeError(path.Root("id"), summary,
			tfkit.Detail(err, "Check the ID: it must be that of a group, not of an account or a machine. "+byName))
	}
}

// listed finds the group in the service's lists, because a path could take a name for an ID or the other way round.
// Without an account it searches all accounts. Before it reports that there is no such group, it requests the lists
// again, because somebody may have created it since. likely is the account that a group without one is probably in.
func (m *model) listed(ctx context.Context, directory *fleet.Directory, likely string) (group *fleet.Group, err error) {
	account, id := m.Account.ValueString(), tfkit.IDOf(m.ID)
	if err := directory.CheckAccount(ctx, account); err != nil {
		return nil, err
	}
	for range 2 {
		switch {
		case account == "":
			group, err = directory.GroupByID(ctx, id, likely)
		case id != 0:
			group, err = directory.GroupWithID(ctx, account, id)
		default:
			group, err = directory.GroupNamed(ctx, account, m.Name.ValueString())
		}
		if group != nil || err != nil {
			return group, err
		}
		directory.Changed()
	}
	if account == "" {
		return nil, cloudserver.NotListed("/accounts", fmt.Sprintf("no visible account has a group with the ID %d", id))
	}
	return nil, cloudserver.NotListed("/accounts/"+account+"/groups", "no such group is listed")
}
