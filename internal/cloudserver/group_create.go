package cloudserver

import (
	"context"
	"fmt"
	"net/http"
	"slices"
)

// CreateGroup creates an empty group (API.md §5). Existing is the account's groups
// just before, nil where that is unknown: after an ambiguous result a group of
// the name is returned only if it is known to be new.
//
// Where the result of a request is ambiguous, the group is looked up by its name,
// as a machine is. A name that is taken is a *NameTaken.
func (c *Client) CreateGroup(ctx context.Context, account, name string, existing []Group) (*Group, error) {
	creation := creation[Group]{
		what: fmt.Sprintf("group %q", name), maxRetries: c.maxRetries,
		post: func(ctx context.Context) (*Group, error) {
			return c.group(ctx, call{
				method: http.MethodPost, path: []string{"accounts", account, "groups"}, body: groupName{name}, unhurried: true,
			})
		},
		lookUp: func(ctx context.Context) (*Group, error) { return c.groupNamed(ctx, account, name) },
		owner: func(found *Group) owner {
			switch {
			case len(found.VirtualMachines) > 0 || slices.ContainsFunc(existing, func(g Group) bool { return g.ID == found.ID }):
				return theirs
			case existing == nil:
				return unclear
			}
			return ours
		},
		taken: func(holder *Group, err error) error {
			taken := &NameTaken{Account: account, Name: name, Err: err}
			if holder != nil {
				taken.ID = holder.ID
			}
			return taken
		},
	}
	group, _, err := creation.run(ctx)
	return group, err
}

// groupNamed reads a group by its name, with all its machines, soft-deleted ones
// included. It finds the name in the list: a path would take digits for an id.
func (c *Client) groupNamed(ctx context.Context, account, name string) (*Group, error) {
	groups, err := c.Groups(ctx, account)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(groups, func(g Group) bool { return g.Name == name })
	if i < 0 {
		return nil, NotListed("/accounts/"+account+"/groups", fmt.Sprintf("no group has the name %q", name))
	}
	found := groups[i]
	found.VirtualMachines, err = c.VirtualMachines(ctx, account, IDText(found.ID), IncludeDeleted, WithoutOverview)
	if err != nil {
		return nil, err
	}
	return &found, nil
}
