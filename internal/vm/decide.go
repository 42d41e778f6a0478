package vm

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// decision is what a plan shows, and what its apply will do. It is made of values alone: of the proposal and the facts.
type decision struct {
	proposal // its plan becomes what is planned, and refused has warnings that are shown beside errors as well

	discs   discDecision
	change  change
	replace []path.Path // attributes whose change needs a new machine

	warned    diag.Diagnostics // losses that the plan alone would not show. What a refused change would cost does not matter
	questions questions
}

// decideCreation decides the plan of a new machine, also of one that replaces another.
func decideCreation(p proposal, f facts) *decision {
	d := &decision{proposal: p}
	d.refused.Append(f.location.refused...)
	d.private.refuseKeptName(&d.plan, path.Root("purge_on_destroy"), "", &d.refused)
	refuseContradiction(&d.state, &d.config, &d.plan, &d.refused)
	location.RefuseDigits(types.StringNull(), d.plan.Name, path.Root("name"), "virtual machine", &d.refused)
	discs := d.plan.discs()
	for i, disc := range discs {
		refuseDigits(i, types.StringNull(), disc, &d.refused)
	}
	d.warnCreation(discs, &d.refused)
	d.warnUnits()
	if !d.refused.HasError() {
		d.change.discs = changeDiscs(nil, discs, nil, false)
		d.questions = d.ofNewMachine()
	}
	return d
}

// decideUpdate decides the plan of an existing machine. If an attribute is in replace, Terraform replaces it.
func decideUpdate(p proposal, f facts) *decision {
	d := &decision{proposal: p}
	d.refused.Append(f.location.refused...)
	d.planValues(f)
	d.discs.warnForeign(&d.state, &d.refused)
	d.warnUnits()
	d.refuse()
	switch {
	case d.refused.HasError():
	case len(d.replace) > 0: // of the plan for the new machine, the CLI drops the warnings
		d.questions = d.ofNewMachine()
		d.warnReplace(&d.warned)
		d.warnCreation(d.discs.planned, &d.warned)
	default:
		d.questions = questions{choices: newChoices(&d.state, &d.plan, d.change.image.install), name: d.nameQuestion()}
		d.warn(&d.warned)
	}
	return d
}

// ofNewMachine returns the questions about a machine that is created. The name and the addresses of the one that it
// replaces become free.
func (d *decision) ofNewMachine() questions {
	return questions{choices: newChoices(&model{}, &d.plan, true), name: d.nameQuestion(), addresses: d.addressQuestions()}
}

// judge returns what the answers to the questions mean for the plan.
func (d *decision) judge(a answers) (diags diag.Diagnostics) {
	if a.definitions != nil {
		tfkit.RefuseChoices(d.questions.choices, a.definitions, &diags)
	}
	if d.questions.name != nil {
		d.judgeName(a.name, &diags)
	}
	for i, answer := range a.addresses {
		d.judgeAddress(d.questions.addresses[i], answer, &diags)
	}
	return diags
}

// planValues plans every attribute and block. What cannot be known yet is unknown.
func (d *decision) planValues(f facts) {
	planPowerUpdate(&d.state, &d.config, &d.plan, d.private)
	d.plan.planLocation(&d.state, &d.config, f.location)
	if !d.plan.ZoneName.Equal(d.state.ZoneName) && !d.state.ZoneName.IsNull() {
		d.replace = append(d.replace, path.Root("zone_name"))
	}
	d.replace = append(d.replace, d.planIPs(f.ips)...)
	d.discs = decideDiscs(d.discFacts())
	if d.discs.planned != nil {
		d.plan.Disc = discList(d.discs.planned)
	}
	d.change = newChange(&d.state, &d.plan, d.private, d.discs.change)
	d.replace = append(d.replace, d.change.image.paths()...)
	d.planComputed()
}

// planComputed makes unknown exactly the values that this update may change.
func (d *decision) planComputed() {
	state, plan := &d.state, &d.plan
	if !plan.Name.Equal(state.Name) {
		plan.Hostname = types.StringUnknown()
	}
	installs := d.change.image.install || d.change.image.unknown
	unknown := plan.Cores.IsUnknown() || plan.Memory.IsUnknown() || plan.HardwareProfile.IsUnknown() ||
		plan.PowerOn.IsUnknown()
	if d.change.restarts() || d.change.owesReady || d.change.power != nil || installs || plan.changesProfile(state) ||
		unknown {
		plan.EffectiveHardwareProfile = types.StringUnknown()
	}
	if installs {
		plan.LastImagedWith = types.StringUnknown()
	}
}

// refuse reports what must not or cannot be done, before anything is done.
func (d *decision) refuse() {
	diags := &d.refused
	d.change.image.refuseUnknown(&d.state, &d.plan, diags)
	location.RefuseDigits(d.state.Name, d.plan.Name, path.Root("name"), "virtual machine", diags)
	refuseContradiction(&d.state, &d.config, &d.plan, &d.refused)
	d.refuseThirdLocation()
	if len(d.replace) > 0 {
		d.refuseReplacement(diags)
		return
	}
	diags.Append(d.discs.refused...)
	d.refuseLoss(diags)
	d.refuseStop(diags)
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
func (d *decision) warnCreation(discs []discModel, diags *diag.Diagnostics) {
	warnNoDiscs(&d.plan, diags)
	warnBootDisc(&d.plan, discs, diags)
	warnNoLogin(&d.config, diags)
}
