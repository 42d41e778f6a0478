package stories

import (
	"context"
	"strconv"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// withoutCancel returns a context for what is done while a test ends.
func withoutCancel(t *testing.T) context.Context { return context.WithoutCancel(t.Context()) }

// reference returns the address for a write to a machine by others than Terraform.
func reference(t *testing.T, id int64) (cloudserver.Ref, error) {
	ctx := withoutCancel(t)
	vm, err := client.VirtualMachine(ctx, id, cloudserver.IncludeDeleted)
	if err != nil {
		return cloudserver.Ref{}, err
	}
	ref, _, err := fleet.New(client).Ref(ctx, fleet.Machine{Account: account, GroupID: vm.GroupID, ID: id})
	return ref, err
}

// changeElsewhere changes a machine behind Terraform's back.
func changeElsewhere(t *testing.T, id *int64, change cloudserver.VirtualMachineUpdate) func() {
	return func() {
		ref, err := reference(t, *id)
		if err == nil {
			_, err = client.UpdateVirtualMachine(t.Context(), ref, change)
		}
		if err != nil {
			t.Errorf("change machine %s: %v", strconv.FormatInt(*id, 10), err)
		}
	}
}
