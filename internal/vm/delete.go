// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/machine"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/steps"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

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
	endTurn, err := r.Data.Turns.Take(ctx, steps.Title(state.numericID()))
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
		state.warnCutOff(operations.CutOff(), ", and the machine was "+state.deleted(), "destroy", "timeouts.delete", diags)
		return
	}
	advice := strings.TrimSpace("The machine stays in the state. " + tfkit.Longer(ctx.Err(), "timeouts.delete"))
	state.addError(diags, "delete", err, advice)
	if err := operations.RestorePower(ctx); err != nil && !inventory.IsDeletedOrGone(err) {
		state.owePower(operations, err, &p, diags)
	}
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
	return &tfkit.AttributeError{At: path.Root("disc"), Detail: fmt.Sprintf("The machine has discs that neither the state nor the "+
		"plan knows, and that would be destroyed with it, with their backups: %s. Nothing was deleted. "+
		"To keep such a disc, move it to another machine. To destroy it, plan and apply again; "+
		"if the machine is tainted, run `terraform untaint` with its address before that, "+
		"and replace it with -replace.",
		listDiscs(unseen))}
}
