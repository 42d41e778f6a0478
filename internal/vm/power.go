// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/machine"
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

// planPowerUpdate plans what the configuration leaves open: power that an earlier apply could not restore, and the
// autoreboot_on that a stop or a start needs.
func planPowerUpdate(state, config, plan *model, p private) {
	owes := p.Owed.Power
	if owes != nil && config.PowerOn.IsNull() {
		plan.PowerOn = types.BoolValue(owes.PowerOn)
	}
	switch {
	case config.AutorebootOn.IsNull():
		plan.AutorebootOn = plan.autorebootWith(state, config, owes)
	case config.PowerOn.IsNull():
		plan.PowerOn = plan.powerWith(state)
	}
}

// autorebootWith returns the autoreboot_on that keeps the planned power.
func (m *model) autorebootWith(state, config *model, owes *owedPower) types.Bool {
	switch {
	case m.PowerOn.IsUnknown():
		return types.BoolUnknown()
	case tfkit.Given(config.PowerOn) && !config.PowerOn.ValueBool():
		return types.BoolValue(false) // otherwise the service starts the machine again
	case owes != nil:
		return types.BoolValue(owes.AutorebootOn)
	case m.PowerOn.ValueBool() && !state.PowerOn.ValueBool():
		return types.BoolValue(true)
	}
	return m.AutorebootOn
}

// powerWith returns the power to which the planned autoreboot_on leads: the service starts a machine that is off.
func (m *model) powerWith(state *model) types.Bool {
	isOff, wasSet := !m.PowerOn.ValueBool(), state.AutorebootOn.ValueBool()
	switch {
	case m.AutorebootOn.IsUnknown() && (state.aboutToStart() || isOff && !wasSet):
		return types.BoolUnknown()
	case m.AutorebootOn.ValueBool() && !wasSet, state.aboutToStart() && !m.AutorebootOn.ValueBool():
		return types.BoolValue(true) // the service starts it, or it is left to come on
	}
	return m.PowerOn
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
			"power_on is false and autoreboot_on is true, "+
				"but the service starts any machine that is off while autoreboot_on is true. "+
				"Remove autoreboot_on, also from ignore_changes, or set it to false.")
	}
}

// mayRestart returns the attributes that are known only after apply, and may turn out to need a restart.
func (m *model) mayRestart() (unknown []string) {
	for _, s := range settings {
		if s.needsOff != nil && s.value(&m.common).IsUnknown() {
			unknown = append(unknown, s.name)
		}
	}
	return unknown
}

// refuseStop enforces allow_stopping_for_update = false. Where an image is installed, on_change = "reimage" is the
// permission as well.
func (d *decision) refuseStop(diags *diag.Diagnostics) {
	allowed := d.plan.AllowStoppingForUpdate
	if allowed.ValueBool() || allowed.IsUnknown() || d.change.image.mayStop || !d.change.restarts() {
		return
	}
	for _, name := range d.change.offFor {
		diags.AddAttributeError(path.Root(name), "Cannot change "+name+" of "+d.state.title()+" without a restart",
			"The change is made while the machine is off, and the machine is on. "+
				"Set allow_stopping_for_update = true to let this update stop and start it, "+
				"or stop it yourself first.")
	}
	if d.change.image.install {
		diags.AddAttributeError(path.Root("reimage"),
			"Cannot install the image of "+d.state.title()+" without a restart",
			"The image is installed while the machine is off, and the machine is on. "+
				`Set on_change = "reimage" or allow_stopping_for_update = true to let this update stop it `+
				"and erase its boot disc.")
	}
}

// warnRestart warns of a restart, and of what a reimage loses.
func (d *decision) warnRestart(diags *diag.Diagnostics) {
	reasons, stop := d.change.offFor, d.stopExplained()
	switch image := d.change.image; {
	case image.install:
		boot := labels(d.discs.prior[:min(1, len(d.discs.prior))])
		cause := "A change of " + strings.Join(image.changed, ", ")
		if image.isFirst {
			cause = "The new block reimage"
		}
		diags.AddAttributeWarning(path.Root("reimage"),
			tfkit.Summary("The boot disc of "+d.state.title()+" will be erased", tfkit.Quoted(boot)),
			strings.TrimSpace(fmt.Sprintf("%s installs the image of %s: "+
				"everything on its boot disc (%s) is lost. It keeps its ID, its addresses and its other discs. ",
				cause, d.state.title(), tfkit.Quoted(boot))+stop)+d.alreadyImaged())
	case d.change.restarts():
		changed := strings.Join(reasons, ", ")
		diags.AddAttributeWarning(path.Root(reasons[0]), tfkit.Summary("The update restarts the machine", changed),
			fmt.Sprintf("A change of %s needs %s to be off, and it is on. ", changed, d.state.title())+stop)
	case len(d.plan.mayRestart()) > 0 && d.change.on && !d.change.stops():
		unknown := d.plan.mayRestart()
		diags.AddAttributeWarning(path.Root(unknown[0]), "The update may restart the machine",
			fmt.Sprintf("Known only after apply: %s. If that turns out to need %s to be off, the machine is restarted, "+
				"or the apply is an error without allow_stopping_for_update = true.",
				strings.Join(unknown, ", "), d.state.title()))
	}
}

// stopExplained explains how a machine that is on is stopped.
func (d *decision) stopExplained() string {
	longest := min(d.plan.shutdown().Timeout, tfkit.Timeout(d.plan.Timeouts, "update", defaultTimeout)/2)
	switch {
	case !d.change.restarts():
		return ""
	case d.plan.OnShutdownTimeout.ValueString() == machine.FailOnTimeout:
		return fmt.Sprintf("The machine is stopped gracefully, and is on again afterwards. "+
			"If the guest has not shut down after at most %s, the update ends with an error.", longest)
	}
	return fmt.Sprintf("The machine is stopped gracefully, or switched off after at most %s, and is on again afterwards.",
		longest)
}

// warnCutOff warns of a guest that was not seen to shut down before its machine was switched off or deleted. what says
// what was done instead, and operation is "update" or "destroy", with its timeout.
func (m *model) warnCutOff(guest *machine.SlowGuest, what, operation, timeout string, diags *diag.Diagnostics) {
	if guest == nil {
		return
	}
	summary := "The guest of " + m.title() + " was cut off"
	if guest.Unseen != nil {
		summary = "The guest of " + m.title() + " may have been cut off"
	}
	more := "raise shutdown_timeout"
	if guest.Limited {
		more = fmt.Sprintf("raise %s: a stop takes at most half of it", timeout)
	}
	diags.AddAttributeWarning(path.Root("shutdown_timeout"), summary, tfkit.Sentence(guest.String()+what)+
		fmt.Sprintf(" To give it more time, %s. With on_shutdown_timeout = \"fail\", the %s ends with an error instead.",
			more, operation))
}

// warnNextPowerCycle warns of changes that a running guest does not see yet.
func (d *decision) warnNextPowerCycle(diags *diag.Diagnostics) {
	var at []path.Path
	var waiting []string
	wait := func(what string, attribute path.Path) { at, waiting = append(at, attribute), append(waiting, what) }
	for _, added := range d.change.discs.add {
		wait(fmt.Sprintf("disc %q is added", added.disc.Label.ValueString()), discPath(added.index, "label"))
	}
	for _, grown := range d.change.discs.grow {
		wait(fmt.Sprintf("disc %q grows", grown.disc.Label.ValueString()), discPath(grown.index, "size"))
	}
	for _, name := range d.change.lowered {
		wait(name+" is lowered", path.Root(name))
	}
	if len(waiting) > 0 {
		diags.AddAttributeWarning(at[0], "The guest sees the change after the next power cycle",
			fmt.Sprintf("The %s is on, and this update does not restart it: %s. Restart it %s.",
				d.state.title(), strings.Join(waiting, ", "),
				d.withAction.onMachine("power", d.state.ID.ValueString(), "state=restart")))
	}
}

// warnOwed explains a plan that restores power, or that does not, because power_on is false or among ignore_changes, which a
// provider cannot tell apart.
func (d *decision) warnOwed(diags *diag.Diagnostics) {
	state, config, plan, owes := &d.state, &d.config, &d.plan, d.private.Owed.Power
	staysOff := tfkit.Given(plan.PowerOn) && !plan.PowerOn.ValueBool() && !plan.aboutToStart()
	switch {
	case owes == nil:
	case owes.PowerOn && staysOff:
		diags.AddAttributeWarning(path.Root("power_on"), "The machine stays off",
			fmt.Sprintf("An earlier apply had stopped %s and could not start it again. This plan leaves it off, "+
				"because power_on is false, or is in ignore_changes. If it should run, start it %s.",
				state.title(), d.withAction.onMachine("power", state.ID.ValueString(), "state=start")))
	case !config.PowerOn.IsNull() && !config.AutorebootOn.IsNull():
	case plan.PowerOn.Equal(state.PowerOn) && plan.AutorebootOn.Equal(state.AutorebootOn):
	default:
		diags.AddAttributeWarning(path.Root("power_on"), "The power of the machine is restored",
			fmt.Sprintf("An earlier apply had stopped %s and could not restore its power. "+
				"This plan sets power_on to %t and autoreboot_on to %t, as they were before.",
				state.title(), plan.PowerOn.ValueBool(), plan.AutorebootOn.ValueBool()))
	}
}

// owePower records power that could not be restored after a failed update or delete, and warns that the next plan
// restores it.
func (m *model) owePower(operations *machine.Machine, err error, p *private, diags *diag.Diagnostics) {
	if p.Owed.Power == nil {
		p.Owed.Power = &owedPower{PowerOn: operations.Before().On, AutorebootOn: operations.Before().Autoreboot}
	}
	diags.AddAttributeWarning(path.Root("power_on"), "Cannot restore the power of "+m.title(),
		fmt.Sprintf("%s It was stopped, or about to be, so it may be off now. "+
			"The next plan sets power_on to %t and autoreboot_on to %t, as they were, "+
			"unless the configuration sets or ignores them.",
			tfkit.Sentence(err.Error()), p.Owed.Power.PowerOn, p.Owed.Power.AutorebootOn))
}

// staysOn reports whether the machine is on after the plan is applied.
func (m *model) staysOn(state *model) bool {
	if tfkit.Given(m.PowerOn) {
		return m.PowerOn.ValueBool()
	}
	return state.PowerOn.ValueBool()
}

// aboutToStart reports whether the machine is off and the service will start it.
func (m *model) aboutToStart() bool { return !m.PowerOn.ValueBool() && m.AutorebootOn.ValueBool() }
