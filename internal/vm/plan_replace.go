package vm

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// refuseReplacement reports why the machine cannot, or must not, be replaced.
// Terraform plans the new machine without sight of the old one, so whatever the
// configuration leaves out is chosen again.
func (u *updatePlan) refuseReplacement(ctx context.Context, r *vmResource, diags *diag.Diagnostics) {
	because := listPaths(u.replace)
	switch {
	case u.state.DeletionProtection.ValueBool() || u.plan.DeletionProtection.ValueBool():
		diags.AddAttributeError(u.replace[0], "Cannot replace "+u.state.title(),
			fmt.Sprintf("A change of %s needs a new machine, and deletion_protection is true. "+
				"Revert the change; or apply deletion_protection = false alone, and then replace the machine, which destroys all its discs and their backups.", because))
		return
	case u.plan.DeletionProtection.IsUnknown():
		diags.AddAttributeError(path.Root("deletion_protection"), "Cannot replace "+u.state.title(),
			fmt.Sprintf("A change of %s needs a new machine, and the value of deletion_protection is known only after apply. "+
				"Use a value that is known at plan, or apply what it depends on first, with -target.", because))
		return
	case u.keepsName():
		diags.AddAttributeError(u.replace[0], "Cannot replace "+u.state.title()+" under the same name",
			fmt.Sprintf("A change of %s needs a new machine, and purge_on_destroy is false: the old machine would be soft-deleted and keep its name, so the service would refuse the new one. "+
				"Revert the change; or give the machine another name as well; or apply purge_on_destroy = true alone, and then replace the machine, which destroys all its discs and their backups.", because))
	}
	if lines := u.missingPlace(ctx, r); len(lines) > 0 {
		diags.AddAttributeError(u.replace[0], "Cannot replace "+u.state.title()+" where it is",
			fmt.Sprintf("A change of %s needs a new machine, and Terraform plans it from the configuration alone, which would put it elsewhere. To create it in the same place, add:\n\n%s", because, strings.Join(lines, "\n")))
	}
}

// keepsName reports whether the old machine would still hold the planned name:
// a soft-deleted machine does (API.md §3).
func (u *updatePlan) keepsName() bool {
	return !u.state.mayPurge() && u.state.Name.Equal(u.plan.Name) && !u.plan.moves(&u.state)
}

// missingPlace returns the lines without which the new machine would get
// another group, account or zone than the old one.
func (u *updatePlan) missingPlace(ctx context.Context, r *vmResource) []string {
	if r.data == nil {
		return nil
	}
	var lines []string
	add := func(name string, value types.String) {
		lines = append(lines, fmt.Sprintf("  %s = %q", name, value.ValueString()))
	}
	if u.config.Account.IsNull() && !u.state.Account.Equal(r.data.Account) {
		add("account", u.state.Account)
	}
	if u.config.Group.IsNull() && u.config.GroupID.IsNull() && !u.state.Group.Equal(r.data.Group) {
		add("group", u.state.Group)
	}
	if u.config.ZoneName.IsNull() && u.private.Adopted && tfkit.Given(u.state.ZoneName) && !r.onlyZone(ctx, u.state.ZoneName.ValueString()) {
		add("zone_name", u.state.ZoneName)
	}
	return lines
}

// onlyZone reports whether the service has no other zone, so that a new machine
// gets this one.
func (r *vmResource) onlyZone(ctx context.Context, zone string) bool {
	var definitions *cloudserver.Definitions
	ctx, cancel, ok := r.data.PlanCheck(ctx)
	defer cancel()
	if ok {
		definitions, _ = r.data.Catalogue(ctx) // without it, the zone has to be written down
	}
	return definitions != nil && len(definitions.ZoneNames) == 1 && definitions.ZoneNames[0] == zone
}

// warnReplace names what a replacement destroys and what is chosen again.
func (u *updatePlan) warnReplace(r *vmResource, diags *diag.Diagnostics) {
	if lost := u.lostDiscs(); lost != "" {
		text := fmt.Sprintf("A change of %s needs a new machine, and the discs of the old one are destroyed, with their backups: %s.", listPaths(u.replace), lost)
		explanation := ""
		if u.change.image.replace && len(u.replace) == len(u.change.image.changed) {
			explanation = "With reimage.on_change = \"reimage\" the machine is kept, and only its boot disc is erased."
		}
		diags.AddAttributeWarning(u.replace[0], "All discs of "+u.state.title()+" will be lost", r.data.Noted.Explain(text, explanation))
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
			fmt.Sprintf("The configuration of %s leaves these values to the service, which may choose others for the new machine than the old one has. To keep them, add:\n\n%s", u.state.title(), strings.Join(sorted(omitted), "\n")))
	}
}

// keptName returns the name that stays taken when the machine is deleted.
func (m *model) keptName() *keptName {
	if m.mayPurge() {
		return nil
	}
	return &keptName{Account: m.Account.ValueString(), Group: m.Group.ValueString(), GroupID: m.GroupID.ValueString(), Name: m.Name.ValueString()}
}

// refuse is refuseReplacement's rule for names where Terraform replaces the
// machine without asking.
func (k *keptName) refuse(plan *model, diags *diag.Diagnostics) {
	if k == nil || k.Name != plan.Name.ValueString() || k.Account != plan.Account.ValueString() ||
		k.Group != plan.Group.ValueString() && k.GroupID != plan.GroupID.ValueString() {
		return
	}
	diags.AddAttributeError(path.Root("purge_on_destroy"), "Cannot replace "+plan.title()+" under the same name",
		"purge_on_destroy is false for the existing machine: it would be soft-deleted and keep its name, so the service would refuse the new one. "+
			"Give the machine another name as well; or apply purge_on_destroy = true alone, and then replace the machine, which destroys all its discs and their backups.")
}

// refuseForcedReplacement keeps deletion_protection where Terraform replaces the
// machine without asking: -replace, or replace_triggered_by.
func (m *model) refuseForcedReplacement(diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("deletion_protection"), "Cannot replace "+m.title(),
		"deletion_protection is true for the existing machine, or this plan sets it, and replacing the machine destroys all its discs and their backups. To replace it, apply deletion_protection = false first.")
}

func listPaths(paths []path.Path) string {
	names := make([]string, len(paths))
	for i, at := range paths {
		names[i] = at.String()
	}
	return strings.Join(names, ", ")
}
