package vm

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/machine"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
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
		if r.Data.Inventory.PlanDestroy(state.numericID()) {
			existing := &cloudserver.VirtualMachine{ID: state.numericID()}
			withAction(r.Data.WithAction).warnTaken(existing, state.Name.ValueString(), false, diags)
		}
		if vm := r.Data.Inventory.LastRead(state.numericID()); vm != nil && vm.Discs != nil {
			p.Discs = unmanagedDiscs(state.discs(), vm.Discs)
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
}

// Delete purges or soft-deletes the machine. What the plan has refused is refused again, because Terraform replaces a
// tainted machine without asking the provider.
func (r *vmResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	diags := &resp.Diagnostics
	diags.Append(req.State.Get(ctx, &state)...)
	p := tfkit.LoadPrivate[private](ctx, req.Private, diags)
	if diags.HasError() || !r.Data.RequireReady("delete "+state.fullTitle(), diags) || r.refuseDeletion(&state, diags) {
		return
	}
	ctx = progress.NewContext(ctx, state.title(), nil)
	endTurn, err := r.Data.Turns.Take(ctx, "virtual machine "+state.ID.ValueString())
	if err != nil {
		state.addError(diags, "delete", err, "")
		return
	}
	defer endTurn()
	ctx, cancel := context.WithTimeout(ctx, tfkit.Timeout(state.Timeouts, "delete", defaultDeleteTimeout))
	defer cancel()

	operations := state.operations(r.Data, state.shutdown())
	err = state.delete(ctx, operations, &p)
	if err == nil || inventory.IsGone(err) {
		state.warnCutOff(operations.CutOff, ", and the machine was "+state.deleted(), "destroy", "timeouts.delete", diags)
		return
	}
	advice := strings.TrimSpace("The machine stays in the state. " + tfkit.Longer(ctx.Err(), "timeouts.delete"))
	state.addError(diags, "delete", err, advice)
	state.restorePower(ctx, operations, &p, diags)
	tfkit.SavePrivate(ctx, resp.Private, p, diags)
}

// deleted returns what a destroy has done to the machine.
func (m *model) deleted() string {
	if m.purges() {
		return "destroyed"
	}
	return "soft-deleted"
}

// delete looks at the machine once, shuts its guest down if that is asked for, and deletes it.
func (m *model) delete(ctx context.Context, operations *machine.Machine, p *private) error {
	vm, err := operations.Look(ctx)
	switch {
	case errors.Is(err, cloudserver.ErrNotDescribed): // nobody can have attached a disc yet
	case err != nil:
		return err
	case vm.Deleted && !m.purges():
		return nil
	case m.purges():
		if err := m.refuseUnseenDiscs(ctx, operations, vm, p); err != nil {
			return err
		}
	}
	if m.ShutdownBeforeDestroy.ValueBool() {
		if err := operations.ShutDownToDelete(ctx); err != nil {
			return err
		}
	}
	return operations.Delete(ctx, m.purges())
}

// refuseUnseenDiscs returns an error for a machine with a disc that no plan could show, because it was attached after
// the last refresh: it would be destroyed with the machine. It records the disc for the next plan, because Terraform
// 1.11 plans a machine without a block before it refreshes it.
func (m *model) refuseUnseenDiscs(
	ctx context.Context, operations *machine.Machine, vm *cloudserver.VirtualMachine, p *private,
) error {
	shown, err := operations.Discs(ctx, vm)
	if err != nil {
		return err
	}
	now := private{Discs: unmanagedDiscs(m.discs(), shown)}
	unseen := without(now.unmanaged(), p.unmanaged())
	if len(unseen) == 0 {
		return nil
	}
	p.Discs = now.Discs
	return &attributeError{path.Root("disc"), fmt.Sprintf("The machine has discs that neither the state nor the "+
		"plan knows, and that would be destroyed with it, with their backups: %s. Nothing was deleted. "+
		"To keep such a disc, move it to another machine. To destroy it, plan and apply again; "+
		"if the machine is tainted, run `terraform untaint` with its address before that, "+
		"and replace it with -replace.",
		listDiscs(unseen))}
}
