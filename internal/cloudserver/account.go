// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"context"
	"net/http"
)

// Account is an account and, in an overview, its groups (API.md §5).
type Account struct {
	ID        int64   `json:"id"`
	Name      string  `json:"name"`
	Suspended bool    `json:"suspended"`
	Groups    []Group `json:"groups"` // nil: not in the answer
}

func (a *Account) identity() (kind string, id int64) { return "account", a.ID }

// Account reads an account by name or ID, without its groups (API.md §5).
func (c *Client) Account(ctx context.Context, account string) (*Account, error) {
	return c.Overview(ctx, account, WithoutOverview)
}

// Overview reads an account by name or ID, with its groups and their machines (API.md §5).
func (c *Client) Overview(ctx context.Context, account string, options ...ReadOption) (*Account, error) {
	return get[Account](ctx, c, call{
		method: http.MethodGet, path: []string{"accounts", account}, query: readQuery(options),
	}, 0)
}

// Accounts reads the accounts that are visible to the user, without their groups (API.md §5).
func (c *Client) Accounts(ctx context.Context) ([]Account, error) {
	return getList[Account](ctx, c, []string{"accounts"}, nil)
}
