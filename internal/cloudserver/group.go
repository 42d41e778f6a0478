package cloudserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
)

// Group is a group of machines in an account (API.md §5).
type Group struct {
	ID, AccountID   int64
	Name            string
	VirtualMachines []VirtualMachine // nil: the answer did not contain them
}

// UnmarshalJSON takes any JSON object.
func (g *Group) UnmarshalJSON(data []byte) error {
	var wire struct {
		ID              looseInt                  `json:"id"`
		AccountID       looseInt                  `json:"account_id"`
		Name            looseText                 `json:"name"`
		VirtualMachines looseList[VirtualMachine] `json:"virtual_machines"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return fmt.Errorf("a group was expected, not %s", kindOf(data))
	}
	*g = Group{
		ID: valueOf(wire.ID.value), AccountID: valueOf(wire.AccountID.value), Name: valueOf(wire.Name.value),
		VirtualMachines: wire.VirtualMachines.elements,
	}
	return nil
}

// groupName is the body of the calls that name a group.
type groupName struct {
	Name string `json:"name"`
}

// Group reads a group by name or id, with its machines (API.md §5).
func (c *Client) Group(ctx context.Context, account, group string) (*Group, error) {
	return c.group(ctx, call{method: http.MethodGet, path: groupPath(account, group), query: overview()})
}

// GroupAlone reads a group by name or id, without its machines (API.md §5).
func (c *Client) GroupAlone(ctx context.Context, account, group string) (*Group, error) {
	return c.group(ctx, call{method: http.MethodGet, path: groupPath(account, group)})
}

// Groups reads the groups of an account, without their machines (API.md §5).
func (c *Client) Groups(ctx context.Context, account string) ([]Group, error) {
	return list[Group](ctx, c, []string{"accounts", account, "groups"}, nil)
}

// RenameGroup renames the group with the id, which group addresses (API.md §5). It
// reads the group back where the service does not return it.
// It is repeated: a second request does no harm.
func (c *Client) RenameGroup(ctx context.Context, account, group string, id int64, name string) (*Group, error) {
	path := groupPath(account, group)
	renamed, err := put(ctx, c, call{path: path, body: groupName{name}}, "group", id, func(g *Group) int64 { return g.ID })
	if renamed != nil || err != nil {
		return renamed, err
	}
	groups, err := c.Groups(ctx, account)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(groups, func(g Group) bool { return g.ID == id })
	if i < 0 {
		return nil, NotListed("/accounts/"+account+"/groups", fmt.Sprintf("no group has the id %d", id))
	}
	return &groups[i], nil
}

// DeleteGroup deletes an empty group; the service answers 400 for another
// (API.md §5).
// It is repeated: a second request does no harm.
func (c *Client) DeleteGroup(ctx context.Context, account, group string) error {
	_, err := c.do(ctx, call{method: http.MethodDelete, path: groupPath(account, group)})
	return err
}

// group makes a call whose answer is a group.
func (c *Client) group(ctx context.Context, call call) (*Group, error) {
	answer, err := c.do(ctx, call)
	if err != nil {
		return nil, err
	}
	var group Group
	if err := answer.decode(&group); err != nil {
		return nil, err
	}
	if group.ID == 0 {
		return nil, answer.misunderstood(errors.New("it describes no group"))
	}
	if call.method == http.MethodGet {
		if err := answer.checkNameOrID("group", group.ID, group.Name, call.path[len(call.path)-1]); err != nil {
			return nil, err
		}
	}
	return &group, nil
}
