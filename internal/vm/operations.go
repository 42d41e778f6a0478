package vm

import (
	"context"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// operations carries out single operations on one machine: changing it,
// stopping, starting and reimaging it, and restoring its power after a failure.
// Updates, deletes and actions are made of them.
type operations struct {
	data     *tfkit.ProviderData
	address  fleet.Machine
	shutdown time.Duration // for a graceful stop
	say      func(string)  // takes progress for a person; may be nil

	// The power that the machine had before the first operation.
	wasOn, wasAutoreboot bool

	ref            cloudserver.Ref // zero until the first write
	on, autoreboot bool            // as the machine has them now
	phase          phase
	imaged         bool                        // the service has accepted a reimage
	powered        bool                        // the machine has the power that it is to have
	wrote          bool                        // something was asked of the service
	last           *cloudserver.VirtualMachine // as last read; nil after a write
}

// phase is what the service, or the guest, may still be doing.
type phase int

const (
	idle            phase = iota
	shuttingDown          // the guest was asked to power down
	maybeInstalling       // the answer to a reimage was lost
	installing            // the service is installing an image
)

// operate returns the operations on a machine as the state has it.
func (m *model) operate(data *tfkit.ProviderData, shutdown string) *operations {
	timeout, err := tfkit.ParseDuration(shutdown)
	if err != nil || timeout <= 0 {
		timeout = 2 * time.Minute
	}
	on, autoreboot := m.PowerOn.ValueBool(), m.AutorebootOn.ValueBool()
	return &operations{
		data: data, address: m.address(), shutdown: timeout,
		wasOn: on, wasAutoreboot: autoreboot, on: on, autoreboot: autoreboot,
	}
}

// write makes a call at the address of the machine. A machine that is not found
// there may have been moved since the state was read, even by an earlier attempt
// of this very call: applied, if it is not nil, recognises that.
func (o *operations) write(ctx context.Context, call func(cloudserver.Ref) error, applied func(*cloudserver.VirtualMachine) bool) error {
	err := o.writeOnce(ctx, call)
	if !cloudserver.IsNotFound(err) {
		return err
	}
	vm, readErr := o.data.Client.VirtualMachine(ctx, o.address.ID)
	if readErr != nil || vm.GroupID == 0 || vm.GroupID == o.address.GroupID {
		return err
	}
	o.movedTo(ctx, vm.GroupID)
	if applied != nil && applied(vm) {
		return nil
	}
	return o.writeOnce(ctx, call)
}

func (o *operations) writeOnce(ctx context.Context, call func(cloudserver.Ref) error) error {
	if o.address.Account == "" {
		if err := o.findAccount(ctx); err != nil {
			return err
		}
	}
	if o.ref.ID == 0 {
		ref, err := o.data.Fleet.Ref(ctx, o.address)
		if err != nil {
			return err
		}
		o.ref = ref
	}
	err := call(o.ref)
	o.noteWrite()
	return err
}

// findAccount finds the account of a machine whose state has none: it was moved
// here from another provider's state and not read since.
func (o *operations) findAccount(ctx context.Context) error {
	vm, err := o.data.Client.VirtualMachine(ctx, o.address.ID, cloudserver.IncludeDeleted)
	if err != nil {
		return err
	}
	o.address.Account = o.data.Account.ValueString()
	o.movedTo(ctx, vm.GroupID)
	return nil
}

// movedTo follows the machine to another group, which may belong to another
// account.
func (o *operations) movedTo(ctx context.Context, groupID int64) {
	o.address.Group, o.address.GroupID = "", groupID
	if group, err := o.data.Directory.GroupByID(ctx, groupID, o.address.Account); err == nil && group != nil {
		o.address.Account, o.address.Group = group.Account, group.Name
	}
	o.ref = cloudserver.Ref{}
	o.noteWrite()
}

// noteWrite makes what was read before stale.
func (o *operations) noteWrite() {
	o.last, o.wrote = nil, true
	o.data.Fleet.Wrote(o.address)
}

// put sends a partial update and remembers its effect on power and place.
func (o *operations) put(ctx context.Context, update cloudserver.VirtualMachineUpdate) error {
	err := o.write(ctx, func(ref cloudserver.Ref) error {
		_, err := o.data.Client.UpdateVirtualMachine(ctx, ref, update)
		return err
	}, func(vm *cloudserver.VirtualMachine) bool {
		return update.GroupID != nil && vm.GroupID == *update.GroupID
	})
	if err != nil {
		return err
	}
	if update.AutorebootOn != nil {
		o.autoreboot = *update.AutorebootOn
	}
	if update.GroupID != nil && *update.GroupID != o.address.GroupID {
		o.movedTo(ctx, *update.GroupID)
	}
	return nil
}

// look reads the machine, unless the last wait has just done so.
func (o *operations) look(ctx context.Context) (*cloudserver.VirtualMachine, error) {
	if o.last != nil {
		return o.last, nil
	}
	vm, err := o.data.Fleet.Read(ctx, o.address)
	if err != nil {
		return nil, err
	}
	o.see(vm)
	return vm, nil
}

// see takes in what the service reports.
func (o *operations) see(vm *cloudserver.VirtualMachine) {
	o.last = vm
	if vm.PowerOn != nil {
		o.on = *vm.PowerOn
	}
	if vm.AutorebootOn != nil {
		o.autoreboot = *vm.AutorebootOn
	}
	if o.phase == shuttingDown && vm.IsOff() {
		o.phase = idle
	}
}

func (o *operations) tell(message string) {
	if o.say != nil {
		o.say(message)
	}
}
