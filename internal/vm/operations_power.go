package vm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// progressEvery is how often people want to read that nothing has happened yet.
const progressEvery = 10 * time.Second

// setPower makes the machine have the power that it is to have in the end.
func (o *operations) setPower(ctx context.Context, on, autoreboot bool) error {
	var err error
	switch {
	case on:
		err = o.start(ctx)
	case o.on || !autoreboot:
		err = o.stop(ctx)
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

func (o *operations) setAutoreboot(ctx context.Context, wanted bool) error {
	if wanted == o.autoreboot {
		return nil
	}
	return o.put(ctx, power(nil, &wanted))
}

func power(on, autoreboot *bool) cloudserver.VirtualMachineUpdate {
	return cloudserver.VirtualMachineUpdate{Settings: cloudserver.Settings{PowerOn: on, AutorebootOn: autoreboot}}
}

// stop switches the machine off (API.md §3, power): gracefully, and hard when
// the guest has not shut down in time. autoreboot_on is false first, or the
// service would start the machine again.
func (o *operations) stop(ctx context.Context) error {
	switch {
	case !o.on && !o.autoreboot:
		return nil
	case !o.on: // the service is starting it
		return o.switchOff(ctx)
	}
	err := o.shutDown(ctx)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		o.tell("the guest has not shut down in time: switching the machine off")
		err = o.switchOff(ctx)
	}
	return err
}

// shutDown asks the guest to power down, and waits for at most the shutdown
// timeout.
func (o *operations) shutDown(ctx context.Context) error {
	if err := o.setAutoreboot(ctx, false); err != nil {
		return err
	}
	o.tell("asking the guest to shut down")
	err := o.signal(ctx, "powerdown", "")
	if err == nil || cloudserver.IsAmbiguous(err) {
		o.phase = shuttingDown
	}
	if err != nil && cloudserver.StatusCode(err) != http.StatusBadRequest { // 400: it is already off
		return err
	}
	grace, cancel := context.WithTimeout(ctx, o.shutdown)
	defer cancel()
	return o.wait(grace, (*cloudserver.VirtualMachine).IsOff)
}

func (o *operations) signal(ctx context.Context, signal, data string) error {
	return o.write(ctx, func(ref cloudserver.Ref) error { return o.data.Client.Signal(ctx, ref, signal, data) }, nil)
}

func (o *operations) switchOff(ctx context.Context) error {
	if err := o.put(ctx, power(new(false), new(false))); err != nil {
		return err
	}
	return o.wait(ctx, (*cloudserver.VirtualMachine).IsOff)
}

// start switches the machine on and waits until it is on.
func (o *operations) start(ctx context.Context) error {
	if o.on {
		return nil
	}
	o.tell("starting the machine")
	if err := o.put(ctx, power(new(true), new(true))); err != nil {
		return err
	}
	return o.wait(ctx, (*cloudserver.VirtualMachine).IsOn)
}

// wait waits for a power state.
func (o *operations) wait(ctx context.Context, done func(*cloudserver.VirtualMachine) bool) error {
	began, last := time.Now(), time.Now()
	vm, err := o.data.Fleet.Wait(ctx, o.address, func(vm *cloudserver.VirtualMachine) bool {
		over := done(vm)
		if !over && time.Since(last) >= progressEvery {
			last = time.Now()
			o.tell(fmt.Sprintf("still waiting after %s: %s", time.Since(began).Round(time.Second), lastSeen(vm, nil)))
		}
		return over
	})
	if err != nil {
		return err
	}
	o.see(vm)
	return nil
}
