package vmaction

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const (
	stateStart   = "start"
	stateStop    = "stop"
	stateRestart = "restart"
)

// NewPower returns the action cloudserver_vm_power (API.md §3, power).
func NewPower() action.Action {
	return &machineAction[powerConfig]{
		name: "_vm_power", timeout: defaultTimeout, order: powerConfig.order,
		description: "Starts, stops or restarts a virtual machine, and waits until it is done.",
		attributes: withShutdown(map[string]schema.Attribute{
			"state": schema.StringAttribute{
				MarkdownDescription: "`start`, `stop`, or `restart`, which power-cycles a machine that is on.",
				Required:            true,
				Validators:          []validator.String{tfkit.OneOf(stateStart, stateStop, stateRestart)},
			},
		}),
	}
}

type powerConfig struct {
	target
	shutdown

	State types.String `tfsdk:"state"`
}

func (c powerConfig) order() order {
	state := c.State.ValueString()
	return order{
		target: c.target, what: state + " virtual machine " + c.VirtualMachineID.ValueString(), restarts: state == stateRestart, power: true, shutdown: c.shutdown,
		refuse: func(vm *cloudserver.VirtualMachine, _ *cloudserver.Disc) string {
			if state == stateRestart && vm.IsOff() {
				return "The machine is off, so there is nothing to restart: use state = \"start\"."
			}
			return ""
		},
		do: func(ctx context.Context, w *work) error {
			if state == stateRestart {
				if err := w.Stop(ctx); err != nil {
					return err
				}
			} else if w.On == (state == stateStart) {
				progress.Report(ctx, "nothing to do: "+fleet.LastSeen(&cloudserver.VirtualMachine{PowerOn: &w.On}, nil))
			}
			switch {
			case state == stateStop:
				return w.SetPower(ctx, false, false)
			case w.WasOn:
				return w.SetPower(ctx, true, w.WasAutoreboot)
			}
			return w.SetPower(ctx, true, true)
		},
		blame: map[string]string{"power_on": "state"},
	}
}
