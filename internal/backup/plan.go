// SPDX-License-Identifier: MPL-2.0

package backup

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ModifyPlan refuses a new schedule that the service would refuse: with a replacement, the old one is deleted first.
func (r *scheduleResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	if req.Plan.Raw.IsNull() || req.Plan.Raw.Equal(req.State.Raw) {
		return
	}
	var state, plan model
	diags := &resp.Diagnostics
	diags.Append(req.Plan.Get(ctx, &plan)...)
	if !req.State.Raw.IsNull() {
		diags.Append(req.State.Get(ctx, &state)...)
	}
	if diags.HasError() {
		return
	}
	resp.RequiresReplace = plan.newPlace(state, r.Data.MovesMachines.Load())
	plan.warnTimes(state, diags)
	refuseMachineID(plan.VirtualMachineID, plan.DiscID, diags)
	if tfkit.Given(plan.VirtualMachineID) && tfkit.Given(plan.DiscID) && !diags.HasError() {
		r.checkDisc(ctx, plan, diags)
	}
}

// refuseMachineID refuses the ID of the machine where that of its disc is needed.
func refuseMachineID(machine, disc types.String, diags *diag.Diagnostics) {
	if tfkit.Given(disc) && disc.Equal(machine) {
		diags.AddAttributeError(path.Root("disc_id"), "Invalid ID of a disc", fmt.Sprintf(
			`%s is the ID of the machine. Write that of a disc, as in cloudserver_vm.web.disc_ids["vda"].`, disc.ValueString()))
	}
}

// shortestInterval is the shortest interval between two backups without a warning.
const shortestInterval = time.Hour

// warnTimes warns of new times that are probably mistakes.
func (m model) warnTimes(state model, diags *diag.Diagnostics) {
	if m.StartAt.IsUnknown() {
		diags.AddAttributeWarning(path.Root("start_at"), "The start of the backup schedule is not known yet",
			"A value that is known only after apply replaces an existing schedule, and one such as timestamp() does so in every "+
				"run. Write a date; one in the past is allowed.")
	}
	interval := time.Duration(m.IntervalSeconds.ValueInt64()) * time.Second
	isNew := tfkit.Given(m.IntervalSeconds) && !m.IntervalSeconds.Equal(state.IntervalSeconds)
	if isNew && interval < shortestInterval {
		diags.AddAttributeWarning(path.Root("interval_seconds"), fmt.Sprintf("Backups every %s", interval),
			fmt.Sprintf("interval_seconds = %d takes a backup every %s. "+
				"The unit is seconds: an hour is 3600, a day 86400, a week 604800.",
				m.IntervalSeconds.ValueInt64(), interval))
	}
}

// newPlace returns the IDs that are those of another machine or disc than in the state. An unknown machine is another
// one only if this plan makes or moves machines: otherwise its ID comes from elsewhere, and is usually the same. On a
// known machine, an unknown disc is a new one.
func (m model) newPlace(state model, movesMachines bool) (at path.Paths) {
	if state.ID.IsNull() {
		return nil
	}
	mayBeNew := movesMachines || !m.VirtualMachineID.IsUnknown()
	if tfkit.IsOther(m.VirtualMachineID, state.VirtualMachineID, mayBeNew) {
		at = append(at, path.Root("virtual_machine_id"))
	}
	if tfkit.IsOther(m.DiscID, state.DiscID, mayBeNew) {
		at = append(at, path.Root("disc_id"))
	}
	return at
}

// checkDisc reports a disc that does not exist, or is on another machine.
func (r *scheduleResource) checkDisc(ctx context.Context, plan model, diags *diag.Diagnostics) {
	ctx, cancel, ok := r.Data.PlanCheck(ctx)
	defer cancel()
	if !ok {
		return
	}
	disc, err := r.Data.Client.Disc(ctx, tfkit.IDOf(plan.DiscID))
	if err == nil {
		err = checkPlace(disc, plan.VirtualMachineID)
	} else if !cloudserver.IsNotFound(err) {
		tfkit.AddPlanCheckError(diags, err)
		return
	}
	if err != nil {
		addError(diags, "Cannot create a backup schedule of disc "+plan.DiscID.ValueString(), err)
	}
}

// elsewhereError is returned for a disc that is on another machine than the schedule names.
type elsewhereError struct {
	disc    *cloudserver.Disc
	machine string // ID of the machine that the schedule names
}

// Error says where the disc is.
func (e *elsewhereError) Error() string {
	return fmt.Sprintf("disc %d is on virtual machine %d, not on %s", e.disc.ID, e.disc.VirtualMachineID, e.machine)
}

// checkPlace returns an *elsewhereError if the service shows the disc on another machine.
func checkPlace(disc *cloudserver.Disc, machine types.String) error {
	id := tfkit.IDOf(machine)
	if id == 0 || disc.VirtualMachineID == 0 || disc.VirtualMachineID == id {
		return nil
	}
	return &elsewhereError{disc, machine.ValueString()}
}
