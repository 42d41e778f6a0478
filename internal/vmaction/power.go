// SPDX-License-Identifier: MPL-2.0

package vmaction

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/machine"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

const (
	stateStart   = "start"
	stateStop    = "stop"
	stateRestart = "restart"
)

// NewPower returns the action cloudserver_vm_power (API.md §3, power).
func NewPower() action.Action {
	return &machineAction[powerConfig]{
		name: "_vm_power", timeout: defaultTimeout, task: powerConfig.task,
		description: "Starts, stops or restarts a virtual machine, and waits until it is done.",
		attributes: withShutdown(map[string]schema.Attribute{
			"state": schema.StringAttribute{
				MarkdownDescription: "`start`, `stop`, or `restart`, which power-cycles a machine that is on.",
				Required:            true,
				Validators:          []validator.String{stringvalidator.OneOf(stateStart, stateStop, stateRestart)},
			},
		}),
	}
}

type powerConfig struct {
	target
	shutdown

	State types.String `tfsdk:"state"`
}

func (c powerConfig) task() *task {
	return &task{
		target: c.target, what: c.State.ValueString() + " virtual machine " + c.VirtualMachineID.ValueString(),
		restarts: c.State.ValueString() == stateRestart, shutdown: c.toMachine(),
		refuse: c.refuse, do: c.parts(), blame: map[string]string{"power_on": "state"},
	}
}

func (c powerConfig) refuse(vm *cloudserver.VirtualMachine, _ *cloudserver.Disc) string {
	if c.State.ValueString() == stateRestart && vm.IsOff() {
		return "The machine is off, so there is nothing to restart: use state = \"start\"."
	}
	return ""
}

func (c powerConfig) parts() []part {
	switch c.State.ValueString() {
	case stateRestart:
		return []part{stop, startAgain}
	case stateStop:
		return []part{switchTo(machine.Power{}, "the machine is off already")}
	}
	return []part{switchTo(machine.Power{On: true, Autoreboot: true}, "the machine is on already")}
}

// switchTo sets the power. A machine that is on already keeps its autoreboot_on; one that is off already may still be
// about to start.
func switchTo(wanted machine.Power, already string) part {
	return func(ctx context.Context, t *task) error {
		if t.Power().On == wanted.On {
			progress.Report(ctx, already)
			if wanted.On {
				return nil
			}
		}
		return t.SetPower(ctx, wanted)
	}
}
