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

func (a *Account) identity() (string, int64, string) { return "account", a.ID, a.Name }

// Account reads an account by name or id, without its groups (API.md §5).
func (c *Client) Account(ctx context.Context, account string) (*Account, error) {
	return c.Overview(ctx, account, WithoutOverview)
}

// Overview reads an account by name or id, with its groups and their machines
// (API.md §5).
func (c *Client) Overview(ctx context.Context, account string, options ...ReadOption) (*Account, error) {
	return read[Account](
		ctx, c, call{method: http.MethodGet, path: []string{"accounts", account}, query: readQuery(options)}, 0,
		account,
	)
}

// Accounts reads the accounts that are visible to the user, without their groups (API.md §5).
func (c *Client) Accounts(ctx context.Context) ([]Account, error) {
	return list[Account](ctx, c, []string{"accounts"}, nil)
}
