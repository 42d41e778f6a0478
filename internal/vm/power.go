package vm

import (
	"context"
	"errors"
	"net/http"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// isOn says whether the machine is on.
func isOn(vm *cloudserver.VirtualMachine) bool {
	return vm.PowerOn != nil && *vm.PowerOn
}

func isOff(vm *cloudserver.VirtualMachine) bool {
	return vm.PowerOn != nil && !*vm.PowerOn
}

// stop switches the machine off (api.md §3, power): gracefully, and hard when
// the guest has not gone down in time. autoreboot_on must be false for a machine
// to stay off; settle puts it back.
func (u *updater) stop(ctx context.Context) error {
	if !u.on {
		return nil
	}
	if u.autoreboot {
		if err := u.put(ctx, cloudserver.VirtualMachineUpdate{AutorebootOn: new(false)}); err != nil {
			return err
		}
	}
	err := u.shutDown(ctx)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = u.switchOff(ctx)
	}
	return err
}

// shutDown asks the guest to go down, and gives it shutdown_timeout.
func (u *updater) shutDown(ctx context.Context) error {
	timeout, d := u.plan.ShutdownTimeout.ValueGoDuration()
	if d.HasError() {
		return errors.New("shutdown_timeout cannot be read")
	}
	err := u.client.Signal(ctx, u.ref, "powerdown", "")
	u.wrote()
	if err != nil && cloudserver.StatusCode(err) != http.StatusBadRequest { // 400: it is off already
		return err
	}
	grace, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return u.wait(grace, isOff)
}

func (u *updater) switchOff(ctx context.Context) error {
	if err := u.put(ctx, cloudserver.VirtualMachineUpdate{AutorebootOn: new(false), PowerOn: new(false)}); err != nil {
		return err
	}
	return u.wait(ctx, isOff)
}

// start switches the machine on and waits until it is.
func (u *updater) start(ctx context.Context) error {
	if u.on {
		return nil
	}
	if err := u.put(ctx, cloudserver.VirtualMachineUpdate{AutorebootOn: new(true), PowerOn: new(true)}); err != nil {
		return err
	}
	return u.wait(ctx, isOn)
}

// wait waits for a power state, and remembers what it saw.
func (u *updater) wait(ctx context.Context, done func(*cloudserver.VirtualMachine) bool) error {
	vm, err := u.fleet.Wait(ctx, u.machine, done)
	if err != nil {
		return err
	}
	u.see(vm)
	return nil
}
