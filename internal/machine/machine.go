// SPDX-License-Identifier: MPL-2.0

// Package machine carries out single operations on one virtual machine (API.md §3, §4): it changes it, stops and starts
// it, installs an image, adds and purges discs, deletes it, and restores its power after a failure. Updates, deletes
// and actions are made of them. It knows no plans or states, and of configurations only on_shutdown_timeout, which it
// quotes.
package machine

import (
	"context"
	"errors"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
)

// Service is what operations use of the provider.
type Service struct {
	Client    *cloudserver.Client
	Inventory *inventory.Inventory
}

// Machine is one machine that operations work on.
type Machine struct {
	service  Service
	title    string
	location inventory.Location
	shutdown Shutdown

	before Power // before the first operation, or what the service was about to give it
	power  Power // as last known
	phase  phase // of the power
	image  image // that was requested
	wrote  bool  // a request may have changed the machine
	cutOff *SlowGuest
	last   *cloudserver.VirtualMachine // as last read, or nil after a write
}

// Power is the power of a machine. The service starts a machine that is off while Autoreboot is true.
type Power struct{ On, Autoreboot bool }

// image is what is known of an image that was requested.
type image int

const (
	noImage    image = iota
	maybeImage       // the answer was lost
	accepted
)

// The values of on_shutdown_timeout: what is done if the guest has not shut down in time.
const (
	SwitchOff     = "switch_off" // the default
	FailOnTimeout = "fail"
)

// Shutdown is how a machine that is on is stopped.
type Shutdown struct {
	Timeout time.Duration // of the graceful stop; 0: DefaultShutdownTimeout
	// Fail makes a guest that does not shut down in time an error. Otherwise the machine is switched off.
	Fail bool
}

// DefaultShutdownTimeout is how long a graceful stop may take by default.
const DefaultShutdownTimeout = 2 * time.Minute

// New returns the operations on a machine, given the power that it has before the first of them. One that the service is
// about to start counts as on: that is the power to restore.
func New(service Service, title string, location inventory.Location, before Power, shutdown Shutdown) *Machine {
	if shutdown.Timeout <= 0 {
		shutdown.Timeout = DefaultShutdownTimeout
	}
	m := &Machine{service: service, title: title, location: location, shutdown: shutdown, before: before, power: before}
	m.before.On = before.On || before.Autoreboot
	return m
}

// Before returns the power that the machine had before the first operation, or that the service was about to give it.
func (m *Machine) Before() Power { return m.before }

// Power returns the power of the machine as last known.
func (m *Machine) Power() Power { return m.power }

// Wrote reports whether a request may have changed the machine.
func (m *Machine) Wrote() bool { return m.wrote }

// IsImaged reports whether the service has accepted an image.
func (m *Machine) IsImaged() bool { return m.image == accepted }

// CutOff returns the guest that was not seen to shut down before its machine was switched off, or nil.
func (m *Machine) CutOff() *SlowGuest { return m.cutOff }

// Last returns the machine as last read, or nil if it was changed since.
func (m *Machine) Last() *cloudserver.VirtualMachine { return m.last }

// Title names the machine in messages.
func (m *Machine) Title() string { return m.title }

// Location returns where the machine is, as last known.
func (m *Machine) Location() inventory.Location { return m.location }

// Ref identifies the machine in requests that change it.
func (m *Machine) Ref() cloudserver.Ref { return m.location.Ref() }

// Put sends a partial update, and keeps track of its effect on power and location.
func (m *Machine) Put(ctx context.Context, update cloudserver.VirtualMachineUpdate) error {
	err := m.noteWrite(m.service.Client.UpdateVirtualMachine(ctx, m.Ref(), update))
	if err != nil {
		return err
	}
	if update.AutorebootOn != nil {
		m.power.Autoreboot = *update.AutorebootOn
	}
	if update.GroupID != nil {
		m.follow(ctx, *update.GroupID)
	}
	return nil
}

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

// noteWrite notes that a request has ended, and discards what was read before. A request that was refused has changed
// nothing. It returns the error of the request.
func (m *Machine) noteWrite(err error) error {
	m.last = nil
	m.wrote = m.wrote || mayHaveActed(err)
	m.service.Inventory.Wrote(m.location.ID)
	return err
}

// mayHaveActed reports whether a request with this outcome may have changed something.
func mayHaveActed(err error) bool { return err == nil || cloudserver.IsAmbiguous(err) }

// Look returns the machine as last read, or reads it.
func (m *Machine) Look(ctx context.Context) (*cloudserver.VirtualMachine, error) {
	if m.last != nil {
		return m.last, nil
	}
	vm, err := m.service.Inventory.Read(ctx, m.location)
	m.See(ctx, vm)
	return vm, err
}

// LookAgain reads the machine by its ID.
func (m *Machine) LookAgain(ctx context.Context) (*cloudserver.VirtualMachine, error) {
	vm, err := m.service.Inventory.ReadByID(ctx, m.location)
	m.See(ctx, vm)
	return vm, err
}

// See stores what the service has reported. It may be nil, as after a failure.
func (m *Machine) See(ctx context.Context, vm *cloudserver.VirtualMachine) {
	if vm == nil {
		return
	}
	m.last = vm
	m.follow(ctx, vm.GroupID)
	if vm.PowerOn != nil {
		m.power.On = *vm.PowerOn
	}
	if vm.AutorebootOn != nil {
		m.power.Autoreboot = *vm.AutorebootOn
	}
	if m.phase == goingDown && vm.IsOff() {
		m.phase = down
	}
}

// follow updates the location of a machine that has moved to another group, possibly of another account.
func (m *Machine) follow(ctx context.Context, groupID int64) {
	if groupID == 0 || groupID == m.location.GroupID {
		return
	}
	m.location.GroupID = groupID
	group, err := m.service.Inventory.GroupByID(ctx, groupID, m.location.Account)
	if err == nil && group != nil {
		m.location.Account, m.location.AccountID = group.Account, group.AccountID
	}
}

// What an operation waits for.
const (
	PoweredOn = "the machine to be on"
	ShutDown  = "the guest to shut down"
	installed = "the image to be installed"
)

// Wait waits until done reports true. what describes what is waited for. Its errors are those of inventory.Inventory.Wait.
func (m *Machine) Wait(ctx context.Context, what string, done func(*cloudserver.VirtualMachine) bool) error {
	vm, err := m.service.Inventory.Wait(ctx, m.location, what, done)
	m.See(ctx, vm)
	return err
}
