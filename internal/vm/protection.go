// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// protection is what protects a machine from a loss of data.
type protection int

const (
	unprotected protection = iota
	byState                // its own deletion_protection
	byPlan                 // the deletion_protection that the plan sets, or may set
	byProvider             // the provider's, where the machine has none
)

// protectionOf returns what protects the machine: deletion_protection in its state or in the plan, or the provider's
// where one of them has none. A value that is not known yet counts as true.
func protectionOf(state, plan *model, byDefault types.Bool) protection {
	was, is := state.DeletionProtection, plan.DeletionProtection
	switch {
	case was.ValueBool():
		return byState
	case is.ValueBool(), is.IsUnknown():
		return byPlan
	case (was.IsNull() || is.IsNull()) && (byDefault.ValueBool() || byDefault.IsUnknown()):
		return byProvider
	}
	return unprotected
}

// refuseLoss refuses a loss of data. what completes "Cannot …"; lost and advice are sentences.
func (p protection) refuseLoss(at path.Path, what, lost, advice string, diags *diag.Diagnostics) {
	var why string
	switch p {
	case unprotected:
		return
	case byState:
		why = "The machine is protected by its deletion_protection. " +
			"To lift it, apply deletion_protection = false first, alone."
	case byPlan:
		why = "This plan sets deletion_protection, or may set it. " +
			"To go on all the same, leave deletion_protection out of this apply, and set it in the next one."
	case byProvider:
		why = "The machine is protected by the provider's deletion_protection. " +
			"To lift it, apply deletion_protection = false of this machine first, alone."
	}
	diags.AddAttributeError(at, "Cannot "+what, strings.TrimSpace(lost+" "+why+" "+advice))
}

// protection returns what protects the machine in a plan.
func (d *decision) protection() protection {
	return protectionOf(&d.state, &d.plan, d.defaults.DeletionProtection)
}

// refuseLosses enforces deletion_protection, which protects data and not only the machine.
func (d *decision) refuseLosses(diags *diag.Diagnostics) {
	for _, disc := range d.change.discs.purge {
		d.protection().refuseLoss(path.Root("disc"), fmt.Sprintf("purge disc %s of %s", disc.Label, d.state.title()),
			fmt.Sprintf("The configuration has no disc %s, so its data and backups would be lost.", disc.Label),
			"To rename a disc, change only its label, at the same position.", diags)
	}
	if d.change.image.install {
		d.protection().refuseLoss(path.Root("reimage"), "reimage "+d.state.title(),
			"Everything on its boot disc would be lost.", "", diags)
	}
}

// fate says in messages what becomes of the machine if it is destroyed or replaced.
func (m *model) fate() string {
	if m.purges() {
		return "would be destroyed, with its discs and their backups"
	}
	return "would be soft-deleted, with its discs"
}

// refuseDeletion enforces deletion_protection for a destroy, at plan and at apply: Terraform replaces a tainted machine
// without asking the provider.
func (r *vmResource) refuseDeletion(m *model, diags *diag.Diagnostics) (refused bool) {
	protection := protectionOf(m, m, r.Data.DeletionProtection)
	protection.refuseLoss(path.Root("deletion_protection"), "destroy "+m.title(), "The machine "+m.fate()+".",
		"If the block of the machine was removed, put the block back for that. "+
			"If it is tainted, run `terraform untaint` with its address before that.", diags)
	return protection != unprotected
}
