package group

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
)

// emptyWait is for machines that are being deleted by others.
const emptyWait = 30 * time.Second

// Delete deletes the group, which has to be empty. A group that is known to be
// gone is no error.
func (r *groupResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !r.Data.RequireReady("delete "+state.title(), &resp.Diagnostics) {
		return
	}
	running := r.Data.Running.Begin()
	defer running.End()
	element, err := r.address(ctx, state)
	var machines []cloudserver.VirtualMachine
	if err == nil {
		machines, err = r.delete(ctx, running, state.Account.ValueString(), element)
	}
	r.Data.Directory.Changed()
	if cloudserver.IsNotFound(err) {
		found, findErr := r.find(ctx, state)
		if found != nil {
			findErr = errors.New(err.Error() + ", but the service still lists the group")
		}
		err = findErr // nil: it is gone
	}
	if err != nil {
		addDeleteError(state, machines, err, &resp.Diagnostics)
	}
}

// delete deletes the group, and waits a while for it to become empty, as long as
// other operations of this run work: machines that name it as text are destroyed
// at the same time. It returns the machines that are in the way.
func (r *groupResource) delete(ctx context.Context, running *run.Operation, account, element string) (machines []cloudserver.VirtualMachine, err error) {
	isOver := func() bool {
		if err = r.Data.Client.DeleteGroup(ctx, account, element); cloudserver.StatusCode(err) != http.StatusBadRequest {
			return true
		}
		var listErr error
		machines, listErr = r.Data.Client.VirtualMachines(ctx, account, element, cloudserver.IncludeDeleted, cloudserver.WithoutOverview)
		return listErr != nil || slices.ContainsFunc(machines, isSoftDeleted)
	}
	if isOver() {
		return machines, err
	}
	wait, cancel := context.WithTimeout(ctx, emptyWait) // does not cut a request short
	defer cancel()
	_ = running.Wait(func() error { // err is what the service answered last
		return cloudserver.Poll(wait, func(context.Context) (bool, error) { return isOver() || r.Data.Running.Idle(), nil })
	})
	return machines, err
}

// isSoftDeleted reports whether a machine stays where it is until somebody purges
// it: waiting for that is in vain.
func isSoftDeleted(vm cloudserver.VirtualMachine) bool { return vm.Deleted }
