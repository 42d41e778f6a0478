package cloudserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// Group is a group of machines in an account (api.md §5).
type Group struct {
	ID, AccountID   int64
	Name            string
	VirtualMachines []VirtualMachine // nil: the answer did not tell
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

// Group reads a group by name or id, with its machines (api.md §5).
func (c *Client) Group(ctx context.Context, account, group string) (*Group, error) {
	return c.group(ctx, call{method: http.MethodGet, path: groupPath(account, group), query: overview()})
}

// GroupAlone reads a group by name or id, without its machines (api.md §5).
func (c *Client) GroupAlone(ctx context.Context, account, group string) (*Group, error) {
	return c.group(ctx, call{method: http.MethodGet, path: groupPath(account, group)})
}

// Groups reads the groups of an account, without their machines (api.md §5).
func (c *Client) Groups(ctx context.Context, account string) ([]Group, error) {
	return list[Group](ctx, c, []string{"accounts", account, "groups"}, nil)
}

// RenameGroup gives a group another name (api.md §5).
func (c *Client) RenameGroup(ctx context.Context, account, group, name string) (*Group, error) {
	return c.group(ctx, call{method: http.MethodPut, path: groupPath(account, group), body: groupName{name}})
}

// DeleteGroup deletes an empty group; 400 for another (api.md §5).
func (c *Client) DeleteGroup(ctx context.Context, account, group string) error {
	_, err := c.do(ctx, call{method: http.MethodDelete, path: groupPath(account, group)})
	return err
}

// group makes a call that a group is the answer to.
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
