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
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const stays = "The machine stays in the state. "

// Delete purges or soft-deletes the machine. The service answers when that is done (API.md §3), so there is no wait.
func (r *vmResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	diags := &resp.Diagnostics
	diags.Append(state.get(ctx, req.State.Raw)...)
	timeout := tfkit.Timeout(state.Timeouts, "delete", defaultDeleteTimeout)
	if diags.HasError() || !r.Data.RequireReady("delete "+state.fullTitle(), diags) || !state.hasID("delete", diags) {
		return
	}
	p := tfkit.LoadPrivate[private](ctx, req.Private, diags)
	switch {
	case state.DeletionProtection.ValueBool():
		r.refuseDeletion(&state, diags)
	case p.Protected: // by the plan of the machine that replaces this one
		state.refuseTaint(diags)
	}
	next := &replacing{successor: p.Successor, resource: r, old: &state}
	p.marks = marks{}
	tfkit.SavePrivate(ctx, resp.Private, p, diags) // without the marks of the plan, however Delete ends
	if diags.HasError() {
		return
	}
	if err := state.errOtherDomain(r.Data.Fleet); err != nil {
		state.addDeleteError(err, diags)
		return
	}
	r.rememberDomain(&state)
	ctx = progress.NewContext(ctx, state.title(), nil)
	endTurn, err := r.Data.Turns.Take(ctx, state.object())
	if err != nil {
		state.addError(diags, "delete", err, stays+tfkit.Again(err))
		return
	}
	defer endTurn()
	ctx, cancel := context.WithTimeout(ctx, timeout) // waiting for the turn is not part of it
	defer cancel()
	running := r.Data.Running.Begin()
	defer running.End()
	running.Frees(state.freed()...)
	machine := state.operate(r.Data, &state)
	next.machine, next.running = machine, running
	err = next.await(ctx)
	if err == nil {
		err = machine.Delete(ctx, state.ShutdownBeforeDestroy.ValueBool(), state.mayPurge(), func(vm *cloudserver.VirtualMachine) error {
			return next.errMustStay(ctx, p, vm)
		})
	}
	if err == nil && state.mayPurge() || presence.IsGone(err) {
		r.Data.Forget(state.numericID())
		r.rememberReplaced(&state, next.successor)
	}
	if err == nil || presence.IsGone(err) {
		return
	}
	state.addDeleteError(err, diags)
	r.restorePower(ctx, &state, machine, "delete", &p, diags)
	tfkit.SavePrivate(ctx, resp.Private, p, diags)
}

// errMustStay returns an error if, right before the machine is deleted, it must not be. If the answers about the new
// machine are old, it asks once more.
func (q *replacing) errMustStay(ctx context.Context, p private, vm *cloudserver.VirtualMachine) (err error) {
	if q.isOld() {
		if err = q.await(ctx); err != nil {
			return err
		}
		q.machine.Expire() // the look is older than the answers
		if vm, err = q.machine.LookByID(ctx); err != nil {
			return err
		}
	}
	return q.old.errMustStay(p, vm)
}

// errMustStay returns an error for a machine that must not be deleted as it is now, with a disc that no plan could show,
// because it was attached after the last refresh.
func (m *model) errMustStay(p private, vm *cloudserver.VirtualMachine) error {
	if !m.mayPurge() {
		return nil
	}
	var unseen []string
	discs, _ := readDiscs(m.discs(), vm.Discs)
	for _, disc := range observe(discs, vm.Discs).foreign(discs) {
		if _, seen := p.Discs[disc.ID.ValueString()]; !seen {
			unseen = append(unseen, fmt.Sprintf("%s (ID %s, %d megabytes)", disc.Label, disc.ID.ValueString(), disc.Size.ValueInt64()))
		}
	}
	if len(unseen) == 0 {
		return nil
	}
	return &attributeError{path.Root("disc"), fmt.Sprintf("The machine has discs that neither the state nor the last refresh knows, "+
		"and that would be destroyed with it, backups included: %s. "+tfkit.NothingDeleted+". "+
		"To keep such a disc, move it to another machine. "+
		"To destroy it, plan and apply again; "+
		"if the machine is tainted, run `terraform untaint` with its address before that, and replace it with -replace.",
		strings.Join(unseen, ", "))}
}

// addDeleteError reports that a delete failed.
func (m *model) addDeleteError(err error, diags *diag.Diagnostics) {
	summary := "Cannot delete " + m.title()
	if refused, ok := errors.AsType[*successorRefusal](err); ok {
		m.addSuccessorRefusal(refused, err, diags)
		return
	}
	if refused, ok := errors.AsType[*attributeError](err); ok {
		diags.AddAttributeError(refused.at, summary, refused.detail)
		return
	}
	if origin.IsOther(err) {
		diags.AddAttributeError(path.Root("hostname"), summary, err.Error()+" The state is unchanged.")
		return
	}
	if presence.IsHidden(err) {
		presence.AddUnknown(diags, summary, "the machine", err, nil)
		return
	}
	advice := stays + strings.TrimSpace(tfkit.Again(err)+" "+tfkit.Longer(err, "timeouts.delete"))
	tfkit.AddError(diags, summary, err, m.attributePath, advice)
}

// warnDestroy warns once in a run of what is lost with every machine, or of the names that stay taken, and each time of
// discs that no configuration mentions.
func (r *vmResource) warnDestroy(m *model, p private, diags *diag.Diagnostics) {
	if !m.mayPurge() {
		if r.Data.Notes.FirstTime(run.SoftDeletedName, "") {
			diags.AddAttributeWarning(path.Root("purge_on_destroy"), "A soft-deleted machine keeps its name",
				fmt.Sprintf("The %s, and every other one that this plan soft-deletes, keeps its name until the service purges it. "+
					"To get it back until then, undelete it %s.",
					m.title(), r.byAction("undelete", m.ID.ValueString())))
		}
		return
	}
	if foreign := labels(p.Discs.foreign(m.discs())); len(foreign) > 0 {
		diags.AddAttributeWarning(path.Root("disc"), tfkit.Summary("Discs that no configuration manages will be destroyed", tfkit.Quoted(foreign)),
			fmt.Sprintf("These discs were put on %s outside of this configuration, and they are destroyed with it, with their backups: %s. "+
				"To keep one, move it to another machine first.", m.title(), tfkit.Quoted(foreign)))
	}
	if r.Data.Notes.FirstTime(run.DestroyedDiscs, "") {
		diags.AddAttributeWarning(path.Root("disc"), "Destroying a machine destroys its discs and their backups",
			fmt.Sprintf("The %s, and every other one that this plan destroys without purge_on_destroy = false, "+
				"is purged with all its discs and backups. "+
				"To be able to undelete a machine for a while, apply purge_on_destroy = false first.", m.title()))
	}
}
