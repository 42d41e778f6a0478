package cloudserver

import (
	"context"
	"net/http"
	"strconv"
)

// The calls below also show machines that are soft-deleted (api.md §3), which
// hold their names and addresses until they are purged.

// VirtualMachineWithDeleted is VirtualMachine for a machine that may be
// soft-deleted.
func (c *Client) VirtualMachineWithDeleted(ctx context.Context, id int64) (*VirtualMachine, error) {
	answer, err := c.do(ctx, call{
		method: http.MethodGet, path: []string{"virtual_machines", strconv.FormatInt(id, 10)}, query: withDeleted(true),
	})
	if err != nil {
		return nil, err
	}
	return answer.describedMachine()
}

// VirtualMachinesWithDeleted is VirtualMachines with the soft-deleted ones.
func (c *Client) VirtualMachinesWithDeleted(ctx context.Context, account, group string) ([]VirtualMachine, error) {
	return list[VirtualMachine](ctx, c, groupPath(account, group, "virtual_machines"), withDeleted(true))
}

// AccountWithDeleted is Account with the soft-deleted machines (api.md §5).
func (c *Client) AccountWithDeleted(ctx context.Context, account string) (*Account, error) {
	return c.account(ctx, call{method: http.MethodGet, path: []string{"accounts", account}, query: withDeleted(true)})
}
