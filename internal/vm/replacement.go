// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// refuseReplacement reports why the machine cannot, or must not, be replaced. Terraform plans the new machine without
// the state of the old one, so the service chooses again what the configuration leaves out.
func (d *decision) refuseReplacement(diags *diag.Diagnostics) {
	because := "A change of " + listPaths(d.replace) + " needs a new machine"
	switch protection := d.protection(); {
	case protection == byPlan && d.plan.DeletionProtection.IsUnknown():
		addUnknown(diags, path.Root("deletion_protection"), "Cannot replace "+d.state.title(),
			because+", and deletion_protection may forbid it")
		return
	case protection != unprotected:
		protection.refuseLoss(d.replace[0], "replace "+d.state.title(),
			because+", and the old one "+d.state.fate()+".", "", diags)
		return
	}
	if d.staysInPlace() && !d.state.purges() {
		diags.AddAttributeError(d.replace[0], "Cannot replace "+d.state.title()+" under the same name",
			because+", and purge_on_destroy is false: the old one would be soft-deleted and keep its name, "+
				"so the service would refuse the new one. "+
				"Change the name as well, or apply purge_on_destroy = true first, alone.")
	}
	if lines := d.linesToStay(); len(lines) > 0 {
		diags.AddAttributeError(d.replace[0], "Cannot replace "+d.state.title()+" where it is",
			fmt.Sprintf("%s, and Terraform plans it from the configuration alone, which would put it elsewhere. "+
				"To create it in the same place, add:\n\n%s", because, alignedLines(lines)))
	}
}

// staysInPlace reports whether the plan keeps the machine's name, group and account.
func (d *decision) staysInPlace() bool {
	return d.plan.Name.Equal(d.state.Name) && !d.plan.moves(&d.state)
}

// linesToStay returns the lines without which the new machine would get another group, account or zone than the old
// one.
func (d *decision) linesToStay() map[string]string {
	lines := map[string]string{}
	add := func(name string, value types.String) { lines[name] = value.String() }
	if d.config.Account.IsNull() && !d.state.Account.Equal(d.defaults.Account) {
		add("account", d.state.Account)
	}
	if d.config.Group.IsNull() && !d.state.Group.Equal(d.defaults.Group) {
		add("group", d.state.Group)
	}
	if d.config.ZoneName.IsNull() && d.private.From == imported && tfkit.Given(d.state.ZoneName) {
		add("zone_name", d.state.ZoneName)
	}
	return lines
}

// warnReplace warns of what a replacement destroys, and of what is chosen again.
func (d *decision) warnReplace(diags *diag.Diagnostics) {
	unmanaged := d.private.unmanaged()
	lost := append(labels(d.discs.prior), labels(unmanaged)...)
	happens, fate := "will be lost", "destroyed, with their backups"
	if d.private.Backups > 0 {
		fate = fmt.Sprintf("%s (%d)", fate, d.private.Backups)
	}
	if !d.state.purges() {
		happens, fate = "will be soft-deleted", "soft-deleted with it"
	}
	text := fmt.Sprintf("A change of %s needs a new machine in place of %s, and the discs of the old one are %s: %s. "+
		"If the service refuses the new machine, there is none, unless create_before_destroy is set",
		listPaths(d.replace), d.state.title(), fate, tfkit.Quoted(lost))
	if needs := d.neededBeside(); needs != "" {
		text += ", which needs " + needs + " for the new machine"
	}
	text += "."
	if d.limited {
		text += " max_unavailable does not hold a replacement back."
	}
	text += d.alreadyImaged()
	if d.change.image.replace && len(d.replace) == len(d.change.image.changed) {
		text += "\n\nWith reimage.on_change = \"reimage\" the machine is kept, and only its boot disc is erased."
	}
	diags.AddAttributeWarning(d.replace[0],
		tfkit.Summary(fmt.Sprintf("All discs of %s %s", d.state.title(), happens), tfkit.Quoted(lost)), text)
	d.warnChosenAgain(diags)
}

// neededBeside returns what the new machine needs for itself while the old one is still there, or "".
func (d *decision) neededBeside() string {
	var needs []string
	if d.staysInPlace() {
		needs = append(needs, "another name")
	}
	for _, family := range families {
		address, _ := d.plan.IPs.Attributes()[family].(types.String)
		if tfkit.Given(address) && d.state.hasAddress(address.ValueString(), nil) {
			needs = append(needs, "other addresses")
			break
		}
	}
	return strings.Join(needs, " and ")
}

// warnChosenAgain warns of values that the configuration leaves to the service.
func (d *decision) warnChosenAgain(diags *diag.Diagnostics) {
	omitted := map[string]string{}
	for name, values := range map[string][2]string{
		"cores":            {d.config.Cores.String(), d.state.Cores.String()},
		"memory":           {d.config.Memory.String(), d.state.Memory.String()},
		"hardware_profile": {d.config.HardwareProfile.String(), d.state.HardwareProfile.String()},
		"zone_name":        {d.config.ZoneName.String(), d.state.ZoneName.String()},
	} {
		if values[0] == "<null>" && values[1] != "<null>" {
			omitted[name] = values[1]
		}
	}
	if len(omitted) > 0 {
		diags.AddAttributeWarning(d.replace[0], "The service chooses parts of the new machine's specification",
			fmt.Sprintf("The configuration of %s leaves these values to the service, "+
				"which may choose others for the new machine than the old one has. To keep them, "+
				"add:\n\n%s", d.state.title(), alignedLines(omitted)))
	}
}

// alignedLines returns one line for each argument, formatted as terraform fmt does.
func alignedLines(arguments map[string]string) string {
	names := slices.Sorted(maps.Keys(arguments))
	width := 0
	for _, name := range names {
		width = max(width, len(name))
	}
	lines := mapped(names, func(name string) string {
		return fmt.Sprintf("  %-*s = %s", width, name, arguments[name])
	})
	return strings.Join(lines, "\n")
}

func listPaths(paths []path.Path) string { return strings.Join(mapped(paths, path.Path.String), ", ") }
