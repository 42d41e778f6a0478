package tfkit

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/existing"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// Existing looks for the objects that plans would create, for the command imports.
type Existing struct {
	*existing.Log

	machines fleet.Memo[[]cloudserver.VirtualMachine] // by account and group
}

// LooksForExisting reports whether the plan of a creation has to find out whether its object exists.
func (d *ProviderData) LooksForExisting() bool { return d.Ready() && d.Existing != nil }

// MachinesInGroup returns the machines of a group, soft-deleted ones included. It is requested once, and written to the
// log.
func (d *ProviderData) MachinesInGroup(ctx context.Context, account, group string) ([]cloudserver.VirtualMachine, error) {
	return d.Existing.machines.Get(ctx, account+"/"+group, func(ctx context.Context) ([]cloudserver.VirtualMachine, error) {
		machines, err := d.Client.VirtualMachines(ctx, account, group, cloudserver.IncludeDeleted)
		if err != nil {
			return nil, err
		}
		all := existing.Group{Account: account, Name: group}
		for _, vm := range machines {
			one := existing.Machine{ID: cloudserver.IDText(vm.ID), Name: vm.Name, SoftDeleted: vm.Deleted}
			for _, card := range vm.NetworkInterfaces {
				one.Addresses = append(one.Addresses, card.IPs...)
			}
			for _, disc := range vm.Discs {
				for _, schedule := range disc.BackupSchedules {
					one.Schedules = append(one.Schedules, fmt.Sprintf("%d/%d/%d", vm.ID, disc.ID, schedule.ID))
				}
			}
			all.Machines = append(all.Machines, one)
		}
		return machines, d.Existing.Group(all)
	})
}

// Found writes what the plan of a creation has found. what names the object, and err is the reason why it could not be
// looked for, which is an error: what was not found would be created.
func (d *ProviderData) Found(c existing.Creation, what string, err error, diags *diag.Diagnostics) {
	if err == nil {
		err = d.Existing.Creation(c)
	}
	if err != nil {
		diags.AddError("Cannot find out whether "+what+" exists",
			Detail(err, "The command imports asks this for everything that the plan would create. "+NothingChanged+". "+Again(err)))
	}
}

// PlannedTexts returns the known values among planned ones.
func PlannedTexts(planned map[string]types.String) map[string]string {
	texts := map[string]string{}
	for name, value := range planned {
		if Given(value) {
			texts[name] = value.ValueString()
		}
	}
	return texts
}
