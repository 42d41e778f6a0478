// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// planDestroy names the unmanaged discs, and stores them for the delete: Terraform does not hand the refreshed private
// state of a machine without a block to the plan or the delete.
func (r *vmResource) planDestroy(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	var state model
	diags := &resp.Diagnostics
	diags.Append(req.State.Get(ctx, &state)...)
	p := tfkit.LoadPrivate[private](ctx, req.Private, diags)
	if diags.HasError() || r.refuseDeletion(&state, diags) {
		return
	}
	if r.Data.Ready() {
		if r.Data.Inventory.PlannedImport(state.numericID()) {
			state.refuseImportAndDestroy(diags)
			return
		}
		if r.Data.Inventory.PlanDestroy(state.numericID()) {
			existing := &cloudserver.VirtualMachine{ID: state.numericID()}
			withAction(r.Data.WithAction).warnTaken(existing, state.Name.ValueString(), false, diags)
		}
		if vm := r.Data.Inventory.LastRead(state.numericID()); vm != nil && vm.Discs != nil {
			p.Discs, p.Backups = unmanagedDiscs(state.discs(), vm.Discs), countBackups(vm.Discs)
		}
	}
	tfkit.SavePrivate(ctx, resp.Private, p, diags)
	r.warnDestroy(&state, p, diags)
}

// warnDestroy warns of what a destroy does that the plan does not show. The summary has the machine, so that the CLI
// does not fold the warning with those of others.
func (r *vmResource) warnDestroy(m *model, p private, diags *diag.Diagnostics) {
	unmanaged := p.unmanaged()
	switch {
	case !m.purges():
		diags.AddAttributeWarning(path.Root("purge_on_destroy"), "A soft-deleted machine keeps its name: "+m.Name.String(),
			fmt.Sprintf("The %s will be soft-deleted. Until the service purges it, its name and its addresses stay taken, "+
				"and its group cannot be deleted. "+
				"To get it back until then, undelete it %s.", m.title(), r.byAction("undelete", m.ID.ValueString())))
	case len(unmanaged) > 0:
		diags.AddAttributeWarning(path.Root("disc"),
			tfkit.Summary("Unmanaged discs of "+m.title()+" will be destroyed", tfkit.Quoted(labels(unmanaged))),
			fmt.Sprintf("These discs of %s are in no configuration. They are destroyed with it, and their backups: %s. "+
				"To keep one, move it to another machine first %s.",
				m.title(), listDiscs(unmanaged), r.Data.WithAction("disc_move")))
	}
	if m.purges() && p.Backups > 0 {
		diags.AddAttributeWarning(path.Root("purge_on_destroy"),
			fmt.Sprintf("Backups of %s will be destroyed: %d", m.title(), p.Backups),
			"They are destroyed with its discs. To keep them, apply purge_on_destroy = false first.")
	}
}
