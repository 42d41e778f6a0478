package vm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// warn names every loss of data, address or uptime that the plan alone would
// leave to the reader's guess.
func (u *updatePlan) warn(r *vmResource, diags *diag.Diagnostics) {
	c, image := u.change, u.change.image
	if len(u.replace) > 0 {
		u.warnReplace(r, diags)
		warnBootDisc(&u.plan, u.discs.planned, diags)
		if image.replace {
			warnNoLogin(&u.config, diags)
		}
		return
	}
	u.warnUnknown(diags)
	u.warnMove(diags)
	u.warnDiscs(diags)
	u.warnRestart(r, diags)
	if image.install {
		warnNoLogin(&u.config, diags)
	}
	if c.on && !c.stops() && !c.restarts() {
		u.warnNextPowerCycle(diags)
	}
	u.warnProfile(diags)
	u.warnRecorded(diags)
	u.warnNotReady(diags)
	warnOwed(&u.state, &u.config, &u.plan, u.private, diags)
}

// warnDestroy names what goes with a machine: once in a run what goes with each, and
// always the discs that no configuration mentions.
func (r *vmResource) warnDestroy(m *model, p private, diags *diag.Diagnostics) {
	if !m.mayPurge() {
		return
	}
	if len(p.Foreign) > 0 {
		diags.AddWarning("Destroying "+m.title()+" destroys discs that no configuration manages",
			fmt.Sprintf("Somebody else put these discs on the machine, and they are destroyed with it, with their backups: %s. To keep one, move it to another machine first.", tfkit.Quoted(labels(p.foreignDiscs()))))
	}
	if !r.Data.Noted.Add("warned of a destroy") {
		diags.AddWarning("Destroying a machine destroys its discs and their backups",
			fmt.Sprintf("The %s, and every other one that this plan destroys, is purged with all its discs and backups. To be able to undelete a machine for a while, apply purge_on_destroy = false first.", m.title()))
	}
}

// warnMove names what others may know the machine by.
func (u *updatePlan) warnMove(diags *diag.Diagnostics) {
	if u.plan.moves(&u.state) {
		diags.AddAttributeWarning(path.Root("group"), "The update moves "+u.state.title(),
			"Its hostname changes with its group, and its addresses may change. A reverse name that was set stays with the old address.")
	}
}

// warnUnknown names the discs that an update may purge.
func (u *updatePlan) warnUnknown(diags *diag.Diagnostics) {
	undecided := slices.DeleteFunc(slices.Clone(u.discs.state), func(d discModel) bool {
		_, kept := discWithID(u.discs.planned, d.ID)
		return kept
	})
	if !u.discs.known && len(undecided) > 0 {
		diags.AddAttributeWarning(path.Root("disc"), "The discs of "+u.state.title()+" are not known yet",
			fmt.Sprintf("Which discs the configuration wants depends on something that is not applied yet. The apply keeps those that it wants and purges the others, and their data and backups are lost: it decides about %s. "+
				"To see what happens before it does, apply what the discs depend on first, with -target.", tfkit.Quoted(labels(undecided))))
	}
}

func (u *updatePlan) warnDiscs(diags *diag.Diagnostics) {
	for _, disc := range u.change.discs.purge {
		diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("Disc %q of %s will be purged", disc.Label.ValueString(), u.state.title()),
			fmt.Sprintf("The configuration has no disc %q, so the disc (ID %s, %d megabytes, %s) is purged, and its data and backups are lost. The other discs stay. "+
				"To keep it, add a block for it. To rename a disc, change only its label, at the same position.",
				disc.Label.ValueString(), disc.ID.ValueString(), disc.Size.ValueInt64(), disc.StorageGrade.ValueString()))
	}
	for _, disc := range u.change.discs.released {
		diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("Disc %q of %s is left alone", disc.Label.ValueString(), u.state.title()),
			fmt.Sprintf("The machine was imported and the configuration has no disc %q. The disc stays on the machine and leaves the state. To manage it, add a disc block with this label and size = %d.", disc.Label.ValueString(), disc.Size.ValueInt64()))
	}
	for _, disc := range u.change.discs.adopted {
		diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("Disc %q of %s is managed from now on", disc.Label.ValueString(), u.state.title()),
			fmt.Sprintf("The disc (ID %s) was put on the machine by somebody else, and the configuration now has a block for it. Its data stays.", disc.ID.ValueString()))
	}
}

// warnRestart names what a reimage loses, and a restart.
func (u *updatePlan) warnRestart(r *vmResource, diags *diag.Diagnostics) {
	at, summary := "reimage", "The boot disc of "+u.state.title()+" will be erased"
	var text, explanation string
	reasons := u.change.offFor
	if u.change.restarts() {
		explanation = fmt.Sprintf("The machine is stopped gracefully, or switched off after %s, and is on again afterwards.", u.plan.ShutdownTimeout.ValueString())
	}
	switch image := u.change.image; {
	case image.install:
		text = fmt.Sprintf("A change of %s installs the image: everything on its boot disc (%s) is lost.",
			strings.Join(append(slices.Clone(reasons), image.changed...), ", "), tfkit.Quoted(labels(u.discs.state[:min(1, len(u.discs.state))])))
		explanation = strings.TrimSpace(explanation + " It keeps its ID, its addresses and its other discs.")
	case u.change.restarts():
		at, summary = reasons[0], "The update restarts "+u.state.title()
		text = fmt.Sprintf("A change of %s is made while the machine is off, and the machine is on.", strings.Join(reasons, ", "))
	default:
		return
	}
	diags.AddAttributeWarning(path.Root(at), summary, r.Data.Noted.Explain(text, explanation))
}

// warnNextPowerCycle names what a running guest does not see yet.
func (u *updatePlan) warnNextPowerCycle(diags *diag.Diagnostics) {
	warn := func(at path.Path, summary string) {
		diags.AddAttributeWarning(at, summary, "The guest sees it after the next power cycle of the machine. This update does not restart the machine.")
	}
	for _, added := range u.change.discs.add {
		warn(path.Root("disc").AtListIndex(added.index).AtName("label"), fmt.Sprintf("Disc %q is added to a machine that is on", added.disc.Label.ValueString()))
	}
	for _, grown := range u.change.discs.grow {
		warn(path.Root("disc").AtListIndex(grown.index).AtName("size"), fmt.Sprintf("Disc %q grows on a machine that is on", grown.disc.Label.ValueString()))
	}
	for _, name := range u.change.lowered {
		warn(path.Root(name), "Lowering "+name+" of "+u.state.title()+" waits for a power cycle")
	}
}

// warnProfile explains why an older profile is not set.
func (u *updatePlan) warnProfile(diags *diag.Diagnostics) {
	if u.plan.repeatsUpgrade(&u.state) {
		diags.AddAttributeWarning(path.Root("hardware_profile"), "The hardware profile of "+u.state.title()+" is only recorded",
			fmt.Sprintf("The machine has the profile %s, to which the service upgrades %s at a restart. Setting the older one would restart the machine and change nothing. "+
				"To go back to it, set hardware_profile_locked = true as well.", u.state.EffectiveHardwareProfile, u.plan.HardwareProfile))
	}
}

// warnNoDiscs: the service's public client never creates such a machine.
func warnNoDiscs(plan *model, diags *diag.Diagnostics) {
	if !plan.Disc.IsUnknown() && len(plan.Disc.Elements()) == 0 {
		diags.AddAttributeWarning(path.Root("disc"), "The new machine has no disc",
			"The service may refuse to create "+plan.title()+" without a disc. Add a disc block.")
	}
}

// warnBootDisc warns where the first disc becomes the boot disc, and another one has
// the label of a boot disc.
func warnBootDisc(plan *model, discs []discModel, diags *diag.Diagnostics) {
	boot := slices.IndexFunc(discs, discModel.isBootByLabel)
	if boot < 1 || discs[0].Label.IsUnknown() {
		return
	}
	diags.AddAttributeWarning(path.Root("disc").AtListIndex(0).AtName("label"), fmt.Sprintf("Disc %q becomes the boot disc of the new machine", discs[0].Label.ValueString()),
		fmt.Sprintf("The first disc block is the boot disc, on which the image is installed. The configuration of %s puts %q first, and %q further down. "+
			"If %q is meant to be the boot disc, put its block first. A dynamic block over a map is sorted by key: use a list.",
			plan.title(), discs[0].Label.ValueString(), discs[boot].Label.ValueString(), discs[boot].Label.ValueString()))
}

// warnNoLogin warns of an image that nobody could log in to, and of a script
// that the service would not run.
func warnNoLogin(config *model, diags *diag.Diagnostics) {
	block, ok := blockOf[reimageModel](config.Reimage)
	if !ok {
		return
	}
	if block.RootPassword.IsNull() && block.SSHPublicKey.IsNull() {
		diags.AddAttributeWarning(path.Root("reimage"), "Nobody can log in to the new image",
			"The block reimage has neither ssh_public_key nor root_password, so the image gets a root password that nobody knows. Set one of the two.")
	}
	if script := block.FirstbootScript; tfkit.Given(script) && !strings.HasPrefix(script.ValueString(), "#!") {
		diags.AddAttributeWarning(path.Root("reimage").AtName("firstboot_script"), "The first boot script has no #! line",
			"The service runs firstboot_script as an executable, so it should begin with a line such as #!/bin/sh. It reads neither cloud-config nor a path: set the contents of a script, with file() where it is in a file.")
	}
}

// warnReplace names what a replacement destroys and what is chosen again.
func (u *updatePlan) warnReplace(r *vmResource, diags *diag.Diagnostics) {
	if lost := tfkit.Quoted(append(labels(u.discs.state), labels(u.private.foreignDiscs())...)); lost != "" {
		text := fmt.Sprintf("A change of %s needs a new machine, and the discs of the old one are destroyed, with their backups: %s.", listPaths(u.replace), lost)
		explanation := ""
		if u.change.image.replace && len(u.replace) == len(u.change.image.changed) {
			explanation = "With reimage.on_change = \"reimage\" the machine is kept, and only its boot disc is erased."
		}
		diags.AddAttributeWarning(u.replace[0], "All discs of "+u.state.title()+" will be lost", r.Data.Noted.Explain(text, explanation))
	}
	var omitted []string
	for name, values := range map[string][2]string{
		"cores":            {u.config.Cores.String(), u.state.Cores.String()},
		"memory":           {u.config.Memory.String(), u.state.Memory.String()},
		"hardware_profile": {u.config.HardwareProfile.String(), u.state.HardwareProfile.String()},
		"zone_name":        {u.config.ZoneName.String(), u.state.ZoneName.String()},
	} {
		if values[0] == "<null>" && values[1] != "<null>" {
			omitted = append(omitted, fmt.Sprintf("  %s = %s", name, values[1]))
		}
	}
	if len(omitted) > 0 {
		diags.AddAttributeWarning(u.replace[0], "The service chooses parts of the new machine's specification",
			fmt.Sprintf("The configuration of %s leaves these values to the service, which may choose others for the new machine than the old one has. To keep them, add:\n\n%s", u.state.title(), strings.Join(slices.Sorted(slices.Values(omitted)), "\n")))
	}
}

func listPaths(paths []path.Path) string { return strings.Join(mapped(paths, path.Path.String), ", ") }

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

// warnRecorded explains a plan that shows a change and does nothing, as the first one
// after an import.
func (u *updatePlan) warnRecorded(diags *diag.Diagnostics) {
	var recorded []string
	if image := u.change.image; !image.install && !image.replace {
		for _, name := range image.recorded {
			recorded = append(recorded, "reimage."+name)
		}
	}
	if key := "reimage.ssh_public_key"; !u.private.Adopted && len(recorded) == 1 && recorded[0] == key {
		diags.AddAttributeWarning(path.Root("reimage").AtName("ssh_public_key"), "The new key waits for the next image",
			fmt.Sprintf("ssh_public_key is only written to the state: %s keeps its present keys until an image is installed, for example because revision changes.", u.state.title()))
		return
	}
	for name, values := range map[string][2]attr.Value{"timeouts": {u.state.Timeouts, u.plan.Timeouts}, "ready": {u.state.Ready, u.plan.Ready}} {
		if u.private.Adopted && values[0].IsNull() && !values[1].IsNull() {
			recorded = append(recorded, name)
		}
	}
	if len(recorded) > 0 {
		at, _, _ := strings.Cut(recorded[0], ".")
		diags.AddAttributeWarning(path.Root(at), "Settings of "+u.state.title()+" are only recorded",
			fmt.Sprintf("They are only written to the state: %s. The machine is neither reimaged nor replaced, and nothing else happens.", strings.Join(slices.Sorted(slices.Values(recorded)), ", ")))
	}
}

// warnNotReady explains the update of a machine that nobody has changed.
func (u *updatePlan) warnNotReady(diags *diag.Diagnostics) {
	if u.change.owesReady {
		diags.AddAttributeWarning(path.Root("ready"), "The "+u.state.title()+" was not ready when it was looked at last",
			"An earlier apply ended before the machine accepted a connection. This update waits for it again before it ends, and sends nothing for that. To do without, remove the block ready.")
	}
}
