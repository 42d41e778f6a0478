// SPDX-License-Identifier: MPL-2.0

package machine

import (
	"context"
	"errors"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
)

// ShutDownToDelete shuts the guest down before the machine is deleted. If the guest ignores that, the machine is deleted
// nevertheless, unless that is to be an error.
func (m *Machine) ShutDownToDelete(ctx context.Context) error {
	if !m.power.On {
		return nil
	}
	reboots := m.power.Autoreboot
	err := m.shutDown(ctx)
	slow, isSlow := errors.AsType[*SlowGuest](err)
	switch {
	case isSlow && m.shutdown.Fail:
		return m.leaveOn(ctx, slow, reboots)
	case isSlow:
		m.cutOff = slow
		return nil
	case cloudserver.IsNotFound(err):
		return nil
	}
	return err
}

// Delete purges or soft-deletes the machine, and waits until that is done. A machine that is gone already is no error.
func (m *Machine) Delete(ctx context.Context, purge bool) error {
	err := m.service.Client.DeleteVirtualMachine(ctx, m.Ref(), purge)
	m.noteWrite(err)
	if errors.Is(err, cloudserver.ErrAccepted) {
		return m.awaitDeleted(ctx)
	}
	if cloudserver.IsNotFound(err) {
		err = m.checkDeleted(ctx, purge, err)
	}
	if inventory.IsGone(err) {
		return nil
	}
	return err
}

// checkDeleted returns what a 404 to the deletion means: the machine is gone, or deleted as wanted, or the path leads to
// it no more, which is the error.
func (m *Machine) checkDeleted(ctx context.Context, purge bool, denial error) error {
	vm, err := m.LookAgain(ctx)
	switch {
	case err != nil:
		return err
	case vm.Deleted && !purge:
		return nil
	}
	return denial
}

// awaitDeleted waits until a machine whose deletion the service has accepted is gone or soft-deleted.
func (m *Machine) awaitDeleted(ctx context.Context) error {
	never := func(*cloudserver.VirtualMachine) bool { return false }
	_, err := m.service.Inventory.Wait(ctx, m.location, "the machine to be deleted", never)
	if inventory.IsDeletedOrGone(err) {
		return nil
	}
	return err
}
