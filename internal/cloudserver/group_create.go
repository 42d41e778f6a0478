package cloudserver

import (
	"context"
	"fmt"
	"net/http"
	"slices"
)

// CreateGroup makes an empty group (api.md §5).
//
// Where it is not certain what a failed request did, the group is looked up by
// its name, as a machine is: names are unique in an account, so an empty group
// of that name is the one that was asked for, and never are there two.
func (c *Client) CreateGroup(ctx context.Context, account, name string) (*Group, error) {
	ambiguous := false
	for attempt := 0; ; attempt++ {
		group, err := c.group(ctx, call{
			method: http.MethodPost, path: []string{"accounts", account, "groups"}, body: groupName{name}, unhurried: true,
		})
		switch {
		case err == nil:
			return group, nil
		case ambiguous && isNameTaken(err):
		case !IsUnsure(err):
			return nil, err
		}
		ambiguous = true
		if group, lookErr := c.groupAfter(ctx, attempt, err, account, name); group != nil || lookErr != nil {
			return group, lookErr
		}
		if attempt >= c.maxRetries || ctx.Err() != nil || isNameTaken(err) {
			return nil, err
		}
	}
}

// groupAfter looks whether a failed attempt has made the group. Nil, nil: it
// has not, or the group of that name has machines and so is somebody's.
func (c *Client) groupAfter(ctx context.Context, attempt int, failure error, account, name string) (*Group, error) {
	if pause(ctx, backoff(attempt, -1)) != nil { // interrupted: look once more all the same
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), lastLook)
		defer cancel()
	}
	found, err := c.groupNamed(ctx, account, name)
	if err != nil {
		return nil, fmt.Errorf("%w; whether group %q exists could not be found out: %w", failure, name, err)
	}
	if found == nil || len(found.VirtualMachines) > 0 {
		return nil, nil
	}
	return found, nil
}

// groupNamed finds a group by its name, which a path would take for an id if it
// is a number, with all its machines. Nil, nil: there is none.
func (c *Client) groupNamed(ctx context.Context, account, name string) (*Group, error) {
	groups, err := c.Groups(ctx, account)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(groups, func(g Group) bool { return g.Name == name })
	if i < 0 {
		return nil, nil
	}
	return c.group(ctx, call{
		method: http.MethodGet, path: groupPath(account, fmt.Sprint(groups[i].ID)), query: readQuery([]ReadOption{IncludeDeleted}),
	})
}
