package cloudserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
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
	return read[VirtualMachine](ctx, c, call{
		method: http.MethodGet, path: []string{"virtual_machines", IDText(id)}, query: readQuery(options),
	}, id, "")
}

// VirtualMachineByName reads a machine by its name in a group (API.md §3). The
// error is ErrNotDescribed while it is being created.
func (c *Client) VirtualMachineByName(ctx context.Context, account, group, name string, options ...ReadOption) (*VirtualMachine, error) {
	path := groupPath(account, group, "virtual_machines")
	if IsDigits(name) { // a path would take it for an id
		missing := fmt.Sprintf("no virtual machine in the group has the name %q", name)
		return pick(ctx, c, path, readQuery(options), missing, func(vm VirtualMachine) bool { return vm.Name == name })
	}
	return read[VirtualMachine](ctx, c, call{method: http.MethodGet, path: append(path, name), query: readQuery(options)}, 0, name)
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
	return change[VirtualMachine](ctx, c, call{method: http.MethodPut, path: vm.path(), body: update, once: update.GroupID != nil}, vm.ID)
}

// DeleteVirtualMachine soft-deletes a machine, which keeps its name and
// addresses, or purges it for good (API.md §3). For one that is already gone
// the error is IsNotFound: the caller decides whether that is success.
// It is repeated: a second request does no harm.
func (c *Client) DeleteVirtualMachine(ctx context.Context, vm Ref, purge bool) error {
	request := call{method: http.MethodDelete, path: vm.path()}
	if purge {
		request.query = purgeQuery
	}
	_, err := c.do(ctx, request)
	return err
}

var purgeQuery = url.Values{"purge": {"true"}}

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

// VirtualMachineAt reads the machine that the path of a write to ref reaches
// (API.md §3). That may be another machine than ref's: one whose name is the id,
// where the service prefers names. The caller compares the ids.
func (c *Client) VirtualMachineAt(ctx context.Context, ref Ref, options ...ReadOption) (*VirtualMachine, error) {
	return read[VirtualMachine](ctx, c, call{method: http.MethodGet, path: ref.path(), query: readQuery(options)}, 0, "")
}

// ReadOption changes what a read of machines returns.
type ReadOption func(url.Values)

// IncludeDeleted is the [ReadOption] that also returns soft-deleted machines,
// which keep their names and addresses until they are purged.
func IncludeDeleted(query url.Values) { query.Set("include_deleted", "true") }

// WithoutOverview is the [ReadOption] that leaves out discs and network
// interfaces.
func WithoutOverview(query url.Values) { query.Del("view") }

// readQuery returns the query of a read: with discs and network interfaces, unless
// an option says otherwise.
func readQuery(options []ReadOption) url.Values {
	query := url.Values{"view": {"overview"}}
	for _, apply := range options {
		apply(query)
	}
	return query
}
