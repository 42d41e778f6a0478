package fleet

import (
	"context"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Stranger is Holder. It goes with its last caller.
func (f *Fleet) Stranger(ctx context.Context, account, group, name string) (*cloudserver.VirtualMachine, error) {
	return f.Holder(ctx, account, group, name)
}

// WaitGone returns at once: 204 is the end of a delete. It goes with its last
// caller.
func (f *Fleet) WaitGone(context.Context, Machine) error { return nil }
