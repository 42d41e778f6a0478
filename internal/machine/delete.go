// SPDX-License-Identifier: MPL-2.0

package machine

import (
	"context"
	"errors"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
)

// Delete purges or soft-deletes the machine, and waits until that is done. A machine that is gone already is no error.
func (m *Machine) Delete(ctx context.Context, purge bool) error {
	err := m.noteWrite(m.service.Client.DeleteVirtualMachine(ctx, m.Ref(), purge))
	switch {
	case errors.Is(err, cloudserver.ErrAccepted):
		never := func(*cloudserver.VirtualMachine) bool { return false }
		if err = m.Wait(ctx, "the machine to be deleted", never); inventory.IsDeletedOrGone(err) {
			return nil
		}
	case cloudserver.IsNotFound(err):
		// The machine is gone, or deleted as wanted, or the path leads to it no more, which is the error.
		vm, lookErr := m.LookAgain(ctx)
		switch {
		case inventory.IsGone(lookErr), lookErr == nil && vm.Deleted && !purge:
			return nil
		case lookErr != nil:
			return lookErr
		}
	}
	return err
}
