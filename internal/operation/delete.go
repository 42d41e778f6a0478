package operation

import (
	"context"
	"errors"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Delete deletes the machine wherever it is now.
func (o *Machine) Delete(ctx context.Context, shutDown, purge bool) error {
	if shutDown && o.On {
		if err := o.shutDown(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) && !cloudserver.IsNotFound(err) {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return o.write(ctx, func(ref cloudserver.Ref) error {
		return o.data.Client.DeleteVirtualMachine(ctx, ref, purge)
	}, nil)
}
