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

// errNoAccount is a machine whose account is unknown.
var errNoAccount = errors.New("the service lists no account with the machine's group; set account in the provider block, or CLOUDSERVER_ACCOUNT")

// errElsewhere is a disc that is on another machine than the configured one.
type errElsewhere struct{ disc, machine, configured int64 }

func (e *errElsewhere) Error() string {
	return fmt.Sprintf("disc %d is on virtual machine %d, not on %d", e.disc, e.machine, e.configured)
}

// errNoBackup is a backup that the disc does not have.
type errNoBackup struct{ disc, backup int64 }

func (e *errNoBackup) Error() string {
	return fmt.Sprintf("disc %d has no backup %d", e.disc, e.backup)
}

// refTo returns the address for calls about discs of a machine, once it is certain
// that no other machine answers to it.
func refTo(ctx context.Context, data *tfkit.ProviderData, machine int64) (cloudserver.Ref, error) {
	vm, err := data.Client.VirtualMachine(ctx, machine, cloudserver.IncludeDeleted, cloudserver.WithoutOverview)
	if err != nil {
		return cloudserver.Ref{}, err
	}
	m := fleet.Machine{Account: data.Account.ValueString(), GroupID: vm.GroupID, ID: machine}
	group, err := data.Directory.GroupByID(ctx, vm.GroupID, m.Account)
	switch {
	case err != nil:
		return cloudserver.Ref{}, err
	case group != nil:
		m.Account, m.Group = group.Account, group.Name
	case m.Account == "":
		return cloudserver.Ref{}, errNoAccount
	}
	return data.Fleet.Ref(ctx, m)
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
