package vm

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// refuseLoss keeps deletion_protection: it protects data, not only the machine.
func (u *updatePlan) refuseLoss(diags *diag.Diagnostics) {
	if !u.state.DeletionProtection.ValueBool() && !u.plan.DeletionProtection.ValueBool() {
		return
	}
	for _, disc := range u.change.discs.purge {
		addProtected(diags, path.Root("disc"), fmt.Sprintf("Cannot purge disc %s of %s", disc.Label, u.state.title()),
			fmt.Sprintf("The configuration has no disc %s, so its data and backups would be lost", disc.Label))
	}
	if u.change.image.install {
		addProtected(diags, path.Root("reimage"), "Cannot reimage "+u.state.title(), "Everything on its boot disc would be lost")
	}
}

// refuseDeletion keeps deletion_protection for a destroy.
func (m *model) refuseDeletion(diags *diag.Diagnostics) {
	addProtected(diags, path.Root("deletion_protection"), "Cannot destroy "+m.title(),
		"The machine would be destroyed with its discs. If the machine is tainted, run terraform untaint first of all, because Terraform would replace it instead")
}

// refuseProtected keeps deletion_protection, also where Terraform replaces the machine
// without asking: -replace, or replace_triggered_by.
func (m *model) refuseProtected(at path.Path, because string, diags *diag.Diagnostics) {
	addProtected(diags, at, "Cannot replace "+m.title(), because+"Replacing the machine destroys all its discs and their backups")
}

// addProtected reports what deletion_protection forbids, and why.
func addProtected(diags *diag.Diagnostics, at path.Path, summary, why string) {
	diags.AddAttributeError(at, summary, why+". deletion_protection is true for the existing machine, or this plan sets it. To go on, apply deletion_protection = false first, alone.")
}

// mayPurge reports whether deleting the machine destroys it for good.
func (m *model) mayPurge() bool { return !m.PurgeOnDestroy.Equal(types.BoolValue(false)) }

// keptNames returns the names that stay taken when the machine is deleted.
func (m *model) keptNames() []fleet.Name {
	if m.mayPurge() {
		return nil
	}
	byGroup, _ := m.plannedName()
	byID := byGroup
	byID.Group = "id:" + m.GroupID.ValueString()
	return []fleet.Name{byGroup, byID}
}

// refuseKeptName refuses a new machine under the name of the old one where that would
// keep it: a soft-deleted machine does (API.md §3).
func (p private) refuseKeptName(plan *model, at path.Path, because string, diags *diag.Diagnostics) {
	if name, known := plan.plannedName(); known && slices.Contains(p.Kept, name) {
		diags.AddAttributeError(at, "Cannot replace "+plan.title()+" under the same name",
			because+"purge_on_destroy is false for the existing machine: it would be soft-deleted and keep its name, so the service would refuse the new one. "+
				"Give the machine another name as well; or apply purge_on_destroy = true alone, and then replace the machine, which destroys all its discs and their backups.")
	}
}

// noteKept notes that a machine which is destroyed keeps its name.
func (r *vmResource) noteKept(m *model, diags *diag.Diagnostics) {
	if name, known := m.plannedName(); known && r.Data.Ready() && !m.mayPurge() {
		warnKeptName(name, r.Data.Notes.KeepName(name), diags)
	}
}

// warnKeptName warns where this plan gives a name to a machine, and destroys another
// one that keeps it.
func warnKeptName(name fleet.Name, both bool, diags *diag.Diagnostics) {
	if both {
		diags.AddAttributeWarning(path.Root("name"), fmt.Sprintf("The name %q stays taken", name.Name),
			"This plan destroys a machine of that name with purge_on_destroy = false, and another resource is to have the name. A soft-deleted machine keeps its name, so the service refuses it. "+
				"Give the other one another name; or apply purge_on_destroy = true to the first machine before, which then destroys all its discs and their backups.")
	}
}

// of returns the private state for plans of a machine: a replacement that Terraform
// itself decides on is planned without sight of the machine.
func (p private) of(state, plan *model) private {
	p.Kept = state.keptNames()
	p.Protected = state.DeletionProtection.ValueBool() || plan.DeletionProtection.ValueBool() || plan.DeletionProtection.IsUnknown()
	return p
}
