package cloudserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// Account is an account and, in the overview, its groups (API.md §5).
type Account struct {
	ID        int64
	Name      string
	Suspended bool
	Groups    []Group // nil: the answer did not contain them
}

// UnmarshalJSON takes any JSON object.
func (a *Account) UnmarshalJSON(data []byte) error {
	var wire struct {
		ID        looseInt         `json:"id"`
		Name      looseText        `json:"name"`
		Suspended looseBool        `json:"suspended"`
		Groups    looseList[Group] `json:"groups"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return fmt.Errorf("an account was expected, not %s", kindOf(data))
	}
	*a = Account{
		ID: valueOf(wire.ID.value), Name: valueOf(wire.Name.value),
		Suspended: valueOf(wire.Suspended.value), Groups: wire.Groups.elements,
	}
	return nil
}

// Account reads an account by name or id, with its groups and their machines
// (API.md §5).
func (c *Client) Account(ctx context.Context, account string) (*Account, error) {
	return c.account(ctx, call{method: http.MethodGet, path: []string{"accounts", account}, query: overview()})
}

// AccountWithDeleted is Account with the soft-deleted machines (API.md §5).
func (c *Client) AccountWithDeleted(ctx context.Context, account string) (*Account, error) {
	return c.account(ctx, call{method: http.MethodGet, path: []string{"accounts", account}, query: readQuery([]ReadOption{IncludeDeleted})})
}

// AccountAlone reads an account by name or id, without its groups (API.md §5).
func (c *Client) AccountAlone(ctx context.Context, account string) (*Account, error) {
	return c.account(ctx, call{method: http.MethodGet, path: []string{"accounts", account}})
}

// account makes a call whose answer is an account.
func (c *Client) account(ctx context.Context, call call) (*Account, error) {
	answer, err := c.do(ctx, call)
	if err != nil {
		return nil, err
	}
	var found Account
	if err := answer.decode(&found); err != nil {
		return nil, err
	}
	if found.ID == 0 {
		return nil, answer.misunderstood(errors.New("it describes no account"))
	}
	if err := answer.checkNameOrID("account", found.ID, found.Name, call.path[len(call.path)-1]); err != nil {
		return nil, err
	}
	return &found, nil
}

// Accounts reads the accounts that the user may see, without their groups
// (API.md §5).
func (c *Client) Accounts(ctx context.Context) ([]Account, error) {
	return list[Account](ctx, c, []string{"accounts"}, nil)
}
