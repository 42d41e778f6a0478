package vm

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const deleteAdvice = "The machine stays in the state. Run the same command again."

// Delete purges the machine, or soft-deletes it. The service answers when it is
// done (API.md §3): nothing is waited for.
func (r *vmResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	diags := &resp.Diagnostics
	diags.Append(state.get(ctx, req.State.Raw)...)
	timeout := tfkit.Timeout(state.Timeouts, "delete", defaultDeleteTimeout)
	if diags.HasError() || !r.Data.RequireReady("delete "+state.fullTitle(), diags) || !state.hasID("delete", diags) {
		return
	}
	if state.DeletionProtection.ValueBool() {
		state.refuseDeletion(diags)
		return
	}
	ctx, cancel := context.WithTimeout(progress.Of(ctx, state.title(), nil), timeout)
	defer cancel()
	endTurn, err := r.Data.Turns.Take(ctx, state.object())
	if err != nil {
		state.addError(diags, "delete", err, deleteAdvice)
		return
	}
	defer endTurn()
	defer r.Data.Running.Begin().End()
	machine := state.operate(r.Data, state.ShutdownTimeout)
	p := tfkit.LoadPrivate[private](ctx, req.Private, diags)
	err = r.refuseUnseen(ctx, &state, machine, p, diags)
	if diags.HasError() {
		return
	}
	if err == nil {
		err = machine.Delete(ctx, state.ShutdownBeforeDestroy.ValueBool(), state.mayPurge())
	}
	if err != nil {
		if r.addDeleteError(ctx, &state, err, diags); diags.HasError() {
			state.restorePower(ctx, machine, "delete", &p, diags)
			tfkit.SavePrivate(ctx, resp.Private, p, diags)
		}
	}
}

// refuseUnseen finds the machine, and refuses to destroy another service's, and a disc
// that no plan could name, because it was attached after the last refresh.
func (r *vmResource) refuseUnseen(ctx context.Context, state *model, machine *operation.Machine, p private, diags *diag.Diagnostics) error {
	vm, err := machine.Find(ctx)
	if err == nil && vm == nil {
		vm, err = r.Data.Fleet.Read(ctx, state.address())
	}
	switch {
	case errors.Is(err, cloudserver.ErrNotDescribed): // which keeps nobody from deleting it
		return nil
	case err != nil:
		return err
	case vm.Deleted, state.isOfAnotherService("delete", vm, diags), !state.mayPurge():
		return nil
	}
	_, now, _ := readDiscs(state.discs(), p, vm.Discs)
	for id, disc := range now.Foreign {
		if _, seen := p.Foreign[id]; !seen {
			diags.AddError("Cannot delete "+state.title(),
				fmt.Sprintf("The machine has a disc %q (ID %s, %d megabytes) that neither the state nor the last refresh knows, and that would be destroyed with it, backups included. Nothing was deleted. "+
					"To keep the disc, move it to another machine. To destroy it, plan and apply again; if the machine is tainted, run `terraform untaint` with its address before that, and replace it with -replace.",
					disc.Label, id, disc.Size))
		}
	}
	return nil
}

// addDeleteError reports a delete that failed, unless the machine is gone. A 404
// says so only while the account is visible.
func (r *vmResource) addDeleteError(ctx context.Context, state *model, err error, diags *diag.Diagnostics) {
	summary := "Cannot delete " + state.title()
	if cloudserver.IsNotFound(err) {
		vm, readErr := r.Data.Client.VirtualMachine(ctx, state.numericID(), cloudserver.IncludeDeleted)
		if cloudserver.IsNotFound(readErr) {
			if hidden := presence.ProveVisible(ctx, r.Data, state.Account.ValueString()); hidden != nil {
				presence.AddUnproved(diags, summary, "the machine", hidden, nil)
			}
			return
		}
		if readErr == nil && vm.Deleted && !state.mayPurge() {
			return
		}
		err = errors.Join(err, readErr)
	}
	advice := strings.TrimSpace(deleteAdvice + " " + tfkit.Longer(err, "timeouts.delete"))
	tfkit.AddError(diags, summary, err, state.attributePath, advice)
}

// warnDestroy names what goes with a machine: once in a run what goes with each, and
// always the discs that no configuration mentions.
func (r *vmResource) warnDestroy(m *model, p private, diags *diag.Diagnostics) {
	if !m.mayPurge() {
		return
	}
	if len(p.Foreign) > 0 {
		diags.AddWarning("Destroying "+m.title()+" destroys discs that no configuration manages",
			fmt.Sprintf("Somebody else put these discs on the machine, and they are destroyed with it, with their backups: %s. To keep one, move it to another machine first.", tfkit.Quoted(labels(p.foreignDiscs()))))
	}
	if r.Data.Notes.FirstTime(run.DestroyedDiscs, "") {
		diags.AddWarning("Destroying a machine destroys its discs and their backups",
			fmt.Sprintf("The %s, and every other one that this plan destroys, is purged with all its discs and backups. To be able to undelete a machine for a while, apply purge_on_destroy = false first.", m.title()))
	}
}
