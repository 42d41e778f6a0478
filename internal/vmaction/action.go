// SPDX-License-Identifier: MPL-2.0

// Package vmaction has the actions on virtual machines and their discs (API.md §3 and §4). An action is a value: its
// schema, what it refuses, and what it does. One runner reads the machines, takes a turn and a slot, reports progress and
// restores the power after a failure. Actions use no Terraform state.
package vmaction

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/action/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/machine"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/steps"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var (
	_ action.ActionWithConfigure      = (*machineAction[target])(nil)
	_ action.ActionWithModifyPlan     = (*machineAction[target])(nil)
	_ action.ActionWithValidateConfig = (*machineAction[target])(nil)
)

// Default timeouts, as users write them.
const (
	defaultTimeout = "20m"
	copyTimeout    = "2h" // of a backup or a restore
)

// machineAction is an action on one virtual machine or on a part of it. C is the model of its configuration, which
// embeds target. Actions differ only in these fields.
type machineAction[C any] struct {
	name        string // appended to the provider's name: "_vm_power"
	description string
	timeout     string                      // default
	attributes  map[string]schema.Attribute // in addition to those of target
	// task returns what a configuration asks for. All its values are certain to be known only when the action is
	// invoked.
	task func(C) *task

	data *tfkit.ProviderData
}

// target is the part of the configuration that all actions share.
type target struct {
	VirtualMachineID types.String   `tfsdk:"virtual_machine_id"`
	Timeouts         timeouts.Value `tfsdk:"timeouts"`
}

// LosesData reports whether an action of this type, such as cloudserver_vm_reimage, destroys data.
func LosesData(typeName string) bool {
	return slices.Contains([]string{
		"cloudserver_disc_backup_delete", "cloudserver_disc_restore", "cloudserver_vm_purge", "cloudserver_vm_reimage",
	}, typeName)
}

func (a *machineAction[C]) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + a.name
}

func (a *machineAction[C]) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	a.data = tfkit.Configured(req.ProviderData, &resp.Diagnostics)
}

func (a *machineAction[C]) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	attributes := map[string]schema.Attribute{"virtual_machine_id": idAttribute("ID of the machine.", tfkit.MachineID)}
	maps.Copy(attributes, a.attributes)
	invoke := types.ObjectType{AttrTypes: map[string]attr.Type{"invoke": types.StringType}}
	resp.Schema = schema.Schema{
		MarkdownDescription: a.description,
		Attributes:          attributes,
		Blocks: map[string]schema.Block{
			"timeouts": schema.SingleNestedBlock{
				CustomType:          timeouts.Type{ObjectType: invoke},
				MarkdownDescription: "Timeout, such as `timeouts { invoke = \"30m\" }`. Default: `" + a.timeout + "`.",
				Attributes: map[string]schema.Attribute{"invoke": schema.StringAttribute{
					MarkdownDescription: "Such as `30m`. Default: `" + a.timeout + "`.",
					Optional:            true, Validators: []validator.String{tfkit.PositiveDuration},
				}},
			},
		},
	}
}

// idAttribute returns an attribute for a numeric ID.
func idAttribute(description string, id tfkit.Text) schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: description, Required: true, Validators: []validator.String{id},
	}
}

func allowStoppingAttribute(what string) schema.BoolAttribute {
	return schema.BoolAttribute{MarkdownDescription: "Whether " + what + ". Default: `false`.", Optional: true}
}

// shutdown are the arguments of actions that stop a machine.
type shutdown struct {
	ShutdownTimeout   types.String `tfsdk:"shutdown_timeout"`
	OnShutdownTimeout types.String `tfsdk:"on_shutdown_timeout"`
}

// toMachine returns how machines are stopped.
func (s shutdown) toMachine() machine.Shutdown {
	return machine.Shutdown{
		Timeout: tfkit.Duration(s.ShutdownTimeout, 0),
		Fail:    s.OnShutdownTimeout.ValueString() == machine.FailOnTimeout,
	}
}

// withShutdown adds the arguments of shutdown.
func withShutdown(attributes map[string]schema.Attribute) map[string]schema.Attribute {
	attributes["shutdown_timeout"] = schema.StringAttribute{
		MarkdownDescription: "How long a graceful stop may take. Default: `2m`.",
		Optional:            true,
		Validators:          []validator.String{tfkit.PositiveDuration},
	}
	attributes["on_shutdown_timeout"] = schema.StringAttribute{
		MarkdownDescription: "What happens after `shutdown_timeout`: `switch_off`, or `fail`, which leaves the machine on. " +
			"Default: `switch_off`.",
		Optional:   true,
		Validators: []validator.String{stringvalidator.OneOf(machine.SwitchOff, machine.FailOnTimeout)},
	}
	return attributes
}

// ValidateConfig refuses contradictory arguments.
func (a *machineAction[C]) ValidateConfig(
	ctx context.Context, req action.ValidateConfigRequest, resp *action.ValidateConfigResponse,
) {
	a.read(ctx, req.Config, &resp.Diagnostics)
}

// read decodes and validates the configuration.
func (a *machineAction[C]) read(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) *task {
	var c C
	diags.Append(config.Get(ctx, &c)...)
	t := a.task(c)
	if t.validate != nil && !diags.HasError() {
		t.validate(ctx, diags)
	}
	return t
}

// validateAgain validates the values of the configuration. Terraform does that before variables have values, and not
// again: a typo in a value must not cause another action.
func (a *machineAction[C]) validateAgain(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) {
	var described action.SchemaResponse
	a.Schema(ctx, action.SchemaRequest{}, &described)
	for _, name := range slices.Sorted(maps.Keys(described.Schema.Attributes)) {
		validateText(ctx, config, path.Root(name), described.Schema.Attributes[name], diags)
	}
	timeout := described.Schema.Blocks["timeouts"].GetNestedObject().GetAttributes()["invoke"]
	validateText(ctx, config, path.Root("timeouts").AtName("invoke"), timeout, diags)
}

// validateText validates the value of an attribute that is a string. The others are bools.
func validateText(ctx context.Context, config tfsdk.Config, at path.Path, attribute any, diags *diag.Diagnostics) {
	text, ok := attribute.(schema.StringAttribute)
	if !ok {
		return
	}
	var value types.String
	diags.Append(config.GetAttribute(ctx, at, &value)...)
	if text.Required && value.IsNull() {
		diags.AddAttributeError(at, "Missing "+at.String(), at.String()+" is required, and it is null.")
		return
	}
	for _, one := range text.Validators {
		var resp validator.StringResponse
		req := validator.StringRequest{Path: at, PathExpression: at.Expression(), Config: config, ConfigValue: value}
		one.ValidateString(ctx, req, &resp)
		diags.Append(resp.Diagnostics...)
	}
}

// ModifyPlan checks values against the service's definitions, and objects that no apply changes.
func (a *machineAction[C]) ModifyPlan(
	ctx context.Context, req action.ModifyPlanRequest, resp *action.ModifyPlanResponse,
) {
	a.validateAgain(ctx, req.Config, &resp.Diagnostics)
	t := a.read(ctx, req.Config, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	a.data.CheckChoices(ctx, t.choices, &resp.Diagnostics)
	ctx, cancel, ok := a.data.PlanCheck(ctx)
	defer cancel()
	if !ok || t.checkPlan == nil {
		return
	}
	if err := t.checkPlan(ctx, a.data); err != nil {
		tfkit.AddError(&resp.Diagnostics, "Cannot "+t.what, err, nil, "")
	}
}

// Invoke carries out the task.
func (a *machineAction[C]) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	diags := &resp.Diagnostics
	a.validateAgain(ctx, req.Config, diags)
	t := a.read(ctx, req.Config, diags)
	if diags.HasError() || !a.data.RequireReady(t.what, diags) {
		return
	}
	ctx = progress.NewContext(ctx, steps.Title(tfkit.IDOf(t.VirtualMachineID)), func(message string) {
		if ctx.Err() == nil { // otherwise nobody may read it any more
			resp.SendProgress(action.InvokeProgressEvent{Message: message})
		}
	})
	byDefault, _ := time.ParseDuration(a.timeout)
	t.carryOut(ctx, a.data, tfkit.Timeout(t.Timeouts, "invoke", byDefault), diags)
}
