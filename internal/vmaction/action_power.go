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

const (
	stateStart   = "start"
	stateStop    = "stop"
	stateRestart = "restart"
)

// NewPower returns the action cloudserver_vm_power (API.md §3, power).
func NewPower() action.Action {
	return &tfkit.Action[powerConfig]{
		Name: "_vm_power", DefaultTimeout: defaultTimeout, Order: powerConfig.order,
		Description: "Starts, stops or restarts a virtual machine, and waits until it is done. A stop is graceful, and hard when the guest has not shut down within `shutdown_timeout`.",
		Attributes: map[string]schema.Attribute{
			"state": schema.StringAttribute{
				MarkdownDescription: "`start`, `stop`, or `restart`, which power-cycles a machine that is on.",
				Required:            true,
				Validators:          []validator.String{stringvalidator.OneOf(stateStart, stateStop, stateRestart)},
			},
			"shutdown_timeout": shutdownTimeoutAttribute(),
		},
	}
}

func shutdownTimeoutAttribute() schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: "How long a graceful stop may take before the machine is switched off hard. Default: `" + operation.DefaultShutdownTimeout + "`.",
		Optional:            true,
		Validators:          []validator.String{tfkit.PositiveDuration},
	}
}

type powerConfig struct {
	tfkit.Target
	State           types.String `tfsdk:"state"`
	ShutdownTimeout types.String `tfsdk:"shutdown_timeout"`
}

func (c powerConfig) order() tfkit.Order {
	state := c.State.ValueString()
	return work{
		Target: c.Target, verb: state, restarts: state == stateRestart, shutdown: c.ShutdownTimeout,
		refuse: func(vm *cloudserver.VirtualMachine) string {
			if state == stateRestart && vm.IsOff() {
				return "The machine is off, so there is nothing to restart: use state = \"start\"."
			}
			return ""
		},
		do: func(ctx context.Context, o *operation.Machine) error {
			if state == stateRestart {
				if err := o.Stop(ctx); err != nil {
					return err
				}
			} else if o.On == (state == stateStart) {
				o.Tell("nothing to do: " + operation.LastSeen(&cloudserver.VirtualMachine{PowerOn: &o.On}, nil))
			}
			switch {
			case state == stateStop:
				return o.SetPower(ctx, false, false)
			case o.WasOn:
				return o.SetPower(ctx, true, o.WasAutoreboot)
			}
			return o.SetPower(ctx, true, true)
		},
		blame: blame(map[string]string{"power_on": "state"}),
	}.order()
}
