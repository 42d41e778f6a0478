package operation

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

// SetPower sets the power that the machine is meant to have in the end.
func (o *Machine) SetPower(ctx context.Context, on, autoreboot bool) error {
	var err error
	switch {
	case on:
		err = o.start(ctx)
	case o.On || !autoreboot:
		err = o.Stop(ctx)
	}
	if err != nil {
		return err
	}
	if err := o.setAutoreboot(ctx, autoreboot); err != nil {
		return err
	}
	o.powered = true
	return nil
}

// LeavePower prevents RestorePower from changing the power.
func (o *Machine) LeavePower() { o.powered = true }

// SetAutoreboot sets autoreboot_on alone, and leaves the power that the machine has.
func (o *Machine) SetAutoreboot(ctx context.Context, wanted bool) error {
	err := o.setAutoreboot(ctx, wanted)
	o.powered = o.powered || err == nil
	return err
}

// KeepOff sets autoreboot_on of a machine that is off to false. Both attributes are sent, because the service may be
// starting the machine.
func (o *Machine) KeepOff(ctx context.Context) error {
	var err error
	if o.Autoreboot {
		err = o.switchOff(ctx)
	}
	o.powered = o.powered || err == nil
	return err
}

func (o *Machine) setAutoreboot(ctx context.Context, wanted bool) error {
	if wanted == o.Autoreboot {
		return nil
	}
	return o.Put(ctx, power(nil, &wanted))
}

func power(on, autoreboot *bool) cloudserver.VirtualMachineUpdate {
	return cloudserver.VirtualMachineUpdate{Settings: cloudserver.Settings{PowerOn: on, AutorebootOn: autoreboot}}
}

// Stop switches the machine off (API.md §3, power): gracefully, and hard if the guest has not shut down in time, unless
// that is to be an error. It sets autoreboot_on to false first, because the service would start the machine again.
func (o *Machine) Stop(ctx context.Context) error {
	if !o.On && o.Autoreboot { // the service is starting it, or has started it since
		if err := o.LookAgain(ctx); err != nil {
			return err
		}
	}
	switch {
	case !o.On && !o.Autoreboot:
		return nil
	case !o.On:
		return o.switchOff(ctx)
	}
	reboots := o.Autoreboot
	err := o.shutDown(ctx)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		if o.stillOn {
			return o.giveUp(ctx, err, reboots)
		}
		progress.Report(ctx, "the guest has not shut down in time: switching the machine off")
		err = o.switchOff(ctx)
	}
	return err
}

// StillOnError is returned for a guest that has not shut down in time, if its machine must not be switched off.
type StillOnError struct {
	waited  string // what was waited for, and how long
	reboots bool
	cause   error // why autoreboot_on could not be restored
}

// Error describes the machine, which is on, and what happens if the guest shuts down later.
func (e *StillOnError) Error() string {
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
func (e *StillOnError) Unwrap() error { return e.cause }

// giveUp leaves the machine on, and restores autoreboot_on, which was set to false before the guest was asked.
func (o *Machine) giveUp(ctx context.Context, waited error, reboots bool) error {
	stillOn := &StillOnError{waited: "the guest has not shut down in time", reboots: reboots}
	if wait, ok := errors.AsType[*fleet.WaitError](waited); ok {
		stillOn.waited = wait.Outcome()
	}
	progress.Report(ctx, "the guest has not shut down in time: the machine is not switched off")
	if stillOn.cause = o.setAutoreboot(ctx, reboots); stillOn.cause == nil && o.WasOn {
		o.powered, o.mayGoOff = reboots && o.WasAutoreboot, !reboots
	}
	return stillOn
}

// ErrMayGoOff reports that the guest was asked to shut down, has not done so in time, and may still do so. Nothing
// starts the machine then.
var ErrMayGoOff = errors.New("the guest was asked to shut down and may still do so, and autoreboot_on is false")

// MayGoOff reports whether the machine is on, and its guest may still shut down, after which nothing starts the machine.
func (o *Machine) MayGoOff() bool { return o.mayGoOff }

// shutDown asks the guest to power down. It waits no longer than the shutdown timeout, nor half of the operation's
// remaining time.
func (o *Machine) shutDown(ctx context.Context) error {
	if err := o.setAutoreboot(ctx, false); err != nil {
		return err
	}
	progress.Report(ctx, "asking the guest to shut down")
	err := o.write(ctx, nil, func(w cloudserver.Writer, ref cloudserver.Ref) error { return w.PowerDown(ctx, ref) })
	o.touch(err)
	if err == nil || cloudserver.IsAmbiguous(err) {
		o.phase = shuttingDown
	}
	if err != nil && cloudserver.StatusCode(err) != http.StatusBadRequest { // 400: it is already off
		return err
	}
	longest := o.shutdown
	if end, ok := ctx.Deadline(); ok {
		longest = min(longest, time.Until(end)/2)
	}
	grace, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	return o.Wait(grace, ShutDown, (*cloudserver.VirtualMachine).IsOff)
}

// Signal sends a signal to the machine (API.md §3, signal).
func (o *Machine) Signal(ctx context.Context, signal, data string) error {
	return o.write(ctx, nil, func(w cloudserver.Writer, ref cloudserver.Ref) error { return w.Signal(ctx, ref, signal, data) })
}

func (o *Machine) switchOff(ctx context.Context) error {
	if err := o.Put(ctx, power(new(false), new(false))); err != nil {
		return err
	}
	return o.Wait(ctx, "the machine to be off", (*cloudserver.VirtualMachine).IsOff)
}

// start switches the machine on and waits until it is on.
func (o *Machine) start(ctx context.Context) error {
	if o.On {
		return nil
	}
	progress.Report(ctx, "starting the machine")
	if err := o.Put(ctx, power(new(true), new(true))); err != nil {
		return err
	}
	off := 0 // looks in turn that show the machine as nobody leaves it who starts it
	err := o.Wait(ctx, PoweredOn, func(vm *cloudserver.VirtualMachine) bool {
		if off++; !vm.IsOff() || vm.AutorebootOn == nil || *vm.AutorebootOn {
			off = 0
		}
		return vm.IsOn() || off == LooksOff
	})
	if err == nil && !o.On {
		o.LeavePower()
		return ErrSwitchedOff
	}
	return err
}

// LooksOff is how many looks in turn show that somebody has switched a machine off while it was to come on. The service
// may answer one of them as it was before the request.
const LooksOff = 2

// ErrSwitchedOff reports that somebody has switched the machine off, and its autoreboot_on, while this operation waited
// for it to come on. Its power is left alone.
var ErrSwitchedOff = errors.New("somebody switched the machine off, and set autoreboot_on to false, after it was started; its power is left alone")

const (
	recoverTimeout   = 2 * time.Minute
	interruptTimeout = 20 * time.Second // of recoverTimeout: shorter than the time until an impatient user kills the process and loses the state
	imageTimeout     = time.Minute      // of recoverTimeout, for an image that may never be installed
	restoreEvery     = 3 * time.Second
)

// ErrSoftDeleted reports that the machine was soft-deleted in the meantime, so it has no power to restore.
var ErrSoftDeleted = errors.New("the machine is soft-deleted")

// CannotRestorePower is the summary of the warning about a machine whose power could not be restored.
const CannotRestorePower = "Cannot restore the power of the machine"

// PowerLeftAlone is the summary of the warning about a machine that somebody switched off while its power was restored.
const PowerLeftAlone = "The power of the machine is left alone"

// RestorePower restores the power that the machine had before the first operation, unless nothing has changed it or the
// machine already has the power that it is meant to have. It keeps trying for two minutes, or for 20 seconds after an
// interrupt. If the machine has no power to restore, the error is [ErrSoftDeleted], or [presence.IsGone] reports true
// for it. If somebody switches the machine off meanwhile, the error is [ErrSwitchedOff], and nothing is owed.
func (o *Machine) RestorePower(ctx context.Context) error {
	if !o.Touched || o.powered {
		return nil
	}
	if o.mayGoOff {
		return ErrMayGoOff
	}
	ctx, end := recovery(ctx)
	defer end()
	for {
		err := o.restoreOnce(ctx)
		if err == nil || presence.IsGone(err) || errors.Is(err, ErrSoftDeleted) || errors.Is(err, ErrSwitchedOff) || ctx.Err() != nil {
			return err
		}
		if cloudserver.Pause(ctx, restoreEvery) != nil {
			return err
		}
	}
}

// recovery returns the context for cleaning up after a failure or an interrupt.
func recovery(ctx context.Context) (context.Context, context.CancelFunc) {
	restoring, cancel := context.WithTimeout(cloudserver.Insist(context.WithoutCancel(ctx)), recoverTimeout)
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			time.AfterFunc(interruptTimeout, cancel)
		}
	})
	return restoring, func() {
		stop()
		cancel()
	}
}

// restoreOnce tries once to restore the power. If the service answers 404, it finds out whether the machine still
// exists.
func (o *Machine) restoreOnce(ctx context.Context) error {
	err := o.awaitStablePower(ctx)
	if err == nil {
		err = o.SetPower(ctx, o.WasOn, o.WasAutoreboot)
	}
	if !cloudserver.IsNotFound(err) {
		return err
	}
	vm, lookErr := presence.FindMachine(ctx, o.service.Fleet, o.service.Memory, o.address, func(ctx context.Context) (*cloudserver.VirtualMachine, error) {
		return o.service.Fleet.Look(ctx, o.address, cloudserver.IncludeDeleted)
	})
	switch {
	case lookErr != nil:
		return lookErr
	case vm.Deleted:
		return ErrSoftDeleted
	}
	o.ref = cloudserver.Ref{} // it was moved
	return err
}

// awaitStablePower waits until nothing that is under way can change the power any more: a reimage ends with the machine
// on, and a guest that was asked to shut down may still do so.
func (o *Machine) awaitStablePower(ctx context.Context) error {
	switch {
	case o.phase == installing:
		return o.Wait(ctx, installed, (*cloudserver.VirtualMachine).IsOn)
	case o.phase == maybeInstalling:
		maybe, cancel := context.WithTimeout(ctx, imageTimeout)
		defer cancel()
		if err := o.Wait(maybe, installed, (*cloudserver.VirtualMachine).IsOn); err != nil && maybe.Err() == nil {
			return err
		}
		if ctx.Err() == nil { // do not wait a second time for an image that has not come in a minute
			o.phase = idle
		}
		return ctx.Err()
	case o.phase == shuttingDown && o.WasAutoreboot:
		// The service itself brings back a guest that goes off now.
		if err := o.setAutoreboot(ctx, true); err != nil {
			return err
		}
	case o.phase == shuttingDown && o.On:
		return o.Wait(ctx, ShutDown, (*cloudserver.VirtualMachine).IsOff)
	}
	return o.LookAgain(ctx)
}
