package vm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// refuseReplacement reports why the machine cannot, or must not, be replaced. Terraform plans the new machine without
// the state of the old one, so the service chooses again what the configuration leaves out.
func (u *updatePlan) refuseReplacement(r *vmResource, diags *diag.Diagnostics) {
	because := "A change of " + listPaths(u.replace) + " needs a new machine"
	switch protection := u.state.protection(&u.plan); {
	case u.plan.DeletionProtection.IsUnknown() && !protection.State:
		addUnknown(diags, path.Root("deletion_protection"), "Cannot replace "+u.state.title(), because+", and deletion_protection may forbid it")
		return
	case protection.Holds():
		u.state.refuseProtected(protection, !u.state.mayPurge(), u.replace[0], because+". ", diags)
		return
	}
	u.private.forPlan(&u.state, &u.plan).refuseKeptName(&u.plan, u.replace[0], because+", and ", diags)
	if lines := u.linesToStay(r); len(lines) > 0 {
		diags.AddAttributeError(u.replace[0], "Cannot replace "+u.state.title()+" where it is",
			fmt.Sprintf("%s, and Terraform plans it from the configuration alone, which would put it elsewhere. "+
				"To create it in the same place, add:\n\n%s", because, strings.Join(lines, "\n")))
	}
}

// linesToStay returns the lines without which the new machine would get another group, account or zone than the old
// one.
func (u *updatePlan) linesToStay(r *vmResource) []string {
	var lines []string
	add := func(name string, value types.String) {
		lines = append(lines, fmt.Sprintf("  %s = %q", name, value.ValueString()))
	}
	if u.config.Account.IsNull() && !u.state.Account.Equal(r.Data.Account) {
		add("account", u.state.Account)
	}
	if u.config.Group.IsNull() && u.config.GroupID.IsNull() && !u.state.Group.Equal(r.Data.Group) {
		add("group", u.state.Group)
	}
	if u.config.ZoneName.IsNull() && u.private.From == imported && tfkit.Given(u.state.ZoneName) {
		add("zone_name", u.state.ZoneName)
	}
	return lines
}

// warnReplace warns of what a replacement destroys, and of what is chosen again.
func (u *updatePlan) warnReplace(diags *diag.Diagnostics) {
	if lost := append(labels(u.discs.present()), labels(u.private.Discs.foreign(u.state.discs()))...); len(lost) > 0 {
		text := fmt.Sprintf("A change of %s needs a new machine in place of %s, and the discs of the old one are destroyed, "+
			"with their backups: %s. If the service refuses the new machine, there is none, unless create_before_destroy is set.",
			listPaths(u.replace), u.state.title(), tfkit.Quoted(lost))
		if u.change.image.replace && len(u.replace) == len(u.change.image.changed) {
			text += "\n\nWith reimage.on_change = \"reimage\" the machine is kept, and only its boot disc is erased."
		}
		diags.AddAttributeWarning(u.replace[0], tfkit.Summary("All discs will be lost", tfkit.Quoted(lost)), text)
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
			fmt.Sprintf("The configuration of %s leaves these values to the service, "+
				"which may choose others for the new machine than the old one has. To keep them, add:\n\n%s", u.state.title(),
				strings.Join(slices.Sorted(slices.Values(omitted)), "\n")))
	}
}

func listPaths(paths []path.Path) string { return strings.Join(mapped(paths, path.Path.String), ", ") }
