package vmaction

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// NewUndelete returns the action cloudserver_vm_undelete (API.md §3).
func NewUndelete() action.Action {
	return &tfkit.Action[undeleteConfig]{
		Name: "_vm_undelete", DefaultTimeout: defaultTimeout, Order: undeleteConfig.order,
		Description: "Undeletes a soft-deleted virtual machine. It comes back under its name, with its discs and addresses, and switched off.",
	}
}

type undeleteConfig struct{ tfkit.Target }

func (c undeleteConfig) order() tfkit.Order {
	return work{
		Target: c.Target, verb: "undelete", deleted: true,
		refuse: func(vm *cloudserver.VirtualMachine) string {
			if !vm.Deleted {
				return "The machine is not soft-deleted, so there is nothing to undelete."
			}
			return ""
		},
		do: func(ctx context.Context, o *operation.Machine) error {
			o.LeavePower()
			o.Tell("undeleting the machine")
			return o.Put(ctx, cloudserver.VirtualMachineUpdate{Deleted: new(false)})
		},
	}.order()
}

// NewPurge returns the action cloudserver_vm_purge (API.md §3).
func NewPurge() action.Action {
	return &tfkit.Action[purgeConfig]{
		Name: "_vm_purge", DefaultTimeout: defaultTimeout, Order: purgeConfig.order,
		Description: "Purges a soft-deleted virtual machine: **its discs are destroyed**, and its name and its addresses become free. " +
			"A machine that is not soft-deleted is an error: destroy it with its resource.",
		Attributes: map[string]schema.Attribute{
			"name": schema.StringAttribute{
				MarkdownDescription: "Name of the machine, as a safeguard: a machine of another name is not purged.",
				Required:            true,
				Validators:          []validator.String{tfkit.NotEmpty, stringvalidator.LengthAtMost(255)},
			},
		},
	}
}

type purgeConfig struct {
	tfkit.Target
	Name types.String `tfsdk:"name"`
}

func (c purgeConfig) order() tfkit.Order {
	return work{
		Target: c.Target, verb: "purge", deleted: true,
		refuse: func(vm *cloudserver.VirtualMachine) string {
			switch {
			case !vm.Deleted:
				return "The machine is not soft-deleted. To destroy a machine that is in use, destroy its resource."
			case c.Name.ValueString() != vm.Name:
				return "The machine is named " + vm.Name + ", not " + c.Name.ValueString() + ". Nothing was purged. Check virtual_machine_id and name."
			}
			return ""
		},
		do: func(ctx context.Context, o *operation.Machine) error {
			o.LeavePower()
			o.Tell("purging the machine")
			return o.Delete(ctx, false, true)
		},
	}.order()
}
