// SPDX-License-Identifier: MPL-2.0

package backup

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Delete deletes the schedule, wherever its disc is now. Its backups are kept.
func (r *scheduleResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	diags := &resp.Diagnostics
	diags.Append(req.State.Get(ctx, &state)...)
	if diags.HasError() || !r.Data.RequireReady("delete "+state.title(), diags) {
		return
	}
	owner := tfkit.LoadPrivate[tfkit.Owner](ctx, req.Private, diags)
	err := r.Data.CheckGone(ctx, owner, r.delete(ctx, state))
	if err != nil && !inventory.IsGone(err) {
		tfkit.AddError(diags, "Cannot delete "+state.title(), err, nil, "The schedule stays in the state.")
	}
}

// delete deletes the schedule on the machine that the disc is on, unless a create has taken it over.
func (r *scheduleResource) delete(ctx context.Context, state model) error {
	endTurn, err := r.Data.Turns.Take(ctx, state.turn())
	if err != nil {
		return err
	}
	defer endTurn()
	if r.Data.Inventory.TakeAdopted(state.key()) {
		return nil
	}
	disc, err := r.Data.Client.Disc(ctx, tfkit.IDOf(state.DiscID))
	if err != nil {
		return err
	}
	machine := disc.VirtualMachineID
	if machine == 0 {
		machine = tfkit.IDOf(state.VirtualMachineID)
	}
	at, err := locate(ctx, r.Data, machine)
	if err != nil {
		return err
	}
	r.Data.Inventory.Release(state.key())
	return r.Data.Client.DeleteBackupSchedule(ctx, at.Ref(), disc.ID, tfkit.IDOf(state.ID))
}
