package vmaction

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/action/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const defaultInvokeTimeout = 20 * time.Minute

var (
	_ action.ActionWithConfigure      = (*vmAction)(nil)
	_ action.ActionWithModifyPlan     = (*vmAction)(nil)
	_ action.ActionWithValidateConfig = (*vmAction)(nil)

	_ action.ActionWithConfigValidators = (*vmAction)(nil)
)

// vmAction is an action on one existing machine. The actions differ in its
// fields; action_order.go carries each of them out.
type vmAction struct {
	data *tfkit.ProviderData

	name        string // after the resource's: "_power"
	description string
	attributes  map[string]schema.Attribute
	// order reads the configuration, whose values are only known for certain
	// when the action is invoked.
	order func(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) order
}

// target is what every action has in its configuration.
type target struct {
	VirtualMachineID types.String   `tfsdk:"virtual_machine_id"`
	Timeouts         timeouts.Value `tfsdk:"timeouts"`
}

func (a *vmAction) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_vm" + a.name
}

func (a *vmAction) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	tfkit.Configure(req.ProviderData, &a.data, &resp.Diagnostics)
}

func (a *vmAction) Schema(ctx context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	attributes := map[string]schema.Attribute{
		"virtual_machine_id": schema.StringAttribute{
			MarkdownDescription: "ID of the machine: `id` of a `cloudserver_vm`.",
			Required:            true,
			Validators:          []validator.String{stringvalidator.RegexMatches(regexp.MustCompile(`^[1-9][0-9]{0,17}$`), "must be a numeric ID")},
		},
	}
	maps.Copy(attributes, a.attributes)
	resp.Schema = schema.Schema{
		MarkdownDescription: a.description,
		Attributes:          attributes,
		Blocks: map[string]schema.Block{
			"timeouts": timeouts.BlockWithOpts(ctx, timeouts.Opts{
				InvokeDescription: "How long the action may take, such as `30m`. Default: `20m`.",
			}),
		},
	}
}

// ConfigValidators refuses timeouts with which every invocation would fail.
func (a *vmAction) ConfigValidators(context.Context) []action.ConfigValidator {
	return []action.ConfigValidator{tfkit.PositiveTimeouts{}}
}

// ValidateConfig refuses what contradicts itself.
func (a *vmAction) ValidateConfig(ctx context.Context, req action.ValidateConfigRequest, resp *action.ValidateConfigResponse) {
	o := a.order(ctx, req.Config, &resp.Diagnostics)
	if o.validate != nil && !resp.Diagnostics.HasError() {
		o.validate(&resp.Diagnostics)
	}
}

// ModifyPlan validates the order against the service's definitions. Whether the
// machine exists and has the right power is only checked when the action is
// invoked: what comes before it in the same run may change both.
func (a *vmAction) ModifyPlan(ctx context.Context, req action.ModifyPlanRequest, resp *action.ModifyPlanResponse) {
	o := a.order(ctx, req.Config, &resp.Diagnostics)
	if !resp.Diagnostics.HasError() {
		a.data.CheckChoices(ctx, o.choices, &resp.Diagnostics)
	}
}

// Invoke carries out the order.
func (a *vmAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	o := a.order(ctx, req.Config, &resp.Diagnostics)
	timeout := tfkit.Timeout(o.target.Timeouts, "invoke", defaultInvokeTimeout)
	what := fmt.Sprintf("%s virtual machine %s", o.verb, o.target.VirtualMachineID.ValueString())
	if resp.Diagnostics.HasError() || !a.data.RequireReady(what, &resp.Diagnostics) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	o.run(ctx, a.data, progress(ctx, resp.SendProgress), &resp.Diagnostics)
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
