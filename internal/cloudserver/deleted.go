package cloudserver

import (
	"context"
	"net/http"
)

// AccountWithDeleted is Account with the soft-deleted machines (API.md §5).
func (c *Client) AccountWithDeleted(ctx context.Context, account string) (*Account, error) {
	return c.account(ctx, call{method: http.MethodGet, path: []string{"accounts", account}, query: readQuery([]ReadOption{IncludeDeleted})})
}
