package cloudserver

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
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

func (g *Group) identity() (string, int64, string) { return "group", g.ID, g.Name }

// groupName is the body of calls that name a group.
type groupName struct {
	Name string `json:"name"`
}

// Group reads a group by name or id, without its machines (API.md §5).
func (c *Client) Group(ctx context.Context, account, group string) (*Group, error) {
	return read[Group](ctx, c, call{method: http.MethodGet, path: groupPath(account, group)}, 0, group)
}

// Groups reads the groups of an account, without their machines (API.md §5).
func (c *Client) Groups(ctx context.Context, account string) ([]Group, error) {
	return list[Group](ctx, c, []string{"accounts", account, "groups"}, nil)
}

// CreateGroup creates an empty group (API.md §5). look is what this process found out about the name before the
// request.
//
// After an ambiguous result, the group is looked up by its name, as machines are. If the name is taken, the error is a
// *NameTaken.
func (c *Client) CreateGroup(ctx context.Context, account, name string, look *Look) (*Group, error) {
	groups := []string{"accounts", account, "groups"}
	creation := creation[Group, *Group]{
		name: NameTaken{Kind: "group", Account: account, Name: name}, maxRetries: c.maxRetries, look: look, finished: new(atomic.Int64),
		post: func(ctx context.Context) (*Group, error) {
			return read[Group](
				ctx, c, call{method: http.MethodPost, path: groups, body: groupName{name}, unhurried: true}, 0, name,
			)
		},
		lookUp: func(ctx context.Context) (*Group, error) { // in the list, because a path takes digits for an ID
			return pick(
				ctx, c, groups, nil, fmt.Sprintf("no group has the name %q", name),
				func(g Group) bool { return g.Name == name },
			)
		},
		fits:  func(*Group, bool) bool { return true },
		adopt: func(found *Group, failure error) { found.Unconfirmed = failure },
	}
	return creation.run(ctx)
}

// RenameGroup renames the group that has the ID and the path element group (API.md §5). If the service does not return
// the group, it is read.
func (w Writer) RenameGroup(ctx context.Context, account, group string, id int64, name string) (*Group, error) {
	look := func() (*Group, error) {
		return pick(
			ctx, w.client, []string{"accounts", account, "groups"}, nil, fmt.Sprintf("no group has the id %d", id),
			func(g Group) bool { return g.ID == id },
		)
	}
	renamed, err := changeOne[Group](
		ctx, w, changes, call{method: http.MethodPut, path: groupPath(account, group), body: groupName{name}}, id,
	)
	renamed, err = lookAfter(renamed, err, look, func(now *Group) bool { return strings.EqualFold(now.Name, name) })
	if renamed != nil || err != nil {
		return renamed, err
	}
	return look()
}

// DeleteGroup deletes an empty group. For any other the service answers 400 (API.md §5).
func (w Writer) DeleteGroup(ctx context.Context, account, group string) error {
	_, err := w.do(ctx, destroys, call{method: http.MethodDelete, path: groupPath(account, group)})
	return err
}
