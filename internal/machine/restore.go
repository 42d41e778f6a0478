// SPDX-License-Identifier: MPL-2.0

package machine

import (
	"context"
	"errors"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

// phase is how far the operations have brought the power of a machine. After a failure, it alone decides whether and how
// the power is restored.
type phase int

const (
	// untouched: no request may have changed the power.
	untouched phase = iota
	// goingDown: autoreboot_on was set to false, the guest was asked to shut down, or the machine is being switched off.
	goingDown
	// leftOn: the guest has not shut down in time, and its machine must not be switched off. It may still go off.
	leftOn
	// down: the machine was seen off.
	down
	// goingUp: the machine was started, or an image was requested, after which the service starts it.
	goingUp
	// settled: the machine has its final power.
	settled
)

// enter begins a phase, if a request with this outcome may have acted.
func (m *Machine) enter(next phase, outcome error) {
	if mayHaveActed(outcome) {
		m.phase = next
	}
}

// MayBeDown reports whether the operations may have taken down a machine that was on.
func (m *Machine) MayBeDown() bool { return m.before.On && m.phase != untouched }

// WasDown reports whether the operations have changed the power, and the machine was off before or meanwhile.
func (m *Machine) WasDown() bool { return m.phase >= down || m.phase != untouched && !m.before.On }

// MayGoOff reports whether the machine is on, and its guest may still shut down, after which nothing starts the machine.
func (m *Machine) MayGoOff() bool { return m.phase == leftOn && !m.power.Autoreboot }

const (
	restoreTimeout   = 2 * time.Minute
	interruptTimeout = 20 * time.Second // of restoreTimeout: shorter than the time until an impatient user kills the process
	imageTimeout     = time.Minute      // of restoreTimeout, for an image that may never be installed
	restoreEvery     = 3 * time.Second
)

// errMayGoOff is the error of RestorePower while MayGoOff: the machine is on, but may not stay on.
var errMayGoOff = errors.New("the guest was asked to shut down and may still do so, and autoreboot_on is false")

// RestorePower restores the power that the machine had before the first operation, after a failure, unless nothing has
// changed it or the machine already has the power that it is meant to have. It keeps trying for two minutes, or for 20
// seconds after an interrupt. The error has the last failure. If the machine is gone or soft-deleted,
// inventory.IsDeletedOrGone reports true for it.
func (m *Machine) RestorePower(ctx context.Context) error {
	switch {
	case m.MayGoOff():
		return errMayGoOff
	case m.phase == untouched, m.phase == settled, m.phase == leftOn: // autoreboot_on starts it again
		return nil
	}
	caller := ctx
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), restoreTimeout)
	defer cancel()
	unwatch := context.AfterFunc(caller, func() {
		if errors.Is(caller.Err(), context.Canceled) {
			time.AfterFunc(interruptTimeout, cancel)
		}
	})
	defer unwatch()
	var last error
	var reported time.Time
	for {
		err := m.restoreOnce(ctx)
		if err == nil || inventory.IsDeletedOrGone(err) {
			return err
		}
		if ctx.Err() == nil || last == nil {
			last = err
		}
		if time.Since(reported) >= progress.ReportEvery {
			reported = time.Now()
			progress.Report(ctx, "cannot restore its power yet: "+last.Error())
		}
		if cloudserver.Pause(ctx, restoreEvery) != nil {
			return last
		}
	}
}

// restoreOnce tries once to restore the power.
func (m *Machine) restoreOnce(ctx context.Context) error {
	err := m.awaitStablePower(ctx)
	if err != nil && !cloudserver.IsNotFound(err) {
		return err
	}
	vm, lookErr := m.LookAgain(ctx) // it may have been moved, or be gone
	switch {
	case lookErr != nil:
		return lookErr
	case vm.Deleted:
		return &inventory.DeletedError{Machine: vm}
	case err != nil:
		return err
	}
	wasDown := m.WasDown()
	if err := m.SetPower(ctx, m.before); err != nil {
		return err
	}
	if !wasDown {
		m.phase = untouched
	}
	return nil
}

// awaitStablePower waits until nothing that is under way can change the power any more: a reimage ends with the machine
// on, and a guest that was asked to shut down may still do so.
func (m *Machine) awaitStablePower(ctx context.Context) error {
	switch {
	case m.phase == goingUp && m.image == accepted && !m.power.On:
		return m.Wait(ctx, installed, (*cloudserver.VirtualMachine).IsOn)
	case m.phase == goingUp && m.image == maybeImage:
		return m.awaitPossibleImage(ctx)
	case m.phase == goingDown && m.before.Autoreboot:
		// The service itself brings back a guest that goes off now.
		return m.SetAutoreboot(ctx, true)
	case m.phase == goingDown && m.power.On:
		return m.Wait(ctx, ShutDown, (*cloudserver.VirtualMachine).IsOff)
	}
	return nil
}

// awaitPossibleImage waits, once and for a minute, for an image that may be being installed.
func (m *Machine) awaitPossibleImage(ctx context.Context) error {
	possibly, cancel := context.WithTimeout(ctx, imageTimeout)
	defer cancel()
	err := m.Wait(possibly, installed, (*cloudserver.VirtualMachine).IsOn)
	if err != nil && (possibly.Err() == nil || ctx.Err() != nil) {
		return err
	}
	m.image = noImage
	return nil
}
