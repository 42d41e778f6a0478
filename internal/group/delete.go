// SPDX-License-Identifier: MPL-2.0

package group

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// emptyTimeout is how long to wait for machines that the same apply may be deleting.
const emptyTimeout = 30 * time.Second

// Delete deletes the group, which must be empty. A group that is gone is no error.
func (r *groupResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	diags := &resp.Diagnostics
	diags.Append(req.State.Get(ctx, &state)...)
	if diags.HasError() || !r.Data.RequireReady("delete "+state.title(), diags) {
		return
	}
	err := r.deleteWhenEmpty(ctx, state)
	r.Data.Inventory.GroupsChanged()
	if cloudserver.IsNotFound(err) {
		err = r.Data.Inventory.CheckGone(ctx, state.Account.ValueString(), tfkit.IDOf(state.AccountID), err)
	}
	if err != nil && !inventory.IsGone(err) {
		r.addDeleteError(ctx, state, err, diags)
		return
	}
	r.Data.Inventory.Release(state.key())
}

// deleteWhenEmpty deletes the group. A refusal is tried again for a while, because machines that name the group without
// a reference are destroyed at the same time. A request that was sent may take longer than the wait.
func (r *groupResource) deleteWhenEmpty(ctx context.Context, state model) error {
	waiting, cancel := context.WithTimeout(ctx, emptyTimeout)
	defer cancel()
	var err error
	_ = r.Data.Inventory.WaitFor(waiting, "the group to be empty", func(context.Context) (bool, string, error) {
		err = r.Data.Client.DeleteGroup(ctx, state.Account.ValueString(), state.ID.ValueString())
		return cloudserver.StatusCode(err) != http.StatusBadRequest, "", err
	})
	return err
}

// addDeleteError reports that a group could not be deleted, and the machines that are in the way.
func (r *groupResource) addDeleteError(ctx context.Context, state model, err error, diags *diag.Diagnostics) {
	summary := "Cannot delete " + state.title()
	if cloudserver.StatusCode(err) != http.StatusBadRequest {
		tfkit.AddError(diags, summary, err, nil, "")
		return
	}
	ctx, cancel := cloudserver.ForLastLook(ctx)
	defer cancel()
	machines, listErr := r.machinesOf(ctx, state)
	if listErr != nil || len(machines) == 0 {
		tfkit.AddError(diags, summary, err, nil, "Only an empty group can be deleted.")
		return
	}
	diags.AddError(summary, tfkit.Detail(err, inTheWay(machines, r.Data.WithAction("vm_purge"))))
}

// machinesOf returns the machines of a group, with those that are soft-deleted.
func (r *groupResource) machinesOf(ctx context.Context, state model) ([]cloudserver.VirtualMachine, error) {
	return r.Data.Client.VirtualMachines(
		ctx, state.Account.ValueString(), state.ID.ValueString(), cloudserver.IncludeDeleted, cloudserver.WithoutOverview,
	)
}

// inTheWay lists the machines of a group that is not empty, and what to do about each kind. purge says how to purge one.
func inTheWay(machines []cloudserver.VirtualMachine, purge string) string {
	var there, deleted []string
	for _, vm := range machines {
		title := fmt.Sprintf("%s (ID %d)", cloudserver.Shown(vm.Name), vm.ID)
		if vm.Deleted {
			deleted = append(deleted, title)
		} else {
			there = append(there, title)
		}
	}
	text := "Only an empty group can be deleted."
	if len(there) > 0 {
		text += "\n\nIt still has these virtual machines: " + firstOf(there) + ". Destroy or move them first. " +
			"A machine that the same plan moves to another group is moved only afterwards: keep this group for one more apply."
	}
	if len(deleted) > 0 {
		text += "\n\nIt still has these soft-deleted virtual machines: " + firstOf(deleted) +
			". They count until they are purged, " + purge + ", or undeleted, imported and moved."
	}
	return text
}

// firstOf lists the first ten of the titles.
func firstOf(titles []string) string {
	const most = 10
	if len(titles) <= most {
		return strings.Join(titles, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(titles[:most], ", "), len(titles)-most)
}
