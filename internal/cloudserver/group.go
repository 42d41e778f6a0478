// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"context"
	"fmt"
	"net/http"
)

// Group is a group of machines in an account (API.md §5).
type Group struct {
	ID              int64            `json:"id"`
	AccountID       int64            `json:"account_id"`
	Name            string           `json:"name"`
	VirtualMachines []VirtualMachine `json:"virtual_machines"` // in an overview of the account; nil otherwise

	// Unconfirmed is the failure of the creation after which the group was found by its name. It is nil if the service
	// confirmed the creation.
	Unconfirmed error `json:"-"`
}

func (g *Group) identity() (kind string, id int64) { return "group", g.ID }

// groupName is the body of calls that name a group.
type groupName struct {
	Name string `json:"name"`
}

// groupPath returns a group's path followed by the given elements.
func groupPath(account, group string, rest ...string) []string {
	return append([]string{"accounts", account, "groups", group}, rest...)
}

// Group reads a group by name or ID, without its machines (API.md §5).
func (c *Client) Group(ctx context.Context, account, group string) (*Group, error) {
	return get[Group](ctx, c, call{method: http.MethodGet, path: groupPath(account, group)}, 0)
}

// Groups reads the groups of an account, without their machines (API.md §5).
func (c *Client) Groups(ctx context.Context, account string) ([]Group, error) {
	return getList[Group](ctx, c, []string{"accounts", account, "groups"}, nil)
}

// CreateGroup creates an empty group (API.md §5). After an ambiguous result, the group is looked up by its name, as
// [Client.CreateVirtualMachine] does. If the name is taken, the error is a *NameTaken.
func (c *Client) CreateGroup(ctx context.Context, account, name string) (*Group, error) {
	groups := []string{"accounts", account, "groups"}
	creation := creation[Group]{
		client: c, taken: NameTaken{Kind: "group", Account: account, Name: name},
		post: func(ctx context.Context) (*Group, error) {
			return get[Group](ctx, c, call{
				method: http.MethodPost, path: groups, body: groupName{name}, once: true, finish: true,
			}, 0)
		},
		lookUp: func(ctx context.Context) (*Group, error) { return c.groupNamed(ctx, account, name) },
		fits:   func(*Group) bool { return true },
		id:     func(found *Group) (int64, bool) { return found.ID, false },
		adopt:  func(found *Group, failure error) { found.Unconfirmed = failure },
	}
	return creation.run(ctx)
}

// groupNamed finds a group in the list of its account, because a path takes a name of digits for an ID.
func (c *Client) groupNamed(ctx context.Context, account, name string) (*Group, error) {
	groups, err := c.Groups(ctx, account)
	if err != nil {
		return nil, err
	}
	for i := range groups {
		if groups[i].Name == name {
			return &groups[i], nil
		}
	}
	return nil, NotListed("/accounts/"+account+"/groups", fmt.Sprintf("no group has the name %q", name))
}

// RenameGroup renames the group that has the ID and the path element group (API.md §5).
func (c *Client) RenameGroup(ctx context.Context, account, group string, id int64, name string) error {
	_, err := change[Group](ctx, c, call{
		method: http.MethodPut, path: groupPath(account, group), body: groupName{name},
	}, id)
	return err
}

// DeleteGroup deletes an empty group. For any other the service answers 400 (API.md §5).
func (c *Client) DeleteGroup(ctx context.Context, account, group string) error {
	_, err := c.do(ctx, call{method: http.MethodDelete, path: groupPath(account, group)})
	return err
}
