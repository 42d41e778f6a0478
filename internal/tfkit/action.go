package tfkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/action/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
)

var (
	_ action.ActionWithConfigure        = (*Action)(nil)
	_ action.ActionWithConfigValidators = (*Action)(nil)
	_ action.ActionWithModifyPlan       = (*Action)(nil)
	_ action.ActionWithValidateConfig   = (*Action)(nil)
)

// Action is an action of the provider. Actions differ in these fields.
type Action struct {
	Name           string // after the provider's: "_vm_power"
	Description    string
	Attributes     map[string]schema.Attribute
	DefaultTimeout string
	// Order reads the configuration, whose values are only known for certain when
	// the action is invoked.
	Order func(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) Order

	data *ProviderData
}

// Order is what the configuration of an action asks for.
type Order struct {
	What     string // completes "Cannot …"
	Timeouts timeouts.Value
	Validate func(*diag.Diagnostics) // what contradicts itself; nil: nothing can
	Choices  []Choice                // what the service must offer
	// Do carries the order out; say tells a person about the progress.
	Do func(ctx context.Context, data *ProviderData, say func(string), diags *diag.Diagnostics)
}

// Metadata implements action.Action.
func (a *Action) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + a.Name
}

// Configure implements action.ActionWithConfigure.
func (a *Action) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	Configure(req.ProviderData, &a.data, &resp.Diagnostics)
}

// Schema implements action.Action.
func (a *Action) Schema(ctx context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: a.Description,
		Attributes:          a.Attributes,
		Blocks: map[string]schema.Block{
			"timeouts": timeouts.BlockWithOpts(ctx, timeouts.Opts{
				InvokeDescription: "How long the action may take, such as `30m`. Default: `" + a.DefaultTimeout + "`.",
			}),
		},
	}
}

// RequiredID returns an attribute of an action that takes a numeric ID.
func RequiredID(description string) schema.StringAttribute {
	return schema.StringAttribute{MarkdownDescription: description, Required: true, Validators: []validator.String{NumericID{}}}
}

// ConfigValidators refuses timeouts with which every invocation would fail.
func (a *Action) ConfigValidators(context.Context) []action.ConfigValidator {
	return []action.ConfigValidator{PositiveTimeouts{}}
}

// ValidateConfig refuses what contradicts itself.
func (a *Action) ValidateConfig(ctx context.Context, req action.ValidateConfigRequest, resp *action.ValidateConfigResponse) {
	a.order(ctx, req.Config, &resp.Diagnostics)
}

// order reads and validates the configuration.
func (a *Action) order(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) Order {
	o := a.Order(ctx, config, diags)
	if o.Validate != nil && !diags.HasError() {
		o.Validate(diags)
	}
	return o
}

// ModifyPlan validates the order against the service's definitions. Whether what
// it is for exists and is in the right state is only checked when the action is
// invoked: what comes before it in the same run may change both.
func (a *Action) ModifyPlan(ctx context.Context, req action.ModifyPlanRequest, resp *action.ModifyPlanResponse) {
	o := a.Order(ctx, req.Config, &resp.Diagnostics)
	if !resp.Diagnostics.HasError() {
		a.data.CheckChoices(ctx, o.Choices, &resp.Diagnostics)
	}
}

// Invoke carries out the order.
func (a *Action) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	o := a.order(ctx, req.Config, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !a.data.RequireReady(o.What, &resp.Diagnostics) {
		return
	}
	longest, err := ParseDuration(a.DefaultTimeout)
	if err != nil {
		resp.Diagnostics.AddError("Cannot "+o.What, err.Error())
		return
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout(o.Timeouts, "invoke", longest))
	defer cancel()
	o.Do(ctx, a.data, progress(ctx, resp.SendProgress), &resp.Diagnostics)
}

// progress reports to Terraform. A send blocks until it is read, which after a
// cancellation may be never.
func progress(ctx context.Context, send func(action.InvokeProgressEvent)) func(string) {
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
