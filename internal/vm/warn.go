package vm

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// warn names every loss of data, address or uptime that the plan alone would
// leave to the reader's guess.
func (c change) warn(state, plan model, diags *diag.Diagnostics) {
	if len(c.replace) > 0 {
		c.warnReplace(state, diags)
		return
	}
	c.warnUnknown(state, plan, diags)
	c.warnPurge(state, diags)
	c.warnReimage(state, diags)
	c.warnRestart(state, plan, diags)
	c.warnNextPowerCycle(state, diags)
	c.warnRecorded(state, diags)
	c.warnTimeouts(state, plan, diags)
}

// warnReplace names what a replacement destroys, which the plan shows as one
// line among many.
func (c change) warnReplace(state model, diags *diag.Diagnostics) {
	summary := "All discs of " + state.title() + " will be lost"
	for _, regraded := range c.discs.regrade {
		diags.AddAttributeWarning(path.Root("disc").AtListIndex(regraded.index).AtName("storage_grade"), summary,
			fmt.Sprintf("The service cannot change the storage grade of a disc (%q), so the machine is replaced, and the data of its discs is destroyed: %s. ",
				regraded.disc.Label.ValueString(), tfkit.Quoted(c.discs.labels()))+insteadOfRegrade(regraded.index))
	}
	if len(c.discs.regrade) == 0 && len(c.discs.before) > 0 {
		diags.AddAttributeWarning(c.replace[0], summary,
			fmt.Sprintf("A change of %s needs a new machine in place of this one, and the data of its discs is destroyed: %s.%s",
				listPaths(c.replace), tfkit.Quoted(c.discs.labels()), c.insteadOfReplace()))
	}
}

// insteadOfRegrade is the way to another grade that loses nothing. There is none
// for the boot disc, which no other can take the place of.
func insteadOfRegrade(index int) string {
	if index == 0 {
		return "To keep the machine, take the change back: no other disc can become the boot disc."
	}
	return "To keep the machine, add a disc of the other grade with another label, copy the data, and then remove this one."
}

func (c change) insteadOfReplace() string {
	if len(c.reimage.changed) == 0 || len(c.replace) > len(c.reimage.changed) {
		return ""
	}
	return " With in_place = true in the block reimage the machine is kept, and only its boot disc is erased."
}

// warnUnknown tells what an update may do with values that are not known yet.
func (c change) warnUnknown(state, plan model, diags *diag.Diagnostics) {
	if c.discs.unknown && len(c.discs.before) > 0 {
		diags.AddAttributeWarning(path.Root("disc"), "The discs of "+state.title()+" are not known yet",
			fmt.Sprintf("Which discs the configuration wants depends on something that is not applied yet. The apply keeps those that it wants and purges the others, and their data is lost: the machine has %s. "+
				"To see what happens before it does, apply what the discs depend on first, with -target.", tfkit.Quoted(c.discs.labels())))
	}
	if plan.mayRestart() && state.PowerOn.ValueBool() && !c.restarts(state) {
		diags.AddWarning("The update may restart "+state.title(),
			"A part of its specification is not known yet. If the service changes it only while the machine is off, the apply stops the machine and starts it again; with allow_stopping_for_update = false it is refused then.")
	}
}

func (c change) warnPurge(state model, diags *diag.Diagnostics) {
	for _, disc := range c.discs.purge {
		diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("Disc %q of %s will be purged", disc.Label.ValueString(), state.title()),
			fmt.Sprintf("The configuration has no disc %q, so the disc (id %d, %d megabytes, %s) is purged and its data is lost for good. The other discs stay. "+
				"To keep it, give it a block. To rename a disc, change its label alone, at the same position.",
				disc.Label.ValueString(), disc.ID.ValueInt64(), disc.Size.ValueInt64(), disc.StorageGrade.ValueString()))
	}
}

func (c change) warnReimage(state model, diags *diag.Diagnostics) {
	if !c.reimagesInPlace() {
		return
	}
	diags.AddAttributeWarning(path.Root("reimage"), "The boot disc of "+state.title()+" will be erased",
		fmt.Sprintf("A change of %s reimages the machine in place: everything on its boot disc%s is lost for good. It keeps its id, its addresses and its other discs.",
			strings.Join(c.reimage.changed, ", "), c.discs.bootDisc()))
}

func (c change) warnRestart(state, plan model, diags *diag.Diagnostics) {
	if !c.restarts(state) {
		return
	}
	diags.AddAttributeWarning(path.Root(c.stopsFor()[0]), "The update restarts "+state.title(),
		fmt.Sprintf("The service makes a change of %s only while the machine is off, and the machine is on. It is stopped gracefully, or hard after %s, and started again after the change. "+
			"Set allow_stopping_for_update = false to refuse such updates.", strings.Join(c.stopsFor(), ", "), plan.ShutdownTimeout.ValueString()))
}

func (c change) warnNextPowerCycle(state model, diags *diag.Diagnostics) {
	if !state.PowerOn.ValueBool() || c.power == powerStop || c.restarts(state) {
		return
	}
	for _, added := range c.discs.add {
		warnGuest(added, "Disc %q is added to a machine that is on", diags)
	}
	for _, grown := range c.discs.grow {
		warnGuest(grown, "Disc %q grows on a machine that is on", diags)
	}
	for _, name := range c.lowered {
		diags.AddAttributeWarning(path.Root(name), "Lowering "+name+" of "+state.title()+" waits for a power cycle",
			"The service takes the change while the machine is on, and the guest has what it has until the next power cycle. This update does not restart the machine.")
	}
}

func warnGuest(d indexedDisc, summary string, diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root("disc").AtListIndex(d.index), fmt.Sprintf(summary, d.disc.Label.ValueString()),
		"The guest sees it after the next power cycle of the machine. This update does not restart the machine.")
}

func (c change) warnRecorded(state model, diags *diag.Diagnostics) {
	if len(c.reimage.recorded) == 0 || c.reimagesInPlace() {
		return
	}
	diags.AddAttributeWarning(path.Root("reimage"), "The image settings of "+state.title()+" are recorded only",
		fmt.Sprintf("The service cannot tell what the machine was made with, so what is configured for %s is only written to the state: the machine is neither reimaged nor replaced. Later changes do that.",
			strings.Join(c.reimage.recorded, ", ")))
}

// warnTimeouts tells why the first plan after an import is not empty.
func (c change) warnTimeouts(state, plan model, diags *diag.Diagnostics) {
	if !c.adopted || !state.Timeouts.IsNull() || plan.Timeouts.IsNull() {
		return
	}
	diags.AddAttributeWarning(path.Root("timeouts"), "The timeouts of "+state.title()+" are recorded only",
		"The service knows nothing of timeouts, so they are only written to the state of the imported machine, and nothing else happens.")
}

func (c discChange) labels() []string {
	names := make([]string, len(c.before))
	for i, disc := range c.before {
		names[i] = disc.Label.ValueString()
	}
	return names
}

func (c discChange) bootDisc() string {
	if len(c.before) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%q)", c.before[0].Label.ValueString())
}
