package operation

import (
	"context"
	"errors"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Delete deletes the machine wherever it is now.
func (o *Machine) Delete(ctx context.Context, shutDown, purge bool) error {
	if shutDown && o.On {
		err := o.shutDown(ctx)
		deaf := errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil
		if err != nil && !deaf && !cloudserver.IsNotFound(err) {
			return err
		}
	}
	return o.write(ctx, func(ref cloudserver.Ref) error {
		return o.data.Client.DeleteVirtualMachine(ctx, ref, purge)
	}, nil)
}
