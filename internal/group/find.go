package group

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// find reads a group by its ID. It returns nil only if the group is known to be
// gone: its account is visible, and the group is not.
func (r *groupResource) find(ctx context.Context, m model) (*cloudserver.Group, error) {
	id, err := cloudserver.ParseID(m.ID.ValueString())
	account := m.Account.ValueString()
	if err == nil {
		err = r.Data.Directory.CheckAccount(ctx, account)
	}
	if err != nil {
		return nil, err
	}
	listed, listErr := r.Data.Directory.Find(ctx, account, id)
	if listed != nil {
		return &listed.Group, nil
	}
	// The list lacks the group, or failed: the group itself has the last word. An
	// answer for another group is one whose name is this ID.
	group, err := r.Data.Client.Group(ctx, account, m.ID.ValueString())
	switch {
	case err == nil && group.ID == id:
		return group, nil
	case listErr != nil && cloudserver.IsNotFound(err): // nobody has shown the account
		return nil, r.Data.ProveVisible(ctx, account)
	case listErr != nil:
		return nil, listErr
	case err == nil, cloudserver.IsNotFound(err):
		return nil, nil
	}
	return nil, err
}

// address returns the path element for a request that changes a group and reaches
// no other one.
func (r *groupResource) address(ctx context.Context, m model) (string, error) {
	group, err := r.find(ctx, m)
	account := m.Account.ValueString()
	switch {
	case err != nil:
		return "", err
	case group == nil:
		return "", cloudserver.NotListed("/accounts/"+account+"/groups", "no group has the ID "+m.ID.ValueString())
	case group.Name != "" && group.Name != m.Name.ValueString() || m.isOfAnotherAccount(group):
		return "", m.errOther(group)
	}
	return r.Data.Directory.Element(ctx, account, "", group.ID)
}

// isOfAnotherAccount reports whether the group is another one with the same ID. IDs
// are small numbers, and a state may be pointed at another service. A group stays
// in its account.
func (m *model) isOfAnotherAccount(group *cloudserver.Group) bool {
	return tfkit.Given(m.AccountID) && group.AccountID != 0 && tfkit.IDOf(m.AccountID) != group.AccountID
}

func (m *model) errOther(group *cloudserver.Group) error {
	return fmt.Errorf("the state has group %q (account ID %s) under the ID %d, and the service %q (account ID %d). It is a group of another service, or it was renamed after the last refresh. "+
		"Check endpoint, and which provider configuration this resource uses, and run plan to see what is there",
		m.Name.ValueString(), m.AccountID.ValueString(), group.ID, group.Name, group.AccountID)
}

// lookUp completes a model that has an ID or a name, as an import and a data source
// have. Verb completes "Cannot … group"; byName is how to give a name.
func (m *model) lookUp(ctx context.Context, data *tfkit.ProviderData, verb, byName string, diags *diag.Diagnostics) {
	summary := fmt.Sprintf("Cannot %s %s", verb, m.title())
	var group *cloudserver.Group
	id, err := int64(0), error(nil)
	if !m.ID.IsNull() {
		id, err = cloudserver.ParseID(m.ID.ValueString())
	}
	switch {
	case err != nil:
		diags.AddAttributeError(path.Root("id"), summary, tfkit.Detail(err, byName))
		return
	case m.Account.IsNull():
		m.Account, group, err = anywhere(ctx, data, id)
	default:
		group, err = lookUp(ctx, data, m.Account.ValueString(), m.Name.ValueString(), id)
	}
	account := m.Account.ValueString()
	switch {
	case err == nil:
		m.read(group)
	case !cloudserver.IsNotFound(err):
		tfkit.AddError(diags, summary, err, nil, "")
	case account != "" && cloudserver.IsNotFound(data.Directory.Visible(ctx, account)):
		diags.AddAttributeError(path.Root("account"), summary, tfkit.NoSuchAccount(ctx, data.Directory, account))
	case id == 0:
		diags.AddAttributeError(path.Root("name"), summary, tfkit.NoSuchGroup(ctx, data.Directory, account, m.Name.ValueString()))
	default:
		diags.AddAttributeError(path.Root("id"), summary,
			tfkit.Detail(err, "Check the ID: it must be that of a group, not of an account or a machine. "+byName))
	}
}

// lookUp finds a group of an account by its ID, or, without one, by its name. A
// path takes one for the other, so where digits are involved the list decides. It
// asks the service again, as a data source has to after a change elsewhere.
func lookUp(ctx context.Context, data *tfkit.ProviderData, account, name string, id int64) (*cloudserver.Group, error) {
	if err := data.Directory.CheckAccount(ctx, account); err != nil {
		return nil, err
	}
	element, what := name, fmt.Sprintf("name %q", name)
	wanted := func(g cloudserver.Group) bool { return g.Name == name }
	if id != 0 {
		element, what = cloudserver.IDText(id), fmt.Sprintf("ID %d", id)
		wanted = func(g cloudserver.Group) bool { return g.ID == id }
	}
	if id != 0 || !cloudserver.IsDigits(name) {
		if group, err := data.Client.Group(ctx, account, element); err != nil || wanted(*group) {
			return group, err
		}
	}
	groups, err := data.Client.Groups(ctx, account)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(groups, wanted)
	if i < 0 {
		return nil, cloudserver.NotListed("/accounts/"+account+"/groups", "no group has the "+what)
	}
	return &groups[i], nil
}

// anywhere finds a group by its ID in the provider's account, or else in any that
// the credentials can see: the service knows a group only as one of an account
// (API.md §5).
func anywhere(ctx context.Context, data *tfkit.ProviderData, id int64) (types.String, *cloudserver.Group, error) {
	likely := data.Account
	if likely.ValueString() != "" {
		group, err := lookUp(ctx, data, likely.ValueString(), "", id)
		if !cloudserver.IsNotFound(err) {
			return likely, group, err
		}
	}
	accounts, err := data.Client.Accounts(ctx)
	for _, account := range accounts {
		if account.Name == likely.ValueString() {
			continue
		}
		group, err := lookUp(ctx, data, account.Name, "", id)
		if !cloudserver.IsNotFound(err) && !cloudserver.IsForbidden(err) {
			return types.StringValue(account.Name), group, err
		}
	}
	if err == nil {
		err = cloudserver.NotListed("/accounts", fmt.Sprintf("no visible account has a group with the ID %d", id))
	}
	return likely, nil, err
}
