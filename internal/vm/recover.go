package vm

import (
	"context"
	"errors"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// report says which step failed, and how to go on.
func (s step) report(m model, err error, diags *diag.Diagnostics) {
	summary := "Cannot " + s.verb + " " + m.title()
	advice := "What was done before is kept, and the state shows it. Run apply again to go on from there."
	if cloudserver.StatusCode(err) == http.StatusBadRequest {
		advice = "What was done before is kept, and the state shows it. Correct the configuration, and apply it to go on from there."
	}
	if wait, ok := errors.AsType[*fleet.WaitError](err); ok {
		diags.AddError(summary, waitDetail(wait, "the machine's power to change")+"\n\n"+advice)
		return
	}
	if blamed, ok := errors.AsType[*attributeError](err); ok {
		diags.AddAttributeError(blamed.at, summary, blamed.detail+"\n\n"+advice)
		return
	}
	tfkit.AddError(diags, summary, err, s.blame, advice)
}

// recover gives the machine the power that it had, and tells the state what was
// really applied. An interrupt does not keep it from either.
func (u *updater) recover(ctx context.Context, diags *diag.Diagnostics) model {
	ctx = context.WithoutCancel(ctx)
	power, cancel := context.WithTimeout(ctx, recoverTimeout)
	defer cancel()
	if err := u.restorePower(power); err != nil {
		diags.AddWarning("Cannot give "+u.state.title()+" its power back",
			tfkit.Detail(err, "The update had stopped it, or was about to. Look at power_on and autoreboot_on at the service, or run apply again."))
	}
	if u.reimaged && u.reimaging && u.on {
		diags.AddWarning("The reimage of "+u.state.title()+" went on to its end",
			"The update ended while the service was installing the image. It is installed now, and the state says so: there is nothing left to do for it.")
	}
	applied := u.state
	applied.AllowStoppingForUpdate, applied.ShutdownTimeout = u.plan.AllowStoppingForUpdate, u.plan.ShutdownTimeout
	applied.DeletionProtection, applied.PurgeOnDestroy = u.plan.DeletionProtection, u.plan.PurgeOnDestroy
	applied.Timeouts = u.plan.Timeouts
	if u.reimaged {
		applied.Reimage = u.plan.Reimage
	}
	look, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	vm, err := u.client.VirtualMachine(look, u.ref.ID)
	if err != nil {
		diags.AddWarning("Cannot read "+u.state.title()+" after the failure",
			tfkit.Detail(err, "The state is left as it was before the update; the next plan refreshes it."))
		return applied
	}
	applied.read(ctx, vm, diags)
	return applied
}

// restorePower gives the machine the power and the autoreboot_on that it had
// before the update, unless the update has already given it those that it is to
// have.
func (u *updater) restorePower(ctx context.Context) error {
	if !u.sent || u.done {
		return nil
	}
	if err := u.comeToRest(ctx); err != nil {
		return err
	}
	if tfkit.Given(u.state.PowerOn) {
		change := u.start
		if !u.state.PowerOn.ValueBool() { // an image was installed, and that ends with the machine on
			change = u.stop
		}
		if err := change(ctx); err != nil {
			return err
		}
	}
	return u.setAutoreboot(ctx, u.state.AutorebootOn)
}

// comeToRest waits until the machine's power is what it will stay without
// further doing: a reimage ends with the machine on, and a guest that was asked
// to go down may still be on its way.
func (u *updater) comeToRest(ctx context.Context) error {
	if u.reimaging {
		return u.awaitImage(ctx)
	}
	if u.signalled && u.state.AutorebootOn.ValueBool() {
		// The service itself brings back a guest that goes down now.
		if err := u.put(ctx, cloudserver.VirtualMachineUpdate{AutorebootOn: new(true)}); err != nil {
			return err
		}
	} else if u.signalled && u.on {
		return u.wait(ctx, isOff)
	}
	vm, err := u.client.VirtualMachine(ctx, u.ref.ID)
	if err != nil {
		return err
	}
	u.see(vm)
	return nil
}

// awaitImage waits until the new image is installed. Where the answer to the
// reimage was lost there may be none: then the machine stays off, and is to be
// started once an installation would have ended.
func (u *updater) awaitImage(ctx context.Context) error {
	if u.reimaged {
		return u.wait(ctx, isOn)
	}
	unsure, cancel := context.WithTimeout(ctx, imageTimeout)
	defer cancel()
	if err := u.wait(unsure, isOn); err != nil && unsure.Err() == nil {
		return err
	}
	return ctx.Err()
}
