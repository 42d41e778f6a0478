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

// SetPower sets the power that the machine is meant to have in the end.
func (m *Machine) SetPower(ctx context.Context, wanted Power) error {
	var err error
	switch {
	case wanted.On:
		err = m.start(ctx)
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
	return m.Put(ctx, powerUpdate(nil, &wanted))
}

func powerUpdate(on, autoreboot *bool) cloudserver.VirtualMachineUpdate {
	return cloudserver.VirtualMachineUpdate{Settings: cloudserver.Settings{PowerOn: on, AutorebootOn: autoreboot}}
}

// Stop switches the machine off (API.md §3, power): gracefully, and hard if the guest has not shut down in time, unless
// that is to be an error. It sets autoreboot_on to false first, because the service would start the machine again.
func (m *Machine) Stop(ctx context.Context) error {
	if !m.power.On && m.power.Autoreboot { // the service is starting it, or has started it since
		if _, err := m.LookAgain(ctx); err != nil {
			return err
		}
	}
	switch {
	case m.power == Power{}:
		return nil
	case !m.power.On:
		return m.switchOff(ctx, nil)
	}
	reboots := m.power.Autoreboot
	err := m.shutDown(ctx)
	slow, ok := errors.AsType[*SlowGuest](err)
	if !ok {
		return err
	}
	if m.shutdown.Fail {
		return m.leaveOn(ctx, slow, reboots)
	}
	progress.Report(ctx, slow.Error()+": switching the machine off")
	return m.switchOff(ctx, slow)
}

// SlowGuest is a guest that was not seen to shut down in its time.
type SlowGuest struct {
	Waited  time.Duration
	Limited bool  // Waited is less than the shutdown timeout, because of the timeout of the operation
	Unseen  error // why the machine could not be read after that; nil: it was on
}

// Error describes what is known of the guest.
func (g *SlowGuest) Error() string {
	if g.Unseen != nil {
		return fmt.Sprintf("it is not known whether the guest has shut down within %s, because the machine cannot be read: %s",
			g.Waited, g.Unseen)
	}
	return fmt.Sprintf("the guest did not shut down within %s", g.Waited)
}

// shutDown asks the guest to power down. It waits no longer than the shutdown timeout, nor half of the operation's
// remaining time. After that, the error is a *SlowGuest, unless the operation is over as well.
func (m *Machine) shutDown(ctx context.Context) error {
	if m.power.Autoreboot {
		err := m.SetAutoreboot(ctx, false)
		m.enter(unguarded, err)
		if err != nil {
			return err
		}
	}
	progress.Report(ctx, "asking the guest to shut down")
	err := m.service.Client.PowerDown(ctx, m.Ref())
	m.noteWrite(err)
	m.enter(goingDown, err)
	if err != nil && cloudserver.StatusCode(err) != http.StatusBadRequest { // 400: it is already off
		return err
	}
	longest := m.shutdown.Timeout
	if end, ok := ctx.Deadline(); ok {
		longest = min(longest, time.Until(end)/2)
	}
	grace, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	err = m.Wait(grace, ShutDown, (*cloudserver.VirtualMachine).IsOff)
	if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
		return err
	}
	return m.lastLook(ctx, &SlowGuest{Waited: longest.Round(time.Second), Limited: longest < m.shutdown.Timeout})
}

// lastLook looks at the guest whose time is over once more, because it may have shut down while the service answered no
// read.
func (m *Machine) lastLook(ctx context.Context, slow *SlowGuest) error {
	vm, err := m.LookAgain(ctx)
	switch {
	case inventory.IsGone(err):
		return err
	case err != nil:
		slow.Unseen = err
	case vm.Deleted:
		return &inventory.DeletedError{Machine: vm}
	case vm.IsOff():
		return nil
	}
	return slow
}

// stillOnError is returned for a slow guest whose machine must not be switched off.
type stillOnError struct {
	guest   *SlowGuest
	reboots bool
	cause   error // why autoreboot_on could not be restored
}

// Error describes the machine, which is on, and what happens if the guest shuts down later.
func (e *stillOnError) Error() string {
	text := e.guest.Error() + `; on_shutdown_timeout is "fail", so the machine was not switched off`
	switch {
	case e.cause != nil:
		return fmt.Sprintf("%s; its autoreboot_on could not be set to true again: %s", text, e.cause)
	case e.reboots:
		return text + "; autoreboot_on is true again: the service starts it, should the guest still shut down"
	}
	return text + "; autoreboot_on is false: it stays off, should the guest still shut down"
}

// Unwrap returns why autoreboot_on could not be restored, or nil. The timeout of the guest is not one of the operation.
func (e *stillOnError) Unwrap() error { return e.cause }

// leaveOn leaves the machine on, and restores autoreboot_on, which was set to false before the guest was asked.
func (m *Machine) leaveOn(ctx context.Context, slow *SlowGuest, reboots bool) error {
	stillOn := &stillOnError{guest: slow, reboots: reboots}
	progress.Report(ctx, slow.Error()+": the machine is not switched off")
	if stillOn.cause = m.SetAutoreboot(ctx, reboots); stillOn.cause == nil && m.before.On {
		m.phase = leftOn
	}
	return stillOn
}

// Signal sends a signal to the machine (API.md §3, signal).
func (m *Machine) Signal(ctx context.Context, signal, data string) error {
	err := m.service.Client.Signal(ctx, m.Ref(), signal, data)
	m.noteWrite(err)
	return err
}

// switchOff switches the machine off hard. guest is the one that is cut off, if there is one.
func (m *Machine) switchOff(ctx context.Context, guest *SlowGuest) error {
	err := m.Put(ctx, powerUpdate(new(false), new(false)))
	m.enter(goingDown, err)
	if err != nil {
		return err
	}
	m.cutOff = guest
	return m.Wait(ctx, "the machine to be off", (*cloudserver.VirtualMachine).IsOff)
}

// start switches the machine on and waits until it is on.
func (m *Machine) start(ctx context.Context) error {
	if m.power.On {
		return nil
	}
	progress.Report(ctx, "starting the machine")
	err := m.Put(ctx, powerUpdate(new(true), new(true)))
	m.enter(goingUp, err)
	if err != nil {
		return err
	}
	return m.Wait(ctx, PoweredOn, (*cloudserver.VirtualMachine).IsOn)
}
