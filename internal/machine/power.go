// SPDX-License-Identifier: MPL-2.0

package machine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

// SetPower sets the power that the machine is meant to have in the end, and waits until it has it.
func (m *Machine) SetPower(ctx context.Context, wanted Power) error {
	var err error
	switch {
	case wanted.On && m.power.On: // only autoreboot_on may change
	case wanted.On:
		progress.Report(ctx, "starting the machine")
		if err = m.putPower(ctx, goingUp, new(true), new(true)); err == nil {
			err = m.Wait(ctx, PoweredOn, (*cloudserver.VirtualMachine).IsOn)
		}
	case m.power.On || !wanted.Autoreboot:
		err = m.Stop(ctx)
	}
	if err == nil {
		err = m.SetAutoreboot(ctx, wanted.Autoreboot)
	}
	if err == nil {
		m.phase = settled
	}
	return err
}

// SetAutoreboot sets autoreboot_on alone, and leaves the power that the machine has.
func (m *Machine) SetAutoreboot(ctx context.Context, wanted bool) error {
	if wanted == m.power.Autoreboot {
		return nil
	}
	return m.putPower(ctx, m.phase, nil, &wanted)
}

// putPower changes the power, and begins a phase if the request may have acted.
func (m *Machine) putPower(ctx context.Context, next phase, on, autoreboot *bool) error {
	settings := cloudserver.Settings{PowerOn: on, AutorebootOn: autoreboot}
	err := m.Put(ctx, cloudserver.VirtualMachineUpdate{Settings: settings})
	m.enter(next, err)
	return err
}

// Stop switches the machine off (API.md §3, power): gracefully, and hard if the guest has not shut down in time, unless
// that is to be an error.
func (m *Machine) Stop(ctx context.Context) error {
	if !m.power.On && m.power.Autoreboot { // the service is starting it, or has started it since
		if _, err := m.LookAgain(ctx); err != nil {
			return err
		}
	}
	if (m.power == Power{}) {
		return nil
	}
	var slow *SlowGuest
	if m.power.On {
		var err error
		if slow, err = m.shutDown(ctx); err != nil || slow == nil {
			return err
		}
		progress.Report(ctx, slow.String()+": switching the machine off")
	}
	if err := m.putPower(ctx, goingDown, new(false), new(false)); err != nil {
		return err
	}
	m.cutOff = slow
	return m.Wait(ctx, "the machine to be off", (*cloudserver.VirtualMachine).IsOff)
}

// ShutDownToDelete shuts the guest down before the machine is deleted. If the guest ignores that, the machine is deleted
// nevertheless, unless that is to be an error.
func (m *Machine) ShutDownToDelete(ctx context.Context) error {
	if !m.power.On {
		return nil
	}
	slow, err := m.shutDown(ctx)
	m.cutOff = slow
	if cloudserver.IsNotFound(err) {
		return nil // the deletion finds out why
	}
	return err
}

// SlowGuest is a guest that was not seen to shut down in its time.
type SlowGuest struct {
	Waited  time.Duration
	Limited bool  // Waited is less than the shutdown timeout, because of the timeout of the operation
	Unseen  error // why the machine could not be read after that; nil: it was on
}

// String describes what is known of the guest.
func (g *SlowGuest) String() string {
	if g.Unseen != nil {
		return fmt.Sprintf("it is not known whether the guest has shut down within %s, because the machine cannot be read: %s",
			g.Waited, g.Unseen)
	}
	return fmt.Sprintf("the guest did not shut down within %s", g.Waited)
}

// shutDown asks the guest to power down. It waits no longer than the shutdown timeout, nor half of the operation's
// remaining time. It returns a guest that was not seen to shut down until then, unless that is to be an error.
func (m *Machine) shutDown(ctx context.Context) (*SlowGuest, error) {
	reboots := m.power.Autoreboot
	if reboots { // the service would start the machine again
		if err := m.putPower(ctx, goingDown, nil, new(false)); err != nil {
			return nil, err
		}
	}
	progress.Report(ctx, "asking the guest to shut down")
	err := m.noteWrite(m.service.Client.PowerDown(ctx, m.Ref()))
	m.enter(goingDown, err)
	if err != nil && cloudserver.StatusCode(err) != http.StatusBadRequest { // 400: it is already off
		return nil, err
	}
	longest := m.shutdown.Timeout
	if end, ok := ctx.Deadline(); ok {
		longest = min(longest, time.Until(end)/2)
	}
	grace, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	err = m.Wait(grace, ShutDown, (*cloudserver.VirtualMachine).IsOff)
	if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
		return nil, err
	}
	slow := &SlowGuest{Waited: longest.Round(time.Second), Limited: longest < m.shutdown.Timeout}
	vm, err := m.LookAgain(ctx) // the guest may have shut down while the service answered no read
	switch {
	case inventory.IsGone(err):
		return nil, err
	case err != nil:
		slow.Unseen = err
	case vm.Deleted:
		return nil, &inventory.DeletedError{Machine: vm}
	case vm.IsOff():
		return nil, nil
	}
	if m.shutdown.Fail {
		return nil, m.leaveOn(ctx, slow, reboots)
	}
	return slow, nil
}

// leaveOn leaves the machine on, and restores autoreboot_on, which was set to false before the guest was asked. It returns
// an error that says so. It does not wrap the timeout of the guest, which is not one of the operation.
func (m *Machine) leaveOn(ctx context.Context, slow *SlowGuest, reboots bool) error {
	progress.Report(ctx, slow.String()+": the machine is not switched off")
	text := slow.String() + `; on_shutdown_timeout is "fail", so the machine was not switched off`
	if err := m.SetAutoreboot(ctx, reboots); err != nil {
		return fmt.Errorf("%s; its autoreboot_on could not be set to true again: %w", text, err)
	}
	m.phase = leftOn
	if reboots {
		return errors.New(text + "; autoreboot_on is true again: the service starts it, should the guest still shut down")
	}
	return errors.New(text + "; autoreboot_on is false: it stays off, should the guest still shut down")
}

// Signal sends a signal to the machine (API.md §3, signal).
func (m *Machine) Signal(ctx context.Context, signal, data string) error {
	return m.noteWrite(m.service.Client.Signal(ctx, m.Ref(), signal, data))
}
