package group

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// emptyWait is how long to wait for machines that are being deleted by others.
const emptyWait = 30 * time.Second

// Delete deletes the group, which must be empty. A group that is known to be gone is not an error.
func (r *groupResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !r.Data.RequireReady("delete "+state.title(), &resp.Diagnostics) {
		return
	}
	k := tfkit.LoadPrivate[groupPrivate](ctx, req.Private, &resp.Diagnostics)
	running := r.Data.Running.Begin()
	defer running.End()
	machines, err := r.deleteWhenEmpty(ctx, running, state, k)
	r.Data.Fleet.Directory.Changed()
	if err != nil && !presence.IsGone(err) {
		r.addDeleteError(state, machines, err, &resp.Diagnostics)
	}
}

// deleteWhenEmpty deletes the group. While other operations of this run work, it waits for the group to become empty,
// because machines that refer to it by a literal name are destroyed at the same time. It returns the machines that are
// in the way.
func (r *groupResource) deleteWhenEmpty(
	ctx context.Context, running *run.Operation, state model, k groupPrivate,
) (machines []cloudserver.VirtualMachine, err error) {
	isOver := func() bool {
		if err = r.deleteOnce(ctx, state, k); cloudserver.StatusCode(err) != http.StatusBadRequest {
			return true
		}
		r.Data.Fleet.ForgetBefore(time.Now()) // the next look is one after this attempt
		var listErr error
		machines, listErr = r.machines(ctx, state.Account.ValueString(), &cloudserver.Group{ID: tfkit.IDOf(state.ID)})
		// A soft-deleted machine stays until somebody purges it, so there is no point in waiting.
		return listErr != nil ||
			slices.ContainsFunc(machines, func(vm cloudserver.VirtualMachine) bool { return vm.Deleted })
	}
	if isOver() {
		return machines, err
	}
	wait, cancel := context.WithTimeout(ctx, emptyWait) // does not interrupt a request
	defer cancel()
	_ = running.Wait(func() error { // err is the service's last answer
		return cloudserver.Poll(
			wait, func(context.Context) (bool, error) { return isOver() || r.Data.Running.Idle(), nil },
		)
	})
	return machines, err
}

// deleteOnce deletes the group if it is empty.
func (r *groupResource) deleteOnce(ctx context.Context, state model, k groupPrivate) error {
	var element string
	return r.Data.Client.Change(ctx, func(ctx context.Context, since time.Time) (done bool, err error) {
		r.Data.Fleet.ForgetBefore(since)
		r.Data.Fleet.Directory.Changed() // the list of groups is the look at this one
		element, err = r.address(ctx, state, k)
		return false, err
	}, func(ctx context.Context, w cloudserver.Writer) error {
		return w.DeleteGroup(ctx, state.Account.ValueString(), element)
	})
}

// machinesNamed is the maximum number of machines that an error lists.
const machinesNamed = 10

// addDeleteError reports that a group could not be deleted, and the machines that are in the way.
func (r *groupResource) addDeleteError(state model, machines []cloudserver.VirtualMachine, err error, diags *diag.Diagnostics) {
	summary := "Cannot delete " + state.title()
	if len(machines) > 0 {
		diags.AddError(summary, inTheWay(machines, r.Data.WithAction("vm_purge")))
		return
	}
	presence.AddUnknown(diags, summary, "the group", err, attributePath)
}

// inTheWay lists the machines in a group that is not empty, and what to do about each kind. purge says how to purge one.
func inTheWay(machines []cloudserver.VirtualMachine, purge string) string {
	var there, deleted []string
	for _, vm := range machines {
		list := &there
		if vm.Deleted {
			list = &deleted
		}
		*list = append(*list, fmt.Sprintf("%s (id %d)", vm.Name, vm.ID))
	}
	text := "Only an empty group can be deleted."
	if len(there) > 0 {
		text += "\n\nIt still has " + counted(there, "virtual machine") + ". Destroy or move them first. " +
			"A cloudserver_vm whose group or group_id refers to this resource is destroyed before it. " +
			"One that the same plan moves to another group is moved only afterwards: " +
			"keep this group, apply the move, and remove the group then; or set create_before_destroy on the group."
	}
	if len(deleted) > 0 {
		text += "\n\nIt still has " + counted(deleted, "soft-deleted virtual machine") +
			". Soft-deleted machines count until they are purged, " + purge + ". " +
			"With purge_on_destroy = true, the default, a cloudserver_vm is purged when it is destroyed."
	}
	return text
}

// counted returns a quantity and the names, of which it lists only the first if there are many.
func counted(names []string, what string) string {
	more := ""
	if len(names) > machinesNamed {
		more = fmt.Sprintf(" and %d more", len(names)-machinesNamed)
	}
	if len(names) > 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s: %s%s", len(names), what, strings.Join(names[:min(len(names), machinesNamed)], ", "), more)
}
