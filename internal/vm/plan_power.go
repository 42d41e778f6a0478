package vm

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// planPowerCreate: a new machine runs unless the configuration says otherwise,
// and comes back by itself if it is to run (API.md §3, power).
func planPowerCreate(config, plan *model) {
	if config.PowerOn.IsNull() {
		plan.PowerOn = types.BoolValue(true)
	}
	if config.AutorebootOn.IsNull() {
		plan.AutorebootOn = plan.PowerOn
	}
}

// planPowerUpdate plans what the configuration leaves open: the power that a
// failed update owes, and autoreboot_on as a stop or a start needs it.
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
			plan.PowerOn = types.BoolValue(true) // because the service starts it
		}
		return
	}
	switch {
	case plan.PowerOn.IsUnknown():
		plan.AutorebootOn = types.BoolUnknown()
	case tfkit.Given(config.PowerOn) && !config.PowerOn.ValueBool():
		plan.AutorebootOn = types.BoolValue(false) // or the service starts it again
	case p.Owed != nil:
		plan.AutorebootOn = types.BoolValue(p.Owed.AutorebootOn)
	case plan.PowerOn.ValueBool() && !state.PowerOn.ValueBool():
		plan.AutorebootOn = types.BoolValue(true)
	}
}

// refuseContradiction finds at plan what validate could not know. A machine that
// merely is off, while the service is about to start it, is none.
func refuseContradiction(state, config, plan *model, diags *diag.Diagnostics) {
	if plan.PowerOn.Equal(state.PowerOn) && plan.AutorebootOn.Equal(state.AutorebootOn) {
		return // nothing is planned, as with ignore_changes = [power_on]
	}
	if !config.PowerOn.IsNull() && tfkit.Given(plan.PowerOn) && !plan.PowerOn.ValueBool() && plan.AutorebootOn.ValueBool() {
		diags.AddAttributeError(path.Root("autoreboot_on"), "Conflicting power settings",
			"power_on is false, but the service starts any machine that is off while autoreboot_on is true. Set autoreboot_on to false.")
	}
}

func warnOwed(state, config, plan *model, p private, diags *diag.Diagnostics) {
	if p.Owed == nil || !config.PowerOn.IsNull() && !config.AutorebootOn.IsNull() {
		return
	}
	if plan.PowerOn.Equal(state.PowerOn) && plan.AutorebootOn.Equal(state.AutorebootOn) {
		return
	}
	diags.AddAttributeWarning(path.Root("power_on"), "The power of "+state.title()+" is restored",
		fmt.Sprintf("An earlier update failed and could not restore the machine's power. This plan sets power_on to %t and autoreboot_on to %t, as they were before that update.",
			plan.PowerOn.ValueBool(), plan.AutorebootOn.ValueBool()))
}
