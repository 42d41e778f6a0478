package backup

import (
	"context"
	"errors"
	"fmt"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// coldStorage is the grade of a backup that is stored, and of a disc while it is
// restored from one (API.md §4).
const coldStorage = "iceberg"

// errElsewhere is a disc that is on another machine than the configured one.
type errElsewhere struct{ disc, machine, configured int64 }

func (e *errElsewhere) Error() string {
	return fmt.Sprintf("disc %d is on virtual machine %d, not on %d", e.disc, e.machine, e.configured)
}

// locate returns the address of a machine.
func locate(ctx context.Context, data *tfkit.ProviderData, machine int64) (fleet.Machine, error) {
	vm, err := data.Client.VirtualMachine(ctx, machine, cloudserver.IncludeDeleted, cloudserver.WithoutOverview)
	if err != nil {
		return fleet.Machine{}, err
	}
	return data.Locate(ctx, vm)
}

// refTo returns the address for calls about discs of a machine, once it is certain
// that no other machine answers to it, and the account that the machine is in.
func refTo(ctx context.Context, data *tfkit.ProviderData, machine int64) (ref cloudserver.Ref, account string, err error) {
	address, err := locate(ctx, data, machine)
	if err == nil {
		ref, _, err = data.Fleet.Ref(ctx, address)
	}
	return ref, address.Account, err
}

// discOn reads a disc, and checks that it is on the machine.
func discOn(ctx context.Context, data *tfkit.ProviderData, machine, disc int64) (*cloudserver.Disc, error) {
	found, err := data.Client.Disc(ctx, disc)
	if err != nil {
		return nil, err
	}
	if found.VirtualMachineID != 0 && found.VirtualMachineID != machine {
		return nil, &errElsewhere{disc, found.VirtualMachineID, machine}
	}
	return found, nil
}

// asElsewhere returns the error about a disc on another machine.
func asElsewhere(err error) (*errElsewhere, bool) { return errors.AsType[*errElsewhere](err) }
