package machine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

// SetPower sets the power that the machine is meant to have in the end.
func (m *Machine) SetPower(ctx context.Context, on, autoreboot bool) error {
	var err error
	switch {
	case on:
		err = m.start(ctx)
	case m.On || !autoreboot:
		err = m.Stop(ctx)
	}
	if err != nil {
		return err
	}
	return m.SetAutoreboot(ctx, autoreboot)
}

// SetAutoreboot sets autoreboot_on alone, and leaves the power that the machine has.
func (m *Machine) SetAutoreboot(ctx context.Context, wanted bool) error {
	if err := m.setAutoreboot(ctx, wanted); err != nil {
		return err
	}
	m.powered = true
	return nil
}

func (m *Machine) setAutoreboot(ctx context.Context, wanted bool) error {
	if wanted == m.Autoreboot {
		return nil
	}
	return m.Put(ctx, power(nil, &wanted))
}

func power(on, autoreboot *bool) cloudserver.VirtualMachineUpdate {
	return cloudserver.VirtualMachineUpdate{Settings: cloudserver.Settings{PowerOn: on, AutorebootOn: autoreboot}}
}

// Stop switches the machine off (API.md §3, power): gracefully, and hard if the guest has not shut down in time, unless
// that is to be an error. It sets autoreboot_on to false first, because the service would start the machine again.
func (m *Machine) Stop(ctx context.Context) error {
	if !m.On && m.Autoreboot { // the service is starting it, or has started it since
		if _, err := m.LookAgain(ctx); err != nil {
			return err
		}
	}
	switch {
	case !m.On && !m.Autoreboot:
		return nil
	case !m.On:
		return m.switchOff(ctx)
	}
	reboots := m.Autoreboot
	err := m.shutDown(ctx)
	if !isTooSlow(ctx, err) {
		return err
	}
	if m.shutdown.Fail {
		return m.leaveOn(ctx, err, reboots)
	}
	progress.Report(ctx, "the guest has not shut down in time: switching the machine off")
	return m.switchOff(ctx)
}

// isTooSlow reports whether the guest has not shut down within its time, while the operation has time left.
func isTooSlow(ctx context.Context, err error) bool {
	return errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil
}

// shutDown asks the guest to power down. It waits no longer than the shutdown timeout, nor half of the operation's
// remaining time.
func (m *Machine) shutDown(ctx context.Context) error {
	if err := m.setAutoreboot(ctx, false); err != nil {
		return err
	}
	progress.Report(ctx, "asking the guest to shut down")
	err := m.service.Client.PowerDown(ctx, m.Ref())
	m.noteWrite(err)
	m.touch(err)
	if err == nil || cloudserver.IsAmbiguous(err) {
		m.phase = shuttingDown
	}
	if err != nil && cloudserver.StatusCode(err) != http.StatusBadRequest { // 400: it is already off
		return err
	}
	longest := m.shutdown.Timeout
	if end, ok := ctx.Deadline(); ok {
		longest = min(longest, time.Until(end)/2)
	}
	grace, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	return m.Wait(grace, ShutDown, (*cloudserver.VirtualMachine).IsOff)
}

// stillOnError is returned for a guest that has not shut down in time, if its machine must not be switched off.
type stillOnError struct {
	waited  string // what was waited for, and how long
	reboots bool
	cause   error // why autoreboot_on could not be restored
}

// Error describes the machine, which is on, and what happens if the guest shuts down later.
func (e *stillOnError) Error() string {
	text := e.waited + `; on_shutdown_timeout is "fail", so the machine was not switched off`
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
func (m *Machine) leaveOn(ctx context.Context, tooSlow error, reboots bool) error {
	stillOn := &stillOnError{waited: "the guest has not shut down in time", reboots: reboots}
	if wait, ok := errors.AsType[*progress.Unfinished](tooSlow); ok {
		stillOn.waited = wait.Outcome()
	}
	progress.Report(ctx, "the guest has not shut down in time: the machine is not switched off")
	if stillOn.cause = m.setAutoreboot(ctx, reboots); stillOn.cause == nil && m.WasOn {
		m.powered, m.mayGoOff = reboots && m.WasAutoreboot, !reboots
	}
	return stillOn
}

// Signal sends a signal to the machine (API.md §3, signal).
func (m *Machine) Signal(ctx context.Context, signal, data string) error {
	err := m.service.Client.Signal(ctx, m.Ref(), signal, data)
	m.noteWrite(err)
	return err
}

func (m *Machine) switchOff(ctx context.Context) error {
	if err := m.Put(ctx, power(new(false), new(false))); err != nil {
		return err
	}
	return m.Wait(ctx, "the machine to be off", (*cloudserver.VirtualMachine).IsOff)
}

// start switches the machine on and waits until it is on.
func (m *Machine) start(ctx context.Context) error {
	if m.On {
		return nil
	}
	progress.Report(ctx, "starting the machine")
	if err := m.Put(ctx, power(new(true), new(true))); err != nil {
		return err
	}
	return m.Wait(ctx, PoweredOn, (*cloudserver.VirtualMachine).IsOn)
}
