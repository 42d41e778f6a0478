// SPDX-License-Identifier: MPL-2.0

package vmaction

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// NewUndelete returns the action cloudserver_vm_undelete (API.md §3).
func NewUndelete() action.Action {
	return &machineAction[undeleteConfig]{
		name: "_vm_undelete", timeout: defaultTimeout, task: undeleteConfig.task,
		description: "Undeletes a soft-deleted virtual machine. " +
			"It comes back with its name, discs and addresses, and is off.",
	}
}

type undeleteConfig struct{ target }

func (c undeleteConfig) task() *task {
	return &task{
		target: c.target, what: "undelete virtual machine " + c.VirtualMachineID.ValueString(), deleted: true,
		refuse: func(vm *cloudserver.VirtualMachine, _ *cloudserver.Disc) string {
			if !vm.Deleted {
				return "The machine is not soft-deleted, so there is nothing to undelete."
			}
			return ""
		},
		do: []part{func(ctx context.Context, t *task) error {
			progress.Report(ctx, "undeleting the machine")
			return t.Put(ctx, cloudserver.VirtualMachineUpdate{Deleted: new(false)})
		}},
	}
}

// NewPurge returns the action cloudserver_vm_purge (API.md §3).
func NewPurge() action.Action {
	return &machineAction[purgeConfig]{
		name: "_vm_purge", timeout: defaultTimeout, task: purgeConfig.task,
		description: "Purges a soft-deleted virtual machine: **its discs and backups are destroyed**, and its name and addresses become free. " +
			"Any other machine is an error: destroy it with its resource.",
		attributes: map[string]schema.Attribute{
			"name": schema.StringAttribute{
				MarkdownDescription: "Name of the machine, as a safeguard.",
				Required:            true,
				Validators:          []validator.String{tfkit.NotEmpty},
			},
		},
	}
}

type purgeConfig struct {
	target
	Name types.String `tfsdk:"name"`
}

func (c purgeConfig) task() *task {
	return &task{
		target: c.target, what: "purge virtual machine " + c.VirtualMachineID.ValueString(), deleted: true,
		refuse: c.refuse,
		do: []part{func(ctx context.Context, t *task) error {
			progress.Report(ctx, "purging the machine")
			return t.Delete(ctx, true)
		}},
	}
}

func (c purgeConfig) refuse(vm *cloudserver.VirtualMachine, _ *cloudserver.Disc) string {
	switch {
	case !vm.Deleted:
		return "The machine is not soft-deleted. To destroy a machine that is in use, destroy its resource."
	case c.Name.ValueString() != vm.Name:
		return fmt.Sprintf("The machine is named %s, not %s. Check virtual_machine_id and name.",
			cloudserver.Shown(vm.Name), c.Name.ValueString())
	}
	return ""
}
