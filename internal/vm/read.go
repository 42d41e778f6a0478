// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Read finds the machine by its ID, so that a rename or a move elsewhere is drift and not a loss.
func (r *vmResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	diags := &resp.Diagnostics
	diags.Append(req.State.Get(ctx, &state)...)
	p := tfkit.LoadPrivate[private](ctx, req.Private, diags)
	if diags.HasError() {
		return
	}
	state.identity().Save(ctx, resp.Identity, diags) // the framework wants it also for what is gone
	if !r.Data.Ready() {
		return
	}
	r.Data.Inventory.Track(state.numericID())
	vm, err := r.Data.Inventory.Read(ctx, state.location())
	switch {
	case state.isImport():
		r.readImported(ctx, &state, vm, err, resp)
	case inventory.IsGone(err):
		r.warnGone(&state, err, diags)
		resp.State.RemoveResource(ctx)
	case errors.Is(err, cloudserver.ErrNotDescribed): // the next refresh will know more
	case err != nil:
		state.addError(diags, "read", err, readAdvice(err))
	case vm.Deleted:
		r.warnSoftDeleted(&state, diags)
		resp.State.RemoveResource(ctx)
	case state.isOtherMachine(vm):
		state.refuseOtherMachine(vm, diags)
	default:
		r.readMachine(ctx, &state, p, vm, resp)
	}
}

// readAdvice explains what a failed read means, and how to go on without the machine if others can be read.
func readAdvice(err error) string {
	const unchanged = "The state is unchanged."
	isThrottled := cloudserver.StatusCode(err) == http.StatusTooManyRequests
	if isThrottled || cloudserver.IsUnauthorized(err) || cloudserver.IsUnreachable(err) {
		return unchanged
	}
	return unchanged + " To go on without this machine, plan the others with -target, or all of them with -refresh=false."
}

// readMachine writes what the service reports to the state. Most refreshes find nothing new, and writing the state is
// their most expensive part.
func (r *vmResource) readMachine(
	ctx context.Context, state *model, p private, vm *cloudserver.VirtualMachine, resp *resource.ReadResponse,
) {
	diags := &resp.Diagnostics
	before := *state
	p = r.refresh(ctx, state, p, vm, diags)
	r.warnWentOff(state, &before, p, diags)
	warnStarting(state, &before, diags)
	if diags.HasError() {
		return
	}
	tfkit.SavePrivate(ctx, resp.Private, p, diags)
	if !reflect.DeepEqual(before, *state) {
		state.save(ctx, &resp.State, resp.Identity, diags)
	}
}

// refresh updates the state by what the service reports, and returns the private state. What the answer lacks is kept.
func (r *vmResource) refresh(
	ctx context.Context, state *model, p private, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics,
) private {
	before := *state
	state.fromAPI(vm)
	r.readLocation(ctx, state, &before, vm, diags)
	r.refreshDiscs(ctx, state, &p, vm, diags)
	now := owedPower{PowerOn: state.PowerOn.ValueBool(), AutorebootOn: state.AutorebootOn.ValueBool()}
	if p.Owed.Power != nil && *p.Owed.Power == now {
		p.Owed.Power = nil
	}
	if !state.LastImagedWith.IsNull() {
		p.hasImage()
	}
	state.showPending(p.Owed)
	return p
}

// isOtherMachine reports whether the ID was used again: the machine has another name, and shows discs, but none of the
// state's.
func (m *model) isOtherMachine(vm *cloudserver.VirtualMachine) bool {
	own := m.discs()
	if strings.EqualFold(vm.Name, m.Name.ValueString()) || len(vm.Discs) == 0 || len(own) == 0 {
		return false
	}
	for _, disc := range own {
		if !tfkit.Given(disc.ID) || findDisc(disc, vm.Discs) != nil {
			return false
		}
	}
	return true
}

func (m *model) refuseOtherMachine(vm *cloudserver.VirtualMachine, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("id"), "Cannot read "+m.title(),
		fmt.Sprintf("Virtual machine %d is %q now, and has none of the discs of the state (%s): "+
			"its ID was used again, or this is another service. "+
			"Check endpoint, and which provider the resource uses. If the old machine is gone, "+
			"remove the resource from the state with `terraform state rm`.",
			vm.ID, cloudserver.Shown(vm.Name), tfkit.Quoted(labels(m.discs()))))
}

// warnGone warns that the machine is removed from the state.
func (r *vmResource) warnGone(m *model, denial error, diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root("id"), "The machine is gone: "+m.Name.String(), tfkit.Detail(denial,
		fmt.Sprintf("The %s is not at %s any more: it was deleted outside of Terraform, with its data, "+
			"or moved to an account that these credentials do not see. "+
			"It is removed from the state, and the plan creates it again, with empty discs. "+
			"If this is not the service where it was created, check endpoint and which provider the resource "+
			"uses, and do not apply.",
			m.title(), r.Data.Client.Endpoint())))
}

// warnSoftDeleted warns that the machine is removed from the state but keeps its name.
func (r *vmResource) warnSoftDeleted(m *model, diags *diag.Diagnostics) {
	id := m.ID.ValueString()
	diags.AddAttributeWarning(path.Root("id"), "The machine was soft-deleted elsewhere: "+m.Name.String(),
		fmt.Sprintf("The %s is removed from the state and will be recreated, but its name stays taken until it is "+
			"purged, so creating it fails. "+
			"To keep it, undelete it %s; if an apply was made since, import it as well. To create it again, "+
			"purge it first %s.",
			m.fullTitle(), r.byAction("undelete", id), r.byAction("purge", id, "name="+m.Name.ValueString())))
}

// warnStarting warns that the service is about to start a machine that was off: with power_on = false, only a later plan
// shows that it is on. Stopping it now would be wrong, because it may be rebooting.
func warnStarting(m, before *model, diags *diag.Diagnostics) {
	if m.aboutToStart() && !before.aboutToStart() && before.PowerOn.Equal(types.BoolValue(false)) {
		diags.AddAttributeWarning(path.Root("autoreboot_on"), "The service is about to start "+m.title(),
			"The machine is off, and its autoreboot_on is true now, so the service starts it within seconds. "+
				"Plan again when it is on: if power_on is false in the configuration, that plan stops it.")
	}
}

// warnWentOff warns that a machine went off. Without a configured power_on, no plan would show it. Power that this plan
// restores is not reported.
func (r *vmResource) warnWentOff(m, before *model, p private, diags *diag.Diagnostics) {
	isOwed := p.Owed.Power != nil && p.Owed.Power.PowerOn
	if isOwed || !before.PowerOn.ValueBool() || !tfkit.Given(m.PowerOn) || m.PowerOn.ValueBool() {
		return
	}
	next := "Where power_on is not configured, it is left off: configure power_on = true, or start it " +
		r.byAction("power", m.ID.ValueString(), "state=start") + "."
	if m.aboutToStart() {
		next = "Its autoreboot_on is true, so the service starts it by itself, within seconds."
	}
	diags.AddAttributeWarning(path.Root("power_on"), "The machine has gone off: "+m.Name.String(),
		"The "+m.title()+" was on when it was read last. Look at why it went off. "+next)
}
