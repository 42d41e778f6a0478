package cloudserver

import (
	"context"
	"fmt"
	"net/http"
	"slices"
)

// CreateGroup creates an empty group (API.md §5). Look is what this process knows
// of the name from before the request.
//
// Where the result of a request is ambiguous, the group is looked up by its name,
// as a machine is. A name that is taken is a *NameTaken.
func (c *Client) CreateGroup(ctx context.Context, account, name string, look *Look) (*Group, error) {
	creation := creation[Group]{
		what: fmt.Sprintf("group %q", name), maxRetries: c.maxRetries, look: look,
		post: func(ctx context.Context) (*Group, error) {
			return c.group(ctx, call{
				method: http.MethodPost, path: []string{"accounts", account, "groups"}, body: groupName{name}, unhurried: true,
			})
		},
		lookUp: func(ctx context.Context) (*Group, error) { return c.groupNamed(ctx, account, name) },
		id:     func(found *Group) int64 { return found.ID },
		fits:   func(*Group, bool) bool { return true },
		taken: func(holder *Group, err error) error {
			taken := &NameTaken{Account: account, Name: name, Err: err}
			if holder != nil {
				taken.ID = holder.ID
			}
			return taken
		},
	}
	return creation.run(ctx)
}

// groupNamed reads a group by its name. It finds the name in the list: a path would
// take digits for an id.
func (c *Client) groupNamed(ctx context.Context, account, name string) (*Group, error) {
	groups, err := c.Groups(ctx, account)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(groups, func(g Group) bool { return g.Name == name })
	if i < 0 {
		return nil, NotListed("/accounts/"+account+"/groups", fmt.Sprintf("no group has the name %q", name))
	}
	return &groups[i], nil
}
