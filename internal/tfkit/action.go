package tfkit

import (
	"context"
	"fmt"
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
)

var (
	_ action.ActionWithConfigure      = (*Action[Target])(nil)
	_ action.ActionWithModifyPlan     = (*Action[Target])(nil)
	_ action.ActionWithValidateConfig = (*Action[Target])(nil)
)

// Action is an action on one virtual machine, or on a part of it. C is the model of
// its configuration, with [Target] embedded. Actions differ in these fields.
type Action[C any] struct {
	Name           string // after the provider's: "_vm_power"
	Description    string
	DefaultTimeout string
	Attributes     map[string]schema.Attribute // besides those of Target
	// Order returns what a configuration asks for. Its values are only known for
	// certain when the action is invoked.
	Order func(C) Order

	data *ProviderData
}

// Target is what every action has in its configuration.
type Target struct {
	VirtualMachineID types.String   `tfsdk:"virtual_machine_id"`
	Timeouts         timeouts.Value `tfsdk:"timeouts"`
}

// Order is what the configuration of an action asks for.
type Order struct {
	Target
	Also     types.String            // the ID of another machine that it works on
	What     string                  // completes "Cannot …"
	Validate func(*diag.Diagnostics) // what contradicts itself; nil: nothing can
	Choices  []Choice                // what the service must offer
	// Do carries the order out, while no other operation of this process works on
	// the machine; say tells a person about the progress.
	Do func(ctx context.Context, data *ProviderData, say func(string), diags *diag.Diagnostics)
}

// Metadata implements action.Action.
func (a *Action[C]) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + a.Name
}

// Configure implements action.ActionWithConfigure.
func (a *Action[C]) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	Configure(req.ProviderData, &a.data, &resp.Diagnostics)
}

// Schema implements action.Action.
func (a *Action[C]) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	attributes := map[string]schema.Attribute{"virtual_machine_id": RequiredID("ID of the machine: `id` of a `cloudserver_vm`.")}
	maps.Copy(attributes, a.Attributes)
	resp.Schema = schema.Schema{
		MarkdownDescription: a.Description,
		Attributes:          attributes,
		Blocks: map[string]schema.Block{
			"timeouts": schema.SingleNestedBlock{
				CustomType:          timeouts.Type{ObjectType: types.ObjectType{AttrTypes: map[string]attr.Type{"invoke": types.StringType}}},
				MarkdownDescription: "How long the action may take.",
				Attributes: map[string]schema.Attribute{"invoke": schema.StringAttribute{
					MarkdownDescription: "Such as `30m`. Default: `" + a.DefaultTimeout + "`.",
					Optional:            true, Validators: []validator.String{PositiveDuration},
				}},
			},
		},
	}
}

// RequiredID returns an attribute of an action that takes a numeric ID.
func RequiredID(description string) schema.StringAttribute {
	return schema.StringAttribute{MarkdownDescription: description, Required: true, Validators: []validator.String{NumericID("")}}
}

// ValidateConfig refuses what contradicts itself.
func (a *Action[C]) ValidateConfig(ctx context.Context, req action.ValidateConfigRequest, resp *action.ValidateConfigResponse) {
	a.order(ctx, req.Config, &resp.Diagnostics)
}

// order reads and validates the configuration.
func (a *Action[C]) order(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) Order {
	var c C
	diags.Append(config.Get(ctx, &c)...)
	o := a.Order(c)
	if o.Validate != nil && !diags.HasError() {
		o.Validate(diags)
	}
	return o
}

// ModifyPlan validates the order against the service's definitions. Whether what
// it is for exists and is in the right state is only checked when the action is
// invoked: what comes before it in the same run may change both.
func (a *Action[C]) ModifyPlan(ctx context.Context, req action.ModifyPlanRequest, resp *action.ModifyPlanResponse) {
	o := a.order(ctx, req.Config, &resp.Diagnostics)
	if !resp.Diagnostics.HasError() {
		a.data.CheckChoices(ctx, o.Choices, &resp.Diagnostics)
	}
}

// Invoke carries out the order. Operations on one machine take turns.
func (a *Action[C]) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	o := a.order(ctx, req.Config, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !a.data.RequireReady(o.What, &resp.Diagnostics) {
		return
	}
	longest, _ := ParseDuration(a.DefaultTimeout)
	ctx, cancel := context.WithTimeout(ctx, Timeout(o.Timeouts, "invoke", longest))
	defer cancel()
	for _, id := range o.machines() {
		end, err := a.data.Turns.Take(ctx, fmt.Sprint("virtual machine ", id))
		if err != nil {
			AddError(&resp.Diagnostics, "Cannot "+o.What, err, nil, "Nothing was done. Invoke the action again.")
			return
		}
		defer end()
	}
	o.Do(ctx, a.data, progress(ctx, resp.SendProgress), &resp.Diagnostics)
}

// machines returns the machines that the order works on, always in the same order,
// so that two orders never wait for each other.
func (o Order) machines() []int64 {
	ids := []int64{IDOf(o.VirtualMachineID)}
	if Given(o.Also) {
		ids = append(ids, IDOf(o.Also))
	}
	slices.Sort(ids)
	return slices.Compact(ids)
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
