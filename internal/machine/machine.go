// Package machine carries out single operations on one virtual machine (API.md §3, §4): it changes it, stops and starts
// it, installs an image, adds and purges discs, deletes it, and restores its power after a failure. Updates, deletes
// and actions are made of them. It knows no plans or states, and of configurations only on_shutdown_timeout, which it
// quotes.
package machine

import (
	"context"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// Service is what operations use of the provider.
type Service struct {
	Client *cloudserver.Client
	Fleet  *fleet.Fleet
}

// Machine is one machine that operations work on.
type Machine struct {
	service  Service
	location fleet.Location
	shutdown Shutdown

	// WasOn and WasAutoreboot are the power that the machine had before the first operation.
	WasOn, WasAutoreboot bool
	// On and Autoreboot are its power as last known.
	On, Autoreboot bool
	// Imaged reports whether the service has accepted an image.
	Imaged bool
	// WentOff reports whether the machine has been off, as far as is known.
	WentOff bool
	// Touched reports whether a request may have changed the power.
	Touched bool
	// Wrote reports whether a request may have changed the machine.
	Wrote bool
	// CutOff is the guest that was stopped hard; nil: none was.
	CutOff *SlowGuest
	// Last is the machine as last read, or nil after a write.
	Last *cloudserver.VirtualMachine

	powered  bool // the machine has the power that it is meant to have
	mayGoOff bool // it is on, and a guest that was asked to shut down may still do so
	phase    phase
}

// phase is what the service, or the guest, may still be doing.
type phase int

const (
	idle            phase = iota
	shuttingDown          // the guest was asked to power down
	maybeInstalling       // the answer to a reimage was lost
	installing            // the service is installing an image
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

// New returns the operations on a machine, given the power that it has before the first of them.
func New(service Service, location fleet.Location, on, autoreboot bool, shutdown Shutdown) *Machine {
	if shutdown.Timeout <= 0 {
		shutdown.Timeout = DefaultShutdownTimeout
	}
	return &Machine{
		service: service, location: location, shutdown: shutdown,
		WasOn: on, WasAutoreboot: autoreboot, On: on, Autoreboot: autoreboot, WentOff: !on,
	}
}

// Location returns where the machine is, as last known.
func (m *Machine) Location() fleet.Location { return m.location }

// Ref identifies the machine in requests that change it.
func (m *Machine) Ref() cloudserver.Ref { return m.location.Ref() }

// Put sends a partial update, and keeps track of its effect on power and location.
func (m *Machine) Put(ctx context.Context, update cloudserver.VirtualMachineUpdate) error {
	err := m.service.Client.UpdateVirtualMachine(ctx, m.Ref(), update)
	m.noteWrite(err)
	if update.PowerOn != nil || update.AutorebootOn != nil {
		m.touch(err)
	}
	if err != nil {
		return err
	}
	if update.AutorebootOn != nil {
		m.Autoreboot = *update.AutorebootOn
	}
	if update.GroupID != nil {
		m.follow(ctx, *update.GroupID)
	}
	return nil
}

// noteWrite notes that a request has ended, and discards what was read before. A request that was refused has changed
// nothing.
func (m *Machine) noteWrite(err error) {
	m.Last = nil
	m.Wrote = m.Wrote || err == nil || cloudserver.IsAmbiguous(err)
	m.service.Fleet.Wrote(m.location.ID)
}

// touch notes that a request may have changed the power. A request that was refused has not.
func (m *Machine) touch(err error) {
	m.Touched = m.Touched || err == nil || cloudserver.IsAmbiguous(err)
}

// Look returns the machine as last read, or reads it.
func (m *Machine) Look(ctx context.Context) (*cloudserver.VirtualMachine, error) {
	if m.Last != nil {
		return m.Last, nil
	}
	vm, err := m.service.Fleet.Read(ctx, m.location)
	if err != nil {
		return nil, err
	}
	m.see(ctx, vm)
	return vm, nil
}

// LookAgain reads the machine by its ID.
func (m *Machine) LookAgain(ctx context.Context) (*cloudserver.VirtualMachine, error) {
	vm, err := m.service.Fleet.Look(ctx, m.location)
	if err != nil {
		return nil, err
	}
	m.see(ctx, vm)
	return vm, nil
}

// see stores what the service reported.
func (m *Machine) see(ctx context.Context, vm *cloudserver.VirtualMachine) {
	m.Last = vm
	m.follow(ctx, vm.GroupID)
	if vm.PowerOn != nil {
		m.On, m.WentOff = *vm.PowerOn, m.WentOff || !*vm.PowerOn
	}
	if vm.AutorebootOn != nil {
		m.Autoreboot = *vm.AutorebootOn
	}
	if m.phase == shuttingDown && vm.IsOff() {
		m.phase = idle
	}
}

// follow updates the location of a machine that has moved to another group, possibly of another account.
func (m *Machine) follow(ctx context.Context, groupID int64) {
	if groupID == 0 || groupID == m.location.GroupID {
		return
	}
	m.location.GroupID = groupID
	group, err := m.service.Fleet.Directory.GroupByID(ctx, groupID, m.location.Account)
	if err == nil && group != nil {
		m.location.Account, m.location.AccountID = group.Account, group.AccountID
	}
}

// What an operation waits for.
const (
	PoweredOn   = "the machine to be on"
	ShutDown    = "the guest to shut down"
	SwitchedOff = "the machine to be off"
	installed   = "the image to be installed"
)

// Wait waits until done reports true. what describes what is waited for. Its errors are those of fleet.Fleet.Wait.
func (m *Machine) Wait(ctx context.Context, what string, done func(*cloudserver.VirtualMachine) bool) error {
	vm, err := m.service.Fleet.Wait(ctx, m.location, what, done)
	if err != nil {
		return err
	}
	m.see(ctx, vm)
	return nil
}
