// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// decision is what a plan shows, and what its apply will do. It is made of values alone: of the proposal and the facts.
type decision struct {
	proposal // plan and refused are completed here

	discs   discDecision
	change  change
	replace []path.Path // attributes whose change needs a new machine

	warned    diag.Diagnostics // of losses that the plan alone would not show, unless something is refused
	questions questions
}

// decideCreation decides the plan of a new machine, also of one that replaces another.
func decideCreation(p proposal, f facts) *decision {
	d := &decision{proposal: p}
	d.refused.Append(f.refused...)
	refuseContradiction(&d.state, &d.config, &d.plan, &d.refused)
	tfkit.RefuseDigits(types.StringNull(), d.plan.Name, path.Root("name"), "virtual machine", &d.refused)
	if !d.plan.Disc.IsUnknown() && len(d.plan.discs()) == 0 {
		d.refused.AddAttributeError(path.Root("disc"), "Missing disc",
			"The service creates no machine without a disc. Add a block disc with a label and a size.")
	}
	for i, disc := range d.plan.discs() {
		tfkit.RefuseDigits(types.StringNull(), disc.Label, discPath(i, "label"), "disc", &d.refused)
	}
	d.warnCreation(&d.refused) // even beside an error
	d.checkLimits(limitsOf(&model{}, &d.plan, nil), false)
	if !d.refused.HasError() {
		d.questions = d.ofNewMachine()
	}
	return d
}

// decideUpdate decides the plan of an existing machine. If an attribute is in replace, Terraform replaces it.
func decideUpdate(p proposal, f facts) *decision {
	d := &decision{proposal: p}
	d.refused.Append(f.refused...)
	d.warned.Append(f.warned...)
	d.planValues(f)
	d.refuse()
	switch {
	case d.refused.HasError():
	case len(d.replace) > 0: // of the plan for the new machine, the CLI drops the warnings
		d.questions = d.ofNewMachine()
		d.warnReplace(&d.warned)
		d.warnCreation(&d.warned)
	default:
		d.questions = questions{
			choices:  newChoices(&d.state, &d.plan, d.change.image.install),
			location: newLocationCheck(&d.state, &d.plan, d.plannedGroup),
		}
		d.warn(&d.warned)
	}
	return d
}

// ofNewMachine returns the questions about a machine that is created. The name of the one that it replaces becomes
// free.
func (d *decision) ofNewMachine() questions {
	return questions{
		choices:  newChoices(&model{}, &d.plan, true),
		location: newLocationCheck(&d.state, &d.plan, d.plannedGroup),
	}
}

// judge returns what the answers to the questions mean for the plan.
func (d *decision) judge(a answers) (diags diag.Diagnostics) {
	if a.definitions != nil {
		tfkit.RefuseChoices(d.questions.choices, a.definitions, &diags)
	}
	if d.questions.location != nil {
		d.reportLocation(a.location, &diags)
	}
	return diags
}

// planValues plans every attribute and block. What cannot be known yet is unknown.
func (d *decision) planValues(f facts) {
	planPowerUpdate(&d.state, &d.config, &d.plan, d.private)
	d.plan.planLocation(&d.state, d.plannedGroup)
	if differs(d.state.ZoneName, d.plan.ZoneName) && !d.state.ZoneName.IsNull() { // an unknown zone is usually the same
		d.replace = append(d.replace, path.Root("zone_name"))
	}
	d.replace = append(d.replace, d.planIPs(f.machine)...)
	d.discs = decideDiscs(d.discFacts(f.discs()))
	if d.discs.planned != nil {
		d.plan.Disc = discList(d.discs.planned)
	}
	d.change = newChange(&d.state, &d.plan, d.private)
	d.replace = append(d.replace, d.change.image.paths()...)
	d.planComputed()
}

// planComputed makes unknown exactly the values that this update may change.
func (d *decision) planComputed() {
	state, plan := &d.state, &d.plan
	if !plan.Name.Equal(state.Name) {
		plan.Hostname = types.StringUnknown()
	}
	if d.change.restarts() || d.change.power != nil || d.change.image.install ||
		plan.changesProfile(state) || len(plan.mayRestart()) > 0 || plan.PowerOn.IsUnknown() {
		plan.EffectiveHardwareProfile = types.StringUnknown()
	}
	// The image of a machine that was created off may be installed at its first start (API.md §7.7).
	awaitsImage := state.LastImagedWith.IsNull() && !state.Reimage.IsNull()
	if d.change.image.install || awaitsImage && (d.change.starts() || plan.PowerOn.IsUnknown()) {
		plan.LastImagedWith = types.StringUnknown()
	}
}

// refuse reports what must not or cannot be done, before anything is done.
func (d *decision) refuse() {
	if d.refuseUnknownImage() {
		return // whether the machine is replaced is not known
	}
	tfkit.RefuseDigits(d.state.Name, d.plan.Name, path.Root("name"), "virtual machine", &d.refused)
	refuseContradiction(&d.state, &d.config, &d.plan, &d.refused)
	if len(d.replace) > 0 {
		d.checkLimits(limitsOf(&d.state, &d.plan, nil), true) // what the old machine has, the service accepts
		d.refuseReplacement(&d.refused)
		return
	}
	unmanaged := append(d.private.unmanaged(), d.change.discs.released...)
	d.checkLimits(limitsOf(&d.state, &d.plan, unmanaged), d.change.costs())
	d.refused.Append(d.discs.refused...)
	d.refuseLosses(&d.refused)
	d.refuseStop(&d.refused)
}

// warn warns of every loss of data or uptime that an update in place causes.
func (d *decision) warn(diags *diag.Diagnostics) {
	d.warnMove(diags)
	diags.Append(d.discs.warned...)
	d.warnRestart(diags)
	if d.change.image.install {
		warnNoLogin(&d.config, diags)
	}
	if d.change.on && !d.change.stops() && !d.change.restarts() {
		d.warnNextPowerCycle(diags)
	}
	d.warnProfile(diags)
	d.warnRecorded(diags)
	d.warnNotReady(diags)
	d.warnOwed(diags)
}

// warnCreation warns of what a new machine may be missing.
func (d *decision) warnCreation(diags *diag.Diagnostics) {
	warnBootDisc(&d.plan, diags)
	warnNoLogin(&d.config, diags)
}
