package vmaction

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const (
	signalPowerdown = "powerdown"
	signalReset     = "reset"
	signalSendkey   = "sendkey"
)

// key is the kind of keys that sendkey presses.
var key = tfkit.Offer{What: "key", Set: cloudserver.Sendkeys}

// NewSignal returns the action cloudserver_vm_signal (API.md §3, signal).
func NewSignal() action.Action {
	return &machineAction[signalConfig]{
		name: "_vm_signal", timeout: defaultTimeout, order: signalConfig.order,
		description: "Sends a signal to a virtual machine that is on. " +
			"Unlike `cloudserver_vm_power` it asks once: " +
			"it does not switch the machine off hard, and does not change `autoreboot_on`.",
		attributes: map[string]schema.Attribute{
			"signal": schema.StringAttribute{
				MarkdownDescription: "`powerdown`, `reset`, or `sendkey`, which presses `key`.",
				Required:            true,
				Validators: []validator.String{
					tfkit.OneOf(signalPowerdown, signalReset, signalSendkey),
				},
			},
			"key": schema.StringAttribute{
				MarkdownDescription: "Keys that `sendkey` presses together, such as `ctrl-alt-delete`: each is one of `sendkeys` of `cloudserver_definitions`.",
				Optional:            true,
				Validators:          []validator.String{tfkit.NotEmpty, joined},
			},
		},
	}
}

// joined refuses keys that are joined by anything but hyphens.
var joined = tfkit.TextOf("keys joined by hyphens", "Invalid key", func(text string) string {
	const others = "+ ,_"
	if !strings.ContainsAny(text, others) || len(text) == 1 {
		return ""
	}
	hyphens := strings.Join(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(others, r) }), "-")
	return fmt.Sprintf("key is %q. Keys are joined by hyphens: did you mean %q?", text, hyphens)
})

type signalConfig struct {
	target
	Signal types.String `tfsdk:"signal"`
	Key    types.String `tfsdk:"key"`
}

func (c signalConfig) order() order {
	return order{
		target:   c.target,
		what:     fmt.Sprintf("send %s to virtual machine %s", c.Signal.ValueString(), c.VirtualMachineID.ValueString()),
		validate: c.validate,
		// Single keys, because the definitions do not list combinations.
		choices: choices("key", key, strings.Split(c.Key.ValueString(), "-")...),
		refuse: func(vm *cloudserver.VirtualMachine, _ *cloudserver.Disc) string {
			if vm.IsOff() {
				return "The machine is off: the service takes signals only for a machine that is on."
			}
			return ""
		},
		do:    c.send,
		blame: map[string]string{"signal": "signal", "data": "key"},
	}
}

// validate checks that a key is configured exactly if one is to be sent.
func (c signalConfig) validate(diags *diag.Diagnostics) {
	switch sendkey := c.Signal.ValueString() == signalSendkey; {
	case c.Signal.IsUnknown() || c.Key.IsUnknown():
	case sendkey && c.Key.IsNull():
		diags.AddAttributeError(path.Root("key"), "Missing key", "The signal sendkey presses keys: set key, for example to \"ctrl-alt-delete\".")
	case !sendkey && !c.Key.IsNull():
		diags.AddAttributeError(path.Root("key"), "Unused key", "Only the signal sendkey presses keys: remove key, or set signal = \"sendkey\".")
	}
}

func (c signalConfig) send(ctx context.Context, w *work) error {
	w.LeavePower() // the effect of the signal on the power is not undone
	progress.Report(ctx, "sending "+c.Signal.ValueString())
	err := w.Signal(ctx, c.Signal.ValueString(), c.Key.ValueString())
	if err != nil || c.Signal.ValueString() != signalPowerdown || w.Autoreboot { // it has no lasting effect
		return err
	}
	return w.Wait(ctx, operation.ShutDown, (*cloudserver.VirtualMachine).IsOff)
}
