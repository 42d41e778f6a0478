package cloudserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// ErrNotDescribed is the answer 202 to a read: the machine exists, but its
// creation has not progressed far enough to describe it (API.md §3).
var ErrNotDescribed = errors.New("the virtual machine is still being created and cannot be described yet")

// Ref identifies the machine that a call is about. Account and Group are names
// or numeric ids.
type Ref struct {
	Account, Group string
	ID             int64
}

// path returns the machine's path followed by the given elements.
func (r Ref) path(rest ...string) []string {
	return append(groupPath(r.Account, r.Group, "virtual_machines", IDText(r.ID)), rest...)
}

// groupPath returns a group's path followed by the given elements.
func groupPath(account, group string, rest ...string) []string {
	return append([]string{"accounts", account, "groups", group}, rest...)
}

// VirtualMachine reads a machine by its id, whatever group it is in now
// (API.md §3). The error is ErrNotDescribed while it is being created.
func (c *Client) VirtualMachine(ctx context.Context, id int64, options ...ReadOption) (*VirtualMachine, error) {
	answer, err := c.do(ctx, call{
		method: http.MethodGet, path: []string{"virtual_machines", IDText(id)}, query: readQuery(options),
	})
	if err != nil {
		return nil, err
	}
	vm, err := answer.describedMachine()
	if err != nil {
		return nil, err
	}
	if err := answer.checkID("virtual machine", vm.ID, id); err != nil {
		return nil, err
	}
	return vm, nil
}

// VirtualMachineByName reads a machine by its name in a group (API.md §3). The
// error is ErrNotDescribed while it is being created.
func (c *Client) VirtualMachineByName(ctx context.Context, account, group, name string, options ...ReadOption) (*VirtualMachine, error) {
	if isNumber(name) {
		return c.virtualMachineInList(ctx, account, group, name, options)
	}
	answer, err := c.do(ctx, call{
		method: http.MethodGet, path: groupPath(account, group, "virtual_machines", name), query: readQuery(options),
	})
	if err != nil {
		return nil, err
	}
	vm, err := answer.describedMachine()
	if err != nil {
		return nil, err
	}
	if err := answer.checkNameOrID("virtual machine", vm.ID, vm.Name, name); err != nil {
		return nil, err
	}
	return vm, nil
}

// virtualMachineInList finds a name that a path would take for an id.
func (c *Client) virtualMachineInList(ctx context.Context, account, group, name string, options []ReadOption) (*VirtualMachine, error) {
	path := groupPath(account, group, "virtual_machines")
	machines, err := c.VirtualMachines(ctx, account, group, options...)
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

// VirtualMachines reads all machines of a group (API.md §3).
func (c *Client) VirtualMachines(ctx context.Context, account, group string, options ...ReadOption) ([]VirtualMachine, error) {
	return list[VirtualMachine](ctx, c, groupPath(account, group, "virtual_machines"), readQuery(options))
}

// VirtualMachinesOfAccount reads the machines of all groups of an account
// (API.md §3).
func (c *Client) VirtualMachinesOfAccount(ctx context.Context, accountID int64, options ...ReadOption) ([]VirtualMachine, error) {
	query := readQuery(options)
	query.Set("account_id", IDText(accountID))
	return list[VirtualMachine](ctx, c, []string{"virtual_machines"}, query)
}

// UpdateVirtualMachine changes only the attributes that are set (API.md §3). The
// answer may lack discs; it is nil if the service did not return the machine. A
// move is sent once: the path may lead to another machine when it is done.
// Any other change is repeated.
func (c *Client) UpdateVirtualMachine(ctx context.Context, vm Ref, update VirtualMachineUpdate) (*VirtualMachine, error) {
	return put(ctx, c, call{path: vm.path(), body: update, once: update.GroupID != nil}, "virtual machine", vm.ID, func(vm *VirtualMachine) int64 { return vm.ID })
}

// DeleteVirtualMachine soft-deletes a machine, which keeps its name and
// addresses, or purges it for good (API.md §3). For one that is already gone
// the error is IsNotFound: the caller decides whether that is success.
// It is repeated: a second request does no harm.
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
// machine that is on; the service answers 400 otherwise (API.md §3).
// It is not repeated: a guest would be reset twice.
func (c *Client) Signal(ctx context.Context, vm Ref, signal, data string) error {
	_, err := c.do(ctx, signalCall(vm, signal, data))
	return err
}

// PowerDown sends "powerdown" to a machine whose autoreboot_on is false. It is
// repeated if its answer is lost: it either asks the same guest once more, or is
// answered 400 because the machine is off.
func (c *Client) PowerDown(ctx context.Context, vm Ref) error {
	call := signalCall(vm, "powerdown", "")
	call.repeatable = true
	_, err := c.do(ctx, call)
	return err
}

func signalCall(vm Ref, signal, data string) call {
	return call{method: http.MethodPost, path: vm.path("signal"), body: struct {
		Signal string `json:"signal"`
		Data   string `json:"data,omitempty"`
	}{signal, data}}
}

// describedMachine decodes the answer to a read of one machine.
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

// VirtualMachineAt reads the machine that the path of a write to ref reaches
// (API.md §3). That may be another machine than ref's: one whose name is the id,
// where the service prefers names. The caller compares the ids.
func (c *Client) VirtualMachineAt(ctx context.Context, ref Ref, options ...ReadOption) (*VirtualMachine, error) {
	answer, err := c.do(ctx, call{method: http.MethodGet, path: ref.path(), query: readQuery(options)})
	if err != nil {
		return nil, err
	}
	return answer.describedMachine()
}

// ReadOption changes what a read of machines returns.
type ReadOption func(url.Values)

// IncludeDeleted is the [ReadOption] that also returns soft-deleted machines,
// which keep their names and addresses until they are purged.
func IncludeDeleted(query url.Values) { query.Set("include_deleted", "true") }

// WithoutOverview is the [ReadOption] that leaves out discs and network
// interfaces.
func WithoutOverview(query url.Values) { query.Del("view") }

// readQuery returns the query of a read: the overview unless an option says
// otherwise.
func readQuery(options []ReadOption) url.Values {
	query := overview()
	for _, apply := range options {
		apply(query)
	}
	return query
}

// overview returns the query that asks for discs and network interfaces, too.
func overview() url.Values { return url.Values{"view": {"overview"}} }
