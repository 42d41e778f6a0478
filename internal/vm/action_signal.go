package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const (
	signalPowerdown = "powerdown"
	signalReset     = "reset"
	signalSendkey   = "sendkey"
)

// NewSignalAction gives the action cloudserver_vm_signal (api.md §3, signal).
func NewSignalAction() action.Action {
	return &vmAction{
		name:        "_signal",
		description: "Sends a signal to a virtual machine that is on. Unlike `cloudserver_vm_power` it asks once, and neither insists nor touches `autoreboot_on`.",
		attributes: map[string]schema.Attribute{
			"signal": schema.StringAttribute{
				MarkdownDescription: "`powerdown` asks the guest to shut down, and waits until the machine is off, unless `autoreboot_on` brings it back. `reset` is the reset button: it applies no pending changes. `sendkey` presses `key`.",
				Required:            true,
				Validators:          []validator.String{stringvalidator.OneOf(signalPowerdown, signalReset, signalSendkey)},
			},
			"key": schema.StringAttribute{
				MarkdownDescription: "Key that `sendkey` presses, such as `ctrl-alt-delete`; see `sendkeys` of the data source `cloudserver_definitions`.",
				Optional:            true,
				Validators:          []validator.String{tfkit.NotEmpty{}},
			},
		},
		order: orderSignal,
	}
}

type signalModel struct {
	target
	Signal types.String `tfsdk:"signal"`
	Key    types.String `tfsdk:"key"`
}

func orderSignal(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) order {
	var c signalModel
	diags.Append(config.Get(ctx, &c)...)
	return order{
		target:   c.target,
		verb:     "send " + c.Signal.ValueString() + " to",
		validate: c.validate,
		choices:  c.choices(),
		refuse: func(vm *cloudserver.VirtualMachine) string {
			if isOff(vm) {
				return "The machine is off: the service takes signals only for a machine that is on."
			}
			return ""
		},
		do:     c.send,
		verify: c.verify,
		blame:  c.blame,
	}
}

// validate holds signal and key together.
func (c signalModel) validate(diags *diag.Diagnostics) {
	switch sendkey := c.Signal.ValueString() == signalSendkey; {
	case c.Signal.IsUnknown() || c.Key.IsUnknown():
	case sendkey && c.Key.IsNull():
		diags.AddAttributeError(path.Root("key"), "No key to send", "The signal sendkey presses a key: set key, for example to \"ctrl-alt-delete\".")
	case !sendkey && !c.Key.IsNull():
		diags.AddAttributeError(path.Root("key"), "A key that is not sent", "Only the signal sendkey presses a key: remove key, or set signal = \"sendkey\".")
	}
}

func (c signalModel) choices() []choice {
	if !tfkit.Given(c.Key) {
		return nil
	}
	return []choice{{
		at: path.Root("key"), what: "key", value: c.Key.ValueString(),
		offered: func(d *cloudserver.Definitions) []string { return d.Sendkeys },
	}}
}

func (c signalModel) send(ctx context.Context, u *updater) error {
	u.tell("sending " + c.Signal.ValueString())
	err := u.client.Signal(ctx, u.ref, c.Signal.ValueString(), c.Key.ValueString())
	u.wrote()
	if err != nil || !c.waits(u.autoreboot) {
		return err
	}
	return u.wait(ctx, isOff)
}

// waits says whether the signal has an effect that stays to be seen.
func (c signalModel) waits(autoreboot bool) bool {
	return c.Signal.ValueString() == signalPowerdown && !autoreboot
}

func (c signalModel) verify(before, after *cloudserver.VirtualMachine) string {
	if c.waits(before.AutorebootOn != nil && *before.AutorebootOn) {
		return stays(after, false)
	}
	return ""
}

func (c signalModel) blame(problem cloudserver.Problem) (path.Path, bool) {
	switch problem.Attribute {
	case "signal":
		return path.Root("signal"), true
	case "data":
		return path.Root("key"), true
	}
	return path.Empty(), false
}
