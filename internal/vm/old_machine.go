package vm

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
)

// Terraform plans a replacement twice, also one that the provider did not ask for:
//
//  1. The plan of an update has the old machine's state, and leaves marks in its private state (forPlan).
//  2. The plan of a creation has no state. Its private state is the one that the first plan has left.
//
// The delete of the old machine gets the private state that the second plan leaves. It is zero if nothing is replaced,
// and after a taint, which has no first plan.

// marks are what the first plan leaves for the second one, and the second one for the delete. Only plans have them.
type marks struct {
	// Protected: the state or the plan has deletion_protection, or may get it.
	Protected bool `json:"protected,omitempty"`
	// Kept are the names that stay taken after a soft delete, with the group by name and by ID.
	Kept []fleet.Name `json:"kept_names,omitempty"`
	// Successor is the machine that the second plan creates in place of this one.
	Successor *successor `json:"successor,omitempty"`
}

// forPlan returns the private state with the marks of the first plan. Whether it becomes a replacement is not known.
func (p private) forPlan(state, plan *model) private {
	p.marks = marks{Protected: state.DeletionProtection.ValueBool() || plan.DeletionProtection.ValueBool() || plan.DeletionProtection.IsUnknown()}
	if !state.mayPurge() {
		p.Kept = state.nameForms()
	}
	return p
}

// forSuccessor returns what the second plan leaves for the delete: what it decides, and what is known of the old
// machine, so that what that owes stays known if the delete fails.
func (p private) forSuccessor(plan *model) private {
	p = p.forPlan(&model{}, plan)
	p.Successor = plan.successor()
	return p
}

// refuseProtected refuses the second plan if the old machine is protected, by its state or by the first plan.
func (m marks) refuseProtected(plan *model, diags *diag.Diagnostics) {
	if m.Protected {
		protection := run.Protection{State: true, Plan: plan.DeletionProtection.ValueBool()}
		plan.refuseProtected(protection, len(m.Kept) > 0, path.Root("deletion_protection"), "", diags)
	}
}

// refuseKeptName refuses a new machine under the name of the old one, if the old one will be soft-deleted and keep its
// name (API.md §3).
func (m marks) refuseKeptName(plan *model, at path.Path, because string, diags *diag.Diagnostics) {
	if name, ok := plan.plannedName(); ok && slices.Contains(m.Kept, name) {
		diags.AddAttributeError(at, "Cannot replace "+plan.title()+" under the same name",
			because+"purge_on_destroy is false for the existing machine: it would be soft-deleted and keep its name, so the service would refuse the new one. "+
				"Give the machine another name as well; "+
				"or apply purge_on_destroy = true alone, and then replace the machine, which destroys all its discs and their backups.")
	}
}
