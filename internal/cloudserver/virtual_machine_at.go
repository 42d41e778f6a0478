package cloudserver

import (
	"context"
	"net/http"
)

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
