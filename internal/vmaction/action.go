package vmaction

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/action/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var (
	_ action.ActionWithConfigure      = (*machineAction[target])(nil)
	_ action.ActionWithModifyPlan     = (*machineAction[target])(nil)
	_ action.ActionWithValidateConfig = (*machineAction[target])(nil)
)

// provider is what actions use of the provider.
type provider struct {
	tfkit.Common
	operation.Service

	Turns   *run.Turns
	Rollout *run.Rollout
}

func uses(d *tfkit.ProviderData) provider {
	return provider{d, operation.ServiceOf(d), &d.Turns, d.Rollout}
}

// machineAction is an action on one virtual machine or on a part of it. C is the model of its configuration, which
// embeds [target]. Actions differ only in these fields.
type machineAction[C any] struct {
	name        string // appended to the provider's name: "_vm_power"
	description string
	timeout     string                      // default
	attributes  map[string]schema.Attribute // in addition to those of target
	// order returns what a configuration asks for. All its values are certain to be known only when the action is
	// invoked.
	order func(C) order

	provider provider
}

// target is the part of the configuration that all actions share.
type target struct {
	VirtualMachineID types.String   `tfsdk:"virtual_machine_id"`
	Timeouts         timeouts.Value `tfsdk:"timeouts"`
}

func (a *machineAction[C]) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + a.name
}

func (a *machineAction[C]) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	a.provider = uses(tfkit.Configured(req.ProviderData, &resp.Diagnostics))
}

func (a *machineAction[C]) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	attributes := map[string]schema.Attribute{"virtual_machine_id": idAttribute("ID of the machine.")}
	maps.Copy(attributes, a.attributes)
	resp.Schema = schema.Schema{
		MarkdownDescription: a.description,
		Attributes:          attributes,
		Blocks: map[string]schema.Block{
			"timeouts": schema.SingleNestedBlock{
				CustomType:          timeouts.Type{ObjectType: types.ObjectType{AttrTypes: map[string]attr.Type{"invoke": types.StringType}}},
				MarkdownDescription: "Timeout of the action.",
				Attributes: map[string]schema.Attribute{"invoke": schema.StringAttribute{
					MarkdownDescription: "Such as `30m`. Default: `" + a.timeout + "`.",
					Optional:            true, Validators: []validator.String{tfkit.PositiveDuration},
				}},
			},
		},
	}
}

// idAttribute returns an attribute for a numeric ID.
func idAttribute(description string) schema.StringAttribute {
	return schema.StringAttribute{MarkdownDescription: description, Required: true, Validators: []validator.String{tfkit.NumericID("")}}
}

func allowStoppingAttribute(what string) schema.BoolAttribute {
	return schema.BoolAttribute{MarkdownDescription: "Whether " + what + ". Default: `false`.", Optional: true}
}

// shutdown are the arguments of actions that stop a machine.
type shutdown struct {
	ShutdownTimeout   types.String `tfsdk:"shutdown_timeout"`
	OnShutdownTimeout types.String `tfsdk:"on_shutdown_timeout"`
}

// withShutdown adds the arguments of [shutdown].
func withShutdown(attributes map[string]schema.Attribute) map[string]schema.Attribute {
	attributes["shutdown_timeout"] = schema.StringAttribute{
		MarkdownDescription: "How long a graceful stop may take. Default: `" + operation.DefaultShutdownTimeout + "`.",
		Optional:            true,
		Validators:          []validator.String{tfkit.PositiveDuration},
	}
	attributes["on_shutdown_timeout"] = schema.StringAttribute{
		MarkdownDescription: "What happens when the guest has not shut down within `shutdown_timeout`: `switch_off` (default), or `fail`: " +
			"the machine stays on, and the action is an error.",
		Optional:   true,
		Validators: []validator.String{tfkit.OneOf(operation.SwitchOff, operation.Fail)},
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
func (a *machineAction[C]) read(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) order {
	var c C
	diags.Append(config.Get(ctx, &c)...)
	o := a.order(c)
	if o.validate != nil && !diags.HasError() {
		o.validate(diags)
	}
	return o
}

// ModifyPlan validates the order against the service's definitions, and enforces deletion_protection. If the machine or
// disc is in a wrong state that something earlier in the same run may change, it only warns.
func (a *machineAction[C]) ModifyPlan(
	ctx context.Context, req action.ModifyPlanRequest, resp *action.ModifyPlanResponse,
) {
	o := a.read(ctx, req.Config, &resp.Diagnostics)
	if o.refuseProtected(a.provider, &resp.Diagnostics); !resp.Diagnostics.HasError() {
		o.check(ctx, a.provider, &resp.Diagnostics)
	}
}

// Invoke carries out the order. Operations on one machine take turns. Turns on two machines are always taken in the
// same order, so that no two actions wait for each other.
func (a *machineAction[C]) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	o := a.read(ctx, req.Config, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !a.provider.RequireReady(o.what, &resp.Diagnostics) {
		return
	}
	if o.refuseProtected(a.provider, &resp.Diagnostics); resp.Diagnostics.HasError() {
		return
	}
	longest, _ := tfkit.ParseDuration(a.timeout)
	ctx = progress.NewContext(ctx, title(o.machines()[0]), sender(ctx, resp.SendProgress))
	for _, id := range slices.Sorted(slices.Values(o.machines())) {
		end, err := a.provider.Turns.Take(ctx, run.ObjectWithID(run.VirtualMachine, id))
		if err != nil {
			tfkit.AddError(&resp.Diagnostics, "Cannot "+o.what, err, nil, "Nothing was done. Invoke the action again.")
			return
		}
		defer end()
	}
	o.run(ctx, tfkit.Timeout(o.Timeouts, "invoke", longest), a.provider, &resp.Diagnostics)
}

// sender returns a function that sends progress to Terraform until ctx ends. A send blocks until it is read, which
// after a cancellation may be never.
func sender(ctx context.Context, send func(action.InvokeProgressEvent)) func(string) {
	return func(message string) {
		if ctx.Err() != nil {
			return
		}
		read := make(chan struct{})
		go func() {
			defer close(read)
			send(action.InvokeProgressEvent{Message: message})
		}()
		select {
		case <-read:
		case <-ctx.Done():
		}
	}
}
