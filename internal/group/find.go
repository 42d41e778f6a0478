package group

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// find reads a group by its ID. It returns nil only if the group is known to be
// gone: its account is visible, and the group is not.
func (r *groupResource) find(ctx context.Context, m model) (*cloudserver.Group, error) {
	id, err := cloudserver.ParseID(m.ID.ValueString())
	if err != nil {
		return nil, err
	}
	account := m.Account.ValueString()
	if err := r.data.Directory.CheckAccount(ctx, account); err != nil {
		return nil, err
	}
	group, err := r.data.Directory.Find(ctx, account, id)
	if group != nil || cloudserver.IsNotFound(err) {
		return group, err
	}
	listErr := err
	// The list lacks the group, or failed: the group itself has the last word. An
	// answer for another group is one whose name is this ID.
	group, err = r.data.Client.GroupAlone(ctx, account, m.ID.ValueString())
	switch {
	case err == nil && group.ID == id:
		return group, nil
	case err == nil, cloudserver.IsNotFound(err):
		if listErr != nil {
			return nil, r.data.Directory.Visible(ctx, account)
		}
		return nil, nil
	case listErr != nil:
		return nil, listErr
	}
	return nil, err
}

// address returns the ID of a group, and the path element for a request that
// changes it and reaches no other group.
func (r *groupResource) address(ctx context.Context, m model) (id int64, element string, err error) {
	if id, err = cloudserver.ParseID(m.ID.ValueString()); err != nil {
		return 0, "", err
	}
	account := m.Account.ValueString()
	if err = r.data.Directory.CheckAccount(ctx, account); err != nil {
		return 0, "", err
	}
	element, err = r.data.Directory.Element(ctx, account, "", id)
	return id, element, err
}

// byName finds a group by its name alone: in a path, digits could mean an ID. It
// asks the service again, as a data source has to after a change elsewhere.
func byName(ctx context.Context, data *tfkit.ProviderData, account, name string) (*cloudserver.Group, error) {
	if err := data.Directory.CheckAccount(ctx, account); err != nil {
		return nil, err
	}
	if !cloudserver.IsDigits(name) {
		return data.Client.GroupAlone(ctx, account, name)
	}
	return listed(ctx, data, account, func(g cloudserver.Group) bool { return g.Name == name }, fmt.Sprintf("no group has the name %q", name))
}

// byID finds a group by its ID alone: in the account that is likely, or else in
// any that the credentials can see, because the service knows a group only as one
// of an account (API.md §5).
func byID(ctx context.Context, data *tfkit.ProviderData, likely types.String, id int64) (types.String, *cloudserver.Group, error) {
	if likely.ValueString() != "" {
		group, err := byIDIn(ctx, data, likely.ValueString(), id)
		if !cloudserver.IsNotFound(err) {
			return likely, group, err
		}
	}
	accounts, err := data.Client.Accounts(ctx)
	if err != nil {
		return likely, nil, err
	}
	for _, account := range accounts {
		if account.Name == likely.ValueString() {
			continue
		}
		group, err := byIDIn(ctx, data, account.Name, id)
		if !cloudserver.IsNotFound(err) && cloudserver.StatusCode(err) != http.StatusForbidden {
			return types.StringValue(account.Name), group, err
		}
	}
	return likely, nil, cloudserver.NotListed("/accounts", fmt.Sprintf("no visible account has a group with the ID %d", id))
}

// byIDIn finds a group of one account by its ID alone: a path could find another
// one that has this ID as its name.
func byIDIn(ctx context.Context, data *tfkit.ProviderData, account string, id int64) (*cloudserver.Group, error) {
	if err := data.Directory.CheckAccount(ctx, account); err != nil {
		return nil, err
	}
	group, err := data.Client.GroupAlone(ctx, account, cloudserver.IDText(id))
	if err != nil || group.ID == id {
		return group, err
	}
	return listed(ctx, data, account, func(g cloudserver.Group) bool { return g.ID == id }, fmt.Sprintf("no group has the ID %d", id))
}

func listed(ctx context.Context, data *tfkit.ProviderData, account string, wanted func(cloudserver.Group) bool, absence string) (*cloudserver.Group, error) {
	groups, err := data.Client.Groups(ctx, account)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(groups, wanted)
	if i < 0 {
		return nil, cloudserver.NotListed("/accounts/"+account+"/groups", absence)
	}
	return &groups[i], nil
}
