package operation

import (
	"context"
	"fmt"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// DefaultShutdownTimeout is how long a graceful stop may take by default.
const DefaultShutdownTimeout = "2m"

// Service is what operations use of the provider.
type Service struct {
	Client *cloudserver.Client
	Fleet  *fleet.Fleet
	Memory *run.Memory
}

// ServiceOf takes it from the provider's data.
func ServiceOf(d *tfkit.ProviderData) Service { return Service{d.Client, d.Fleet, &d.Memory} }

// Machine carries out single operations on one machine: changing it, stopping,
// starting and reimaging it, and restoring its power after a failure.
type Machine struct {
	service  Service
	address  fleet.Machine
	shutdown time.Duration // for a graceful stop
	stillOn  bool          // a guest that does not shut down in time is an error, instead of being switched off

	// The power that the machine had before the first operation.
	WasOn, WasAutoreboot bool

	// Expect compares the machine, right before an update is sent, with what the update is about to overwrite. It
	// reports whether the machine is as wanted already, and returns an error if somebody else has changed it. nil
	// compares nothing.
	Expect func(*cloudserver.VirtualMachine, cloudserver.VirtualMachineUpdate) (done bool, err error)

	ref            cloudserver.Ref // zero until the first write
	On, Autoreboot bool            // as last known
	phase          phase
	Imaged         bool                        // the service has accepted a reimage
	Touched        bool                        // a request may have changed the power or autoreboot_on
	WentOff        bool                        // as far as is known, the machine has been off
	powered        bool                        // the machine has the power that it is meant to have
	mayGoOff       bool                        // it is on, and a guest that was asked to shut down may still do so
	Wrote          bool                        // a request that writes was sent
	Last           *cloudserver.VirtualMachine // as last read; nil after a write
}

// phase is what the service, or the guest, may still be doing.
type phase int

const (
	idle            phase = iota
	shuttingDown          // the guest was asked to power down
	maybeInstalling       // the answer to a reimage was lost
	installing            // the service is installing an image
)

// Shutdown is how a machine that is on is stopped: as users write it.
type Shutdown struct {
	Timeout   string // of the graceful stop; "": the default
	OnTimeout string // [SwitchOff], which is the default, or [Fail]
}

// What happens to a guest that has not shut down in time.
const (
	SwitchOff = "switch_off" // the machine is switched off
	Fail      = "fail"       // it stays on, and the operation fails
)

// On returns the operations on a machine, given the power that it has before the first of them.
func On(service Service, address fleet.Machine, on, autoreboot bool, shutdown Shutdown) *Machine {
	timeout, err := tfkit.ParseDuration(shutdown.Timeout)
	if err != nil || timeout <= 0 {
		timeout, _ = tfkit.ParseDuration(DefaultShutdownTimeout)
	}
	return &Machine{
		service: service, address: address, shutdown: timeout, stillOn: shutdown.OnTimeout == Fail,
		WasOn: on, WasAutoreboot: autoreboot, On: on, Autoreboot: autoreboot, WentOff: !on,
	}
}

// Address returns where the machine was found.
func (o *Machine) Address() fleet.Machine { return o.address }

// ID returns the machine's ID.
func (o *Machine) ID() int64 { return o.address.ID }

// write sends a request that changes the machine, or a disc of it, through the door: the machine is looked at by its ID
// before each attempt, unless an answer that is recent enough was admitted. isDone may be nil.
func (o *Machine) write(
	ctx context.Context, isDone func(*cloudserver.VirtualMachine) (bool, error), send func(cloudserver.Writer, cloudserver.Ref) error,
) error {
	return o.service.Client.Change(ctx, func(ctx context.Context, _ time.Time) (done bool, err error) {
		vm, err := o.lookToWrite(ctx)
		if err != nil || isDone == nil {
			return false, err
		}
		return isDone(vm)
	}, func(ctx context.Context, w cloudserver.Writer) error {
		return o.send(ctx, func(ref cloudserver.Ref) error { return send(w, ref) })
	})
}

// send makes one attempt of a request. After a failure, what was read before does not count any more.
func (o *Machine) send(ctx context.Context, call func(cloudserver.Ref) error) error {
	if _, err := o.Find(ctx); err != nil {
		return err
	}
	err := call(o.ref)
	if err != nil {
		o.Expire()
	}
	o.noteWrite()
	return err
}

// Expire makes what was read so far too old for the next request that changes the machine: the caller has waited since.
func (o *Machine) Expire() { o.address.Origin.Expire() }

// Find determines the address of the machine before the first write. If that takes reading the machine, it returns the
// machine as well, otherwise nil.
func (o *Machine) Find(ctx context.Context) (vm *cloudserver.VirtualMachine, err error) {
	if o.address.Account == "" {
		if err := o.findAccount(ctx); err != nil {
			return nil, err
		}
	}
	if o.ref.ID == 0 {
		o.ref, vm, err = o.service.Fleet.Ref(ctx, o.address)
	}
	return vm, err
}

// Ref returns the address for calls about the machine. It is certain that no other machine answers at that address.
func (o *Machine) Ref(ctx context.Context) (cloudserver.Ref, error) {
	_, err := o.Find(ctx)
	return o.ref, err
}

// findAccount determines the account of a machine whose state has none: the state was moved here from another provider
// and not refreshed since.
func (o *Machine) findAccount(ctx context.Context) error {
	vm, err := o.service.Fleet.Look(ctx, o.address, cloudserver.IncludeDeleted)
	if err != nil {
		return err
	}
	o.address.Account = o.service.Fleet.Directory.Default
	o.follow(ctx, vm.GroupID)
	return nil
}

// follow updates the address after the machine has moved to another group, possibly in another account.
func (o *Machine) follow(ctx context.Context, groupID int64) {
	o.address.Group, o.address.GroupID = "", groupID
	if group, err := o.service.Fleet.Directory.GroupByID(ctx, groupID, o.address.Account); err == nil && group != nil {
		o.address.Account, o.address.Group = group.Account, group.Name
	}
	o.ref = cloudserver.Ref{}
}

// followTo is follow if the group is another one, which it reports.
func (o *Machine) followTo(ctx context.Context, groupID int64) bool {
	if groupID == 0 || groupID == o.address.GroupID {
		return false
	}
	o.follow(ctx, groupID)
	return true
}

// noteWrite discards what was read before.
func (o *Machine) noteWrite() {
	o.Last, o.Wrote = nil, true
	o.service.Fleet.Wrote(o.address)
}

// Put sends a partial update, and keeps track of its effect on power and location.
func (o *Machine) Put(ctx context.Context, update cloudserver.VirtualMachineUpdate) error {
	put := func() error {
		return o.write(ctx, func(vm *cloudserver.VirtualMachine) (bool, error) {
			if o.Expect == nil {
				return false, nil
			}
			done, err := o.Expect(vm, update)
			return done && o.Last != nil, err // nothing was sent since the look
		}, func(w cloudserver.Writer, ref cloudserver.Ref) error {
			changed, err := w.UpdateVirtualMachine(ctx, ref, update)
			if err == nil {
				err = o.address.Origin.Check(ctx, changed)
			}
			return err
		})
	}
	var err error
	if update.GroupID == nil {
		err = put()
	} else {
		err = o.writeUnlessDone(ctx, put, func(ctx context.Context) (bool, error) {
			vm, err := o.service.Fleet.Look(ctx, o.address)
			o.ref = cloudserver.Ref{}
			return err == nil && vm.GroupID == *update.GroupID, err
		})
	}
	if update.PowerOn != nil || update.AutorebootOn != nil {
		o.touch(err)
	}
	if err != nil {
		return err
	}
	if update.AutorebootOn != nil {
		o.Autoreboot = *update.AutorebootOn
	}
	if update.GroupID != nil && *update.GroupID != o.address.GroupID {
		o.follow(ctx, *update.GroupID)
		o.noteWrite() // what was read of the new group before is stale as well
	}
	return nil
}

// writeUnlessDone sends a request that must not be repeated blindly: it adds a disc, or it moves something whose old
// path may lead to another object by now. After an ambiguous result it checks whether the request has taken effect,
// before it repeats the request or reports a failure.
func (o *Machine) writeUnlessDone(
	ctx context.Context, ask func() error, isDone func(context.Context) (bool, error),
) error {
	for attempt, ambiguous := 0, false; ; attempt++ {
		err := ask()
		ambiguous = ambiguous || cloudserver.IsAmbiguous(err)
		if err == nil || !ambiguous {
			return err
		}
		look, end, interrupt := cloudserver.AfterFailure(ctx, attempt, err)
		done, lookErr := isDone(look)
		end()
		switch {
		case done && lookErr == nil:
			return nil
		case interrupt != nil:
			return fmt.Errorf("%w; %w", err, interrupt)
		case lookErr != nil || !cloudserver.IsAmbiguous(err) || attempt == o.service.Client.MaxRetries():
			return err
		}
	}
}

// touch notes that a request may have changed the power. A request that was refused has not.
func (o *Machine) touch(err error) {
	o.Touched = o.Touched || err == nil || cloudserver.IsAmbiguous(err)
}

// Look returns the machine as last read, or reads it after a write.
func (o *Machine) Look(ctx context.Context) (*cloudserver.VirtualMachine, error) {
	if o.Last != nil {
		return o.Last, nil
	}
	vm, err := o.service.Fleet.Read(ctx, o.address)
	if err != nil {
		return nil, err
	}
	o.see(vm)
	return vm, nil
}

// LookNow reads the machine by its ID, soft-deleted or not, without effect on what the operations know of its power.
func (o *Machine) LookNow(ctx context.Context) (*cloudserver.VirtualMachine, error) {
	return o.service.Fleet.Look(ctx, o.address, cloudserver.IncludeDeleted)
}

// LookAgain always reads the machine.
func (o *Machine) LookAgain(ctx context.Context) error {
	vm, err := o.service.Fleet.Look(ctx, o.address)
	if err != nil {
		return err
	}
	o.see(vm)
	return nil
}

// see stores what the service reported. The address from before may lead to another machine by now.
func (o *Machine) see(vm *cloudserver.VirtualMachine) {
	o.Last, o.ref = vm, cloudserver.Ref{}
	if vm.PowerOn != nil {
		o.On, o.WentOff = *vm.PowerOn, o.WentOff || !*vm.PowerOn
	}
	if vm.AutorebootOn != nil {
		o.Autoreboot = *vm.AutorebootOn
	}
	if o.phase == shuttingDown && vm.IsOff() {
		o.phase = idle
	}
}
