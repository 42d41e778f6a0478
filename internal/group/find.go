package group

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// byName finds a group by its name. A name that is a number is looked for in the
// account's list: in a path it would mean an id.
func byName(ctx context.Context, client *cloudserver.Client, account, name string) (*cloudserver.Group, error) {
	if !isID(name) {
		return client.GroupAlone(ctx, account, name)
	}
	groups, err := client.Groups(ctx, account)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(groups, func(g cloudserver.Group) bool { return g.Name == name })
	if i < 0 {
		return nil, &cloudserver.Error{
			Method: http.MethodGet, Path: "/accounts/" + account + "/groups", StatusCode: http.StatusNotFound,
			Message: fmt.Sprintf("no group has the name %q", name),
		}
	}
	return &groups[i], nil
}

// byID finds a group by its id alone: in the account that is given, or else in
// any that the session may see, because the service knows a group only as one of
// an account (api.md §5).
func byID(ctx context.Context, client *cloudserver.Client, account types.String, id string) (types.String, *cloudserver.Group, error) {
	if account.ValueString() != "" {
		group, err := client.GroupAlone(ctx, account.ValueString(), id)
		if !cloudserver.IsNotFound(err) {
			return account, group, err
		}
	}
	accounts, err := client.Accounts(ctx)
	if err != nil {
		return account, nil, err
	}
	for _, a := range accounts {
		if a.Name == account.ValueString() {
			continue
		}
		group, err := client.GroupAlone(ctx, a.Name, id)
		if !cloudserver.IsNotFound(err) {
			return types.StringValue(a.Name), group, err
		}
	}
	return account, nil, &cloudserver.Error{
		Method: http.MethodGet, Path: "/accounts", StatusCode: http.StatusNotFound,
		Message: "no account has a group with the id " + id,
	}
}
