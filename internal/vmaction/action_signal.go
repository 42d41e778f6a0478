package vmaction

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const (
	signalPowerdown = "powerdown"
	signalReset     = "reset"
	signalSendkey   = "sendkey"
)

// NewSignal returns the action cloudserver_vm_signal (API.md §3, signal).
func NewSignal() action.Action {
	return &tfkit.Action[signalConfig]{
		Name: "_vm_signal", DefaultTimeout: defaultTimeout, Order: signalConfig.order,
		Description: "Sends a signal to a virtual machine that is on. Unlike `cloudserver_vm_power` it asks once: it does not switch the machine off hard, and does not change `autoreboot_on`.",
		Attributes: map[string]schema.Attribute{
			"signal": schema.StringAttribute{
				MarkdownDescription: "`powerdown`, `reset`, or `sendkey`, which presses `key`.",
				Required:            true,
				Validators:          []validator.String{stringvalidator.OneOf(signalPowerdown, signalReset, signalSendkey)},
			},
			"key": schema.StringAttribute{
				MarkdownDescription: "Keys that `sendkey` presses together, separated by dashes, such as `ctrl-alt-delete`. Each is one of `sendkeys` of the data source `cloudserver_definitions`.",
				Optional:            true,
				Validators:          []validator.String{tfkit.NotEmpty},
			},
		},
	}
}

type signalConfig struct {
	tfkit.Target
	Signal types.String `tfsdk:"signal"`
	Key    types.String `tfsdk:"key"`
}

func (c signalConfig) order() tfkit.Order {
	return work{
		Target:   c.Target,
		verb:     "send " + c.Signal.ValueString() + " to",
		validate: c.validate,
		// Single keys: the definitions do not list combinations.
		choices: choices("key", tfkit.Key, strings.Split(c.Key.ValueString(), "-")...),
		refuse: func(vm *cloudserver.VirtualMachine) string {
			if vm.IsOff() {
				return "The machine is off: the service takes signals only for a machine that is on."
			}
			return ""
		},
		do:    c.send,
		blame: blame(map[string]string{"signal": "signal", "data": "key"}),
	}.order()
}

// validate checks that a key is given exactly where one is sent.
func (c signalConfig) validate(diags *diag.Diagnostics) {
	switch sendkey := c.Signal.ValueString() == signalSendkey; {
	case c.Signal.IsUnknown() || c.Key.IsUnknown():
	case sendkey && c.Key.IsNull():
		diags.AddAttributeError(path.Root("key"), "Missing key", "The signal sendkey presses keys: set key, for example to \"ctrl-alt-delete\".")
	case !sendkey && !c.Key.IsNull():
		diags.AddAttributeError(path.Root("key"), "Unused key", "Only the signal sendkey presses keys: remove key, or set signal = \"sendkey\".")
	}
}

func (c signalConfig) send(ctx context.Context, o *operation.Machine) error {
	o.LeavePower() // what the signal does to the power is not undone
	o.Tell("sending " + c.Signal.ValueString())
	err := o.Signal(ctx, c.Signal.ValueString(), c.Key.ValueString())
	if err != nil || c.Signal.ValueString() != signalPowerdown || o.Autoreboot { // no effect that lasts
		return err
	}
	return o.Wait(ctx, (*cloudserver.VirtualMachine).IsOff)
}
