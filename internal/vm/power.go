package vm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// planPowerCreate plans the power of a new machine: it runs unless the configuration says otherwise, and if it runs,
// the service restarts it by itself (API.md §3, power).
func planPowerCreate(config, plan *model) {
	if config.PowerOn.IsNull() {
		plan.PowerOn = types.BoolValue(true)
	}
	if config.AutorebootOn.IsNull() {
		plan.AutorebootOn = plan.PowerOn
	}
}

// planPowerUpdate plans what the configuration leaves open: power that a failed update could not restore, and the
// autoreboot_on that a stop or a start needs.
func planPowerUpdate(state, config, plan *model, p private) {
	if p.Owed != nil && config.PowerOn.IsNull() {
		plan.PowerOn = types.BoolValue(p.Owed.PowerOn)
	}
	if !config.AutorebootOn.IsNull() {
		switch {
		case !config.PowerOn.IsNull() || state.AutorebootOn.ValueBool():
		case plan.AutorebootOn.IsUnknown() && !plan.PowerOn.ValueBool():
			plan.PowerOn = types.BoolUnknown()
		case plan.AutorebootOn.ValueBool():
			plan.PowerOn = types.BoolValue(true) // because the service starts the machine
		}
		return
	}
	switch {
	case plan.PowerOn.IsUnknown():
		plan.AutorebootOn = types.BoolUnknown()
	case tfkit.Given(config.PowerOn) && !config.PowerOn.ValueBool():
		plan.AutorebootOn = types.BoolValue(false) // otherwise the service starts the machine again
	case p.Owed != nil:
		plan.AutorebootOn = types.BoolValue(p.Owed.AutorebootOn)
	case plan.PowerOn.ValueBool() && !state.PowerOn.ValueBool():
		plan.AutorebootOn = types.BoolValue(true)
	}
}

// refuseContradiction refuses power that the service would not keep. A machine that is off only until the service
// starts it is not a contradiction.
func refuseContradiction(state, config, plan *model, diags *diag.Diagnostics) {
	if plan.PowerOn.Equal(state.PowerOn) && plan.AutorebootOn.Equal(state.AutorebootOn) {
		return // no change is planned, for example with ignore_changes = [power_on]
	}
	if !config.PowerOn.IsNull() && tfkit.Given(plan.PowerOn) && !plan.PowerOn.ValueBool() &&
		plan.AutorebootOn.ValueBool() {
		diags.AddAttributeError(path.Root("autoreboot_on"), "Conflicting power settings",
			"power_on is false and autoreboot_on is true, but the service starts any machine that is off while autoreboot_on is true. "+
				"Remove autoreboot_on, or set it to false. "+
				"If ignore_changes names it, remove it from ignore_changes as well: a plan keeps the machine's value of it otherwise.")
	}
}

// refuseStop enforces allow_stopping_for_update = false. It does not apply to an image that is installed in place,
// which always stops the machine.
func (d *decision) refuseStop(diags *diag.Diagnostics) {
	allowed := d.plan.AllowStoppingForUpdate
	if allowed.ValueBool() || allowed.IsUnknown() || d.change.image.install || !d.change.restarts() {
		return
	}
	for _, name := range d.change.offFor {
		diags.AddAttributeError(path.Root(name), "Cannot change "+name+" of "+d.state.title()+" without a restart",
			"The change is made while the machine is off, and the machine is on. "+
				"Set allow_stopping_for_update = true (default: false) to let this update stop and start it, or stop it yourself first. "+
				"If nobody changed the configuration, somebody changed the machine: to keep that, put its present value into the configuration.")
	}
}

// warnRestart warns of a restart, and of what a reimage loses.
func (d *decision) warnRestart(diags *diag.Diagnostics) {
	reasons, explanation := d.change.offFor, ""
	if d.change.restarts() {
		explanation = fmt.Sprintf("The machine is stopped gracefully, or switched off after %s, and is on again afterwards.", d.plan.ShutdownTimeout.ValueString())
		if d.plan.OnShutdownTimeout.ValueString() == operation.Fail {
			explanation = fmt.Sprintf("The machine is stopped gracefully, and is on again afterwards. "+
				"If the guest has not shut down after %s, the update ends with an error.", d.plan.ShutdownTimeout.ValueString())
		}
	}
	switch image := d.change.image; {
	case image.install:
		boot := labels(d.discs.prior[:min(1, len(d.discs.prior))])
		diags.AddAttributeWarning(path.Root("reimage"), tfkit.Summary("The boot disc will be erased", tfkit.Quoted(boot)),
			fmt.Sprintf("A change of %s installs the image of %s: everything on its boot disc (%s) is lost.\n\n%s",
				strings.Join(append(slices.Clone(reasons), image.changed...), ", "), d.state.title(), tfkit.Quoted(boot),
				strings.TrimSpace(explanation+" It keeps its ID, its addresses and its other discs.")))
	case d.change.restarts():
		diags.AddAttributeWarning(path.Root(reasons[0]), tfkit.Summary("The update restarts the machine", strings.Join(reasons, ", ")),
			fmt.Sprintf("A change of %s needs %s to be off, and it is on.\n\n%s", strings.Join(reasons, ", "), d.state.title(), explanation))
	}
}

// warnOwed explains a plan that restores power.
func (d *decision) warnOwed(diags *diag.Diagnostics) {
	state, config, plan, p := &d.state, &d.config, &d.plan, d.private
	if p.Owed == nil || !config.PowerOn.IsNull() && !config.AutorebootOn.IsNull() {
		return
	}
	if plan.PowerOn.Equal(state.PowerOn) && plan.AutorebootOn.Equal(state.AutorebootOn) {
		return
	}
	diags.AddAttributeWarning(path.Root("power_on"), "The power of the machine is restored",
		fmt.Sprintf("An earlier update of %s failed and could not restore its power. "+
			"This plan sets power_on to %t and autoreboot_on to %t, as they were before that update.",
			state.title(), plan.PowerOn.ValueBool(), plan.AutorebootOn.ValueBool()))
}

// refuseOtherPower refuses an update that would change the power of a machine whose power has changed since the plan
// was made, because the plan did not show that. It looks once, after the wait for a slot and before anything else is
// sent.
func (u *update) refuseOtherPower(ctx context.Context) error {
	if len(u.change.stopsFor) == 0 && u.change.power == nil && !u.change.autoreboot {
		return nil
	}
	vm, err := u.machine.LookByID(ctx)
	switch {
	case err != nil:
		return err
	case vm.PowerOn == nil, vm.IsOn() == u.state.PowerOn.ValueBool(), u.state.aboutToStart() && !u.keepsOff():
		return nil
	case len(u.change.stopsFor) == 0 && u.change.power != nil && *u.change.power == vm.IsOn(): // already as planned
		return nil
	}
	at := append(slices.Clone(u.change.stopsFor), "power_on")[0]
	saw := "The machine was on when the plan was made, and is off now. Its power is left alone. "
	if vm.IsOn() {
		saw = "The machine was off when the plan was made, and it is on now: somebody, or the service, has switched it on since. "
	}
	return &attributeError{path.Root(at), saw + u.done() + " Run apply again, for a plan that shows what happens to its power."}
}

// keepsOff reports whether the plan shows a machine that stays off and is not started by the service any more.
func (u *update) keepsOff() bool {
	return u.change.power == nil && len(u.change.stopsFor) == 0 && tfkit.Given(u.plan.AutorebootOn) && !u.plan.AutorebootOn.ValueBool()
}

// stopFirst stops a machine that is to be off, or that must be off for the change.
func (u *update) stopFirst(ctx context.Context) error {
	if u.change.stops() || len(u.change.stopsFor) > 0 {
		return u.machine.Stop(ctx)
	}
	return nil
}

// setPower ends the update with the planned power. Power that neither the plan nor the update changes is left alone,
// because somebody may have changed it since.
func (u *update) setPower(ctx context.Context) error {
	if u.change.power == nil && !u.machine.Touched && !u.change.autoreboot {
		return nil
	}
	autoreboot := u.machine.WasAutoreboot
	if tfkit.Given(u.plan.AutorebootOn) {
		autoreboot = u.plan.AutorebootOn.ValueBool()
	}
	switch {
	case u.change.power != nil || u.machine.Touched:
	case !autoreboot && !u.plan.staysOn(&u.state):
		return u.machine.KeepOff(ctx)
	default:
		return u.machine.SetAutoreboot(ctx, autoreboot)
	}
	return u.machine.SetPower(ctx, u.plan.staysOn(&u.state), autoreboot)
}

// staysOn reports whether the machine is on after the plan is applied.
func (m *model) staysOn(state *model) bool {
	if tfkit.Given(m.PowerOn) {
		return m.PowerOn.ValueBool()
	}
	return state.PowerOn.ValueBool()
}

// restorePower restores a machine's power after a failed update or delete. Power that cannot be restored is recorded as
// owed, and the next plan shows it.
func (r *vmResource) restorePower(
	ctx context.Context, m *model, machine *operation.Machine, what string, p *private, diags *diag.Diagnostics,
) {
	err := machine.RestorePower(ctx)
	if err == nil || presence.IsGone(err) || errors.Is(err, operation.ErrSoftDeleted) { // nothing is owed
		return
	}
	if errors.Is(err, operation.ErrSwitchedOff) {
		p.Owed = nil
		diags.AddAttributeWarning(path.Root("power_on"), operation.PowerLeftAlone,
			fmt.Sprintf("The %s had stopped %s, and started it again. Then somebody switched it off, and set its autoreboot_on to false. "+
				"Find out who, and start it when it may run.", what, m.title()))
		return
	}
	p.Owed = &owedPower{PowerOn: machine.WasOn, AutorebootOn: machine.WasAutoreboot}
	if errors.Is(err, operation.ErrMayGoOff) {
		diags.AddAttributeWarning(path.Root("power_on"), "The machine may still go off",
			fmt.Sprintf("The guest of %s was asked to shut down, and may still do so. Its autoreboot_on is false, so nothing starts it then. "+
				"If it goes off, run apply again: a plan that finds it off sets power_on to true, unless the configuration sets it.", m.title())+r.aloneFirst())
		return
	}
	diags.AddAttributeWarning(path.Root("power_on"), operation.CannotRestorePower,
		tfkit.Detail(err, "")+fmt.Sprintf("\n\nThe %s had stopped %s, or was about to, so it may be off now. "+
			"Run apply again: the next plan sets power_on to %t and autoreboot_on to %t, as they were, "+
			"unless the configuration sets them.", what, m.title(), p.Owed.PowerOn, p.Owed.AutorebootOn)+r.aloneFirst())
}

// aboutToStart reports whether the machine is off and the service will start it.
func (m *model) aboutToStart() bool { return !m.PowerOn.ValueBool() && m.AutorebootOn.ValueBool() }

// importedPower returns power_on of a machine that was just imported. It is null while the service is about to start
// the machine, because otherwise a configuration generated from the state would contradict itself.
func (m *model) importedPower() types.Bool {
	if m.aboutToStart() {
		return types.BoolNull()
	}
	return m.PowerOn
}

// warnWentOff warns that a machine was switched off. Without a configured power_on, no plan would show it. Power
// that this plan restores is not reported.
func (r *vmResource) warnWentOff(m, before *model, p private, diags *diag.Diagnostics) {
	if p.Owed != nil && p.Owed.PowerOn || !before.PowerOn.ValueBool() || !tfkit.Given(m.PowerOn) || m.PowerOn.ValueBool() {
		return
	}
	next := "Where this plan does not set power_on, it is left off: " +
		"look at why it went off, configure power_on = true, or start it " + r.byAction("power", m.ID.ValueString(), "state=start") + "."
	if m.aboutToStart() {
		next = "While its autoreboot_on is true, the service starts it by itself, within seconds: look at why it went off."
	}
	diags.AddAttributeWarning(path.Root("power_on"), "The machine has gone off", "The "+m.title()+" was on when it was read last. "+next)
}

// warnLeftAlone warns that the service no longer restarts a machine that is on. Without a configured autoreboot_on, no
// plan would show it. An update that was killed can leave it like that. What this plan restores is
// not reported.
func warnLeftAlone(m, before *model, p private, diags *diag.Diagnostics) {
	if p.Owed != nil && p.Owed.AutorebootOn {
		return
	}
	if before.AutorebootOn.ValueBool() && m.PowerOn.ValueBool() && tfkit.Given(m.AutorebootOn) &&
		!m.AutorebootOn.ValueBool() {
		diags.AddAttributeWarning(path.Root("autoreboot_on"), "The service does not restart a machine any more",
			"autoreboot_on of "+m.title()+" was true when it was read last, and is false now: "+
				"somebody has set it, or an update was killed while the machine was stopped. "+
				"If autoreboot_on = true is configured, this plan sets it again. Otherwise it is left as it is: to decide, configure autoreboot_on.")
	}
}
