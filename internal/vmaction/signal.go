// SPDX-License-Identifier: MPL-2.0

package vmaction

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/machine"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const (
	signalPowerdown = "powerdown"
	signalReset     = "reset"
	signalSendkey   = "sendkey"
)

// key is the kind of keys that sendkey presses.
var key = tfkit.Offer{
	What: "key", Set: cloudserver.Sendkeys, Rule: "Keys are joined by dashes, as in ctrl-alt-delete.",
}

// NewSignal returns the action cloudserver_vm_signal (API.md §3, signal).
func NewSignal() action.Action {
	return &machineAction[signalConfig]{
		name: "_vm_signal", timeout: defaultTimeout, task: signalConfig.task,
		description: "Sends a signal to a virtual machine that is on. Unlike `cloudserver_vm_power`, " +
			"it neither switches the machine off hard nor changes `autoreboot_on`.",
		attributes: map[string]schema.Attribute{
			"signal": schema.StringAttribute{
				MarkdownDescription: "`powerdown`, `reset`, or `sendkey`, which presses `key`.",
				Required:            true,
				Validators:          []validator.String{stringvalidator.OneOf(signalPowerdown, signalReset, signalSendkey)},
			},
			"key": schema.StringAttribute{
				MarkdownDescription: "Keys for `sendkey`, joined by dashes, such as `ctrl-alt-delete`: " +
					"each is one of `sendkeys` of `cloudserver_definitions`.",
				Optional:   true,
				Validators: []validator.String{tfkit.NotEmpty},
			},
		},
	}
}

type signalConfig struct {
	target
	Signal types.String `tfsdk:"signal"`
	Key    types.String `tfsdk:"key"`
}

func (c signalConfig) task() *task {
	return &task{
		target:   c.target,
		what:     fmt.Sprintf("send %s to virtual machine %s", c.Signal.ValueString(), c.VirtualMachineID.ValueString()),
		validate: c.validate,
		// Single keys, because the definitions do not list combinations.
		choices: choices("key", key, strings.Split(c.Key.ValueString(), "-")...),
		refuse:  c.refuse, do: []part{c.send}, blame: map[string]string{"signal": "signal", "data": "key"},
	}
}

// validate checks that a key is configured exactly if one is to be sent.
func (c signalConfig) validate(_ context.Context, diags *diag.Diagnostics) {
	sendsKey := c.Signal.ValueString() == signalSendkey
	switch {
	case c.Signal.IsUnknown() || c.Key.IsUnknown():
	case sendsKey && c.Key.IsNull():
		diags.AddAttributeError(path.Root("key"), "Missing key",
			"The signal sendkey presses keys: set key, for example to \"ctrl-alt-delete\".")
	case !sendsKey && !c.Key.IsNull():
		diags.AddAttributeError(path.Root("key"), "Unused key",
			"Only the signal sendkey presses keys: remove key, or set signal = \"sendkey\".")
	}
}

func (c signalConfig) refuse(vm *cloudserver.VirtualMachine, _ *cloudserver.Disc) string {
	if vm.IsOff() {
		return "The machine is off: the service takes signals only for a machine that is on."
	}
	return ""
}

// send sends the signal. A powerdown has a lasting effect, which is waited for, only if the service does not start the
// machine again.
func (c signalConfig) send(ctx context.Context, t *task) error {
	progress.Report(ctx, "sending "+c.Signal.ValueString())
	err := t.Signal(ctx, c.Signal.ValueString(), c.Key.ValueString())
	if err != nil || c.Signal.ValueString() != signalPowerdown || t.Power().Autoreboot {
		return err
	}
	return t.Wait(ctx, machine.ShutDown, (*cloudserver.VirtualMachine).IsOff)
}
