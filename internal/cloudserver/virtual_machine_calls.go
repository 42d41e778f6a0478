package cloudserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// ErrNotDescribed is the answer 202 to a look-up: the machine exists, but its
// creation has not got far enough to describe it (api.md §3).
var ErrNotDescribed = errors.New("the virtual machine is still being created and cannot be described yet")

// Ref says which machine a call is about. Account and Group are names or
// numeric ids.
type Ref struct {
	Account, Group string
	ID             int64
}

// path is the machine's path, with what follows it.
func (r Ref) path(rest ...string) []string {
	return append(groupPath(r.Account, r.Group, "virtual_machines", strconv.FormatInt(r.ID, 10)), rest...)
}

// groupPath is a group's path, with what follows it.
func groupPath(account, group string, rest ...string) []string {
	return append([]string{"accounts", account, "groups", group}, rest...)
}

// VirtualMachine reads a machine by its id, whatever group it is in now
// (api.md §3). ErrNotDescribed while it is being created.
func (c *Client) VirtualMachine(ctx context.Context, id int64, options ...ReadOption) (*VirtualMachine, error) {
	answer, err := c.do(ctx, call{
		method: http.MethodGet, path: []string{"virtual_machines", strconv.FormatInt(id, 10)}, query: readQuery(options),
	})
	if err != nil {
		return nil, err
	}
	return answer.describedMachine()
}

// VirtualMachineByName reads a machine by its name in a group, on request a
// soft-deleted one too (api.md §3). ErrNotDescribed while it is being created.
func (c *Client) VirtualMachineByName(ctx context.Context, account, group, name string, includeDeleted bool) (*VirtualMachine, error) {
	if isNumber(name) {
		return c.virtualMachineInList(ctx, account, group, name, includeDeleted)
	}
	answer, err := c.do(ctx, call{
		method: http.MethodGet, path: groupPath(account, group, "virtual_machines", name), query: withDeleted(includeDeleted),
	})
	if err != nil {
		return nil, err
	}
	return answer.describedMachine()
}

// virtualMachineInList finds a name that a path would take for an id.
func (c *Client) virtualMachineInList(ctx context.Context, account, group, name string, includeDeleted bool) (*VirtualMachine, error) {
	path := groupPath(account, group, "virtual_machines")
	machines, err := list[VirtualMachine](ctx, c, path, withDeleted(includeDeleted))
	if err != nil {
		return nil, err
	}
	for i := range machines {
		if machines[i].Name == name {
			return &machines[i], nil
		}
	}
	return nil, &Error{
		Method: http.MethodGet, Path: "/" + strings.Join(path, "/"), StatusCode: http.StatusNotFound,
		Message: fmt.Sprintf("no virtual machine in the group has the name %q", name),
	}
}

func isNumber(name string) bool {
	_, err := strconv.ParseUint(name, 10, 64)
	return err == nil
}

func withDeleted(include bool) url.Values {
	query := overview()
	if include {
		query.Set("include_deleted", "true")
	}
	return query
}

// VirtualMachines reads all machines of a group, with their discs and network
// interfaces, without the soft-deleted ones (api.md §3). What the machines point
// to is shared between calls, and must not be changed.
func (c *Client) VirtualMachines(ctx context.Context, account, group string, options ...ReadOption) ([]VirtualMachine, error) {
	return c.listMachines(ctx, groupPath(account, group, "virtual_machines"), readQuery(options))
}

// VirtualMachinesOfAccount reads the machines of all groups of an account
// (API.md §3). What the machines point to is shared between calls and must not
// be changed.
func (c *Client) VirtualMachinesOfAccount(ctx context.Context, accountID int64, options ...ReadOption) ([]VirtualMachine, error) {
	query := readQuery(options)
	query.Set("account_id", strconv.FormatInt(accountID, 10))
	return c.listMachines(ctx, []string{"virtual_machines"}, query)
}

// listMachines reads a list of machines, and decodes those that have changed
// since the same list was read last.
func (c *Client) listMachines(ctx context.Context, path []string, query url.Values) ([]VirtualMachine, error) {
	texts, err := list[json.RawMessage](ctx, c, path, query)
	if err != nil {
		return nil, err
	}
	joined := "/" + strings.Join(path, "/")
	machines, err := c.familiar.decode(joined+"?"+query.Encode(), texts)
	if err != nil {
		return nil, (&answer{method: http.MethodGet, path: joined, status: http.StatusOK}).misunderstood(err)
	}
	return machines, nil
}

// UpdateVirtualMachine changes the attributes that are set, and those alone
// (api.md §3). The answer may lack discs; it is nil if the service told nothing.
func (c *Client) UpdateVirtualMachine(ctx context.Context, vm Ref, update VirtualMachineUpdate) (*VirtualMachine, error) {
	return put(ctx, c, vm.path(), update, func(vm *VirtualMachine) bool { return vm.ID != 0 })
}

// DeleteVirtualMachine soft-deletes a machine, which keeps its name and
// addresses, or purges it for good (api.md §3). One that is gone already is
// IsNotFound: the caller decides whether that is success.
func (c *Client) DeleteVirtualMachine(ctx context.Context, vm Ref, purge bool) error {
	_, err := c.do(ctx, call{method: http.MethodDelete, path: vm.path(), query: purgeQuery(purge)})
	return err
}

func purgeQuery(purge bool) url.Values {
	if !purge {
		return nil
	}
	return url.Values{"purge": {"true"}}
}

// Signal sends "powerdown", "reset" or "sendkey" (with the keys in data) to a
// machine that is on; 400 otherwise (api.md §3).
func (c *Client) Signal(ctx context.Context, vm Ref, signal, data string) error {
	body := struct {
		Signal string `json:"signal"`
		Data   string `json:"data,omitempty"`
	}{signal, data}
	_, err := c.do(ctx, call{method: http.MethodPost, path: vm.path("signal"), body: body})
	return err
}

// describedMachine reads the answer to a look-up.
func (a *answer) describedMachine() (*VirtualMachine, error) {
	if a.status == http.StatusAccepted {
		return nil, fmt.Errorf("%s %s: %w", a.method, a.path, ErrNotDescribed)
	}
	var vm VirtualMachine
	if err := a.decode(&vm); err != nil {
		return nil, err
	}
	if vm.ID == 0 {
		return nil, a.misunderstood(errors.New("it describes no virtual machine"))
	}
	return &vm, nil
}
