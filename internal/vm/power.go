package vm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
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
		u.tell("the guest has not gone down in time: switching the machine off")
		err = u.switchOff(ctx)
	}
	return err
}

// shutDown asks the guest to go down, and gives it shutdown_timeout.
func (u *updater) shutDown(ctx context.Context) error {
	timeout, err := tfkit.ParseDuration(u.plan.ShutdownTimeout.ValueString())
	if err != nil {
		return fmt.Errorf("shutdown_timeout: %w", err)
	}
	u.tell("asking the guest to shut down")
	err = u.client.Signal(ctx, u.ref, "powerdown", "")
	u.wrote()
	u.signalled = err == nil || cloudserver.IsUnsure(err)
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
	u.tell("switching the machine on")
	if err := u.put(ctx, cloudserver.VirtualMachineUpdate{AutorebootOn: new(true), PowerOn: new(true)}); err != nil {
		return err
	}
	return u.wait(ctx, isOn)
}

// wait waits for a power state, and remembers what it saw.
func (u *updater) wait(ctx context.Context, done func(*cloudserver.VirtualMachine) bool) error {
	began, told := time.Now(), time.Now()
	vm, err := u.fleet.Wait(ctx, u.machine, func(vm *cloudserver.VirtualMachine) bool {
		over := done(vm)
		if !over && time.Since(told) >= tellEvery {
			told = time.Now()
			u.tell(fmt.Sprintf("still waiting after %s: %s", time.Since(began).Round(time.Second), lastSeen(vm, nil)))
		}
		return over
	})
	if err != nil {
		return err
	}
	u.see(vm)
	return nil
}

// tellEvery is how often people want to read that nothing has happened yet.
const tellEvery = 10 * time.Second

func (u *updater) tell(message string) {
	if u.say != nil {
		u.say(message)
	}
}
