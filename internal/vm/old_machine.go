package vm

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// oldMachine is what the plan of a creation knows of the machine that the new one replaces. Terraform plans a
// replacement twice, also one that the provider did not ask for:
//
//  1. The plan of an update has the old machine's state, and leaves marks in its private state (forPlan).
//  2. The plan of a creation has no state. Its private state is the one that the first plan has left.
//
// The delete of the old machine gets the private state that the second plan leaves. It is zero if nothing is replaced,
// and after a taint, which has no first plan.
type oldMachine struct{ private }

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
	p.marks = marks{Kept: state.keptNames()}
	p.Protected = state.DeletionProtection.ValueBool() || plan.DeletionProtection.ValueBool() ||
		plan.DeletionProtection.IsUnknown()
	return p
}

// refuseProtected refuses the second plan if the old machine is protected, by its state or by the first plan.
func (o oldMachine) refuseProtected(plan *model, diags *diag.Diagnostics) {
	if o.Protected {
		protection := run.Protection{State: true, Plan: plan.DeletionProtection.ValueBool()}
		plan.refuseProtected(protection, len(o.Kept) > 0, path.Root("deletion_protection"), "", diags)
	}
}

// passOn leaves for the delete what the second plan decides, and what is known of the old machine, so that what that owes
// stays known if the delete fails.
func (o oldMachine) passOn(ctx context.Context, to tfkit.PrivateWriter, plan *model, diags *diag.Diagnostics) {
	kept := o.forPlan(&model{}, plan)
	kept.Successor = plan.successor()
	tfkit.SavePrivate(ctx, to, kept, diags)
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
