package vm

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
)

// vmAction is an action on one machine that exists. What the actions differ in
// are its fields; how each is carried out is in action_run.go.
type vmAction struct {
	data *tfkit.ProviderData

	name        string // after the resource's: "_power"
	description string
	attributes  map[string]schema.Attribute
	// order reads the configuration, whose values may be unknown except when
	// the action is carried out.
	order func(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) order
}

// target is what the configuration of every action has.
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
			MarkdownDescription: "Numeric id of the machine: `id` of a `cloudserver_vm`.",
			Required:            true,
			Validators:          []validator.String{stringvalidator.RegexMatches(regexp.MustCompile(`^[1-9][0-9]{0,17}$`), "must be a numeric id")},
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

// ValidateConfig refuses what does not fit together.
func (a *vmAction) ValidateConfig(ctx context.Context, req action.ValidateConfigRequest, resp *action.ValidateConfigResponse) {
	o := a.order(ctx, req.Config, &resp.Diagnostics)
	if o.validate != nil && !resp.Diagnostics.HasError() {
		o.validate(&resp.Diagnostics)
	}
}

// ModifyPlan holds the order against what the service offers. Whether the
// machine exists and has the right power is looked at when the action is carried
// out: what comes before it in the same run may change both.
func (a *vmAction) ModifyPlan(ctx context.Context, req action.ModifyPlanRequest, resp *action.ModifyPlanResponse) {
	o := a.order(ctx, req.Config, &resp.Diagnostics)
	if !resp.Diagnostics.HasError() {
		checkChoices(ctx, a.data, o.choices, &resp.Diagnostics)
	}
}

// Invoke carries the order out.
func (a *vmAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	o := a.order(ctx, req.Config, &resp.Diagnostics)
	timeout, d := o.target.Timeouts.Invoke(ctx, defaultInvokeTimeout)
	resp.Diagnostics.Append(d...)
	what := fmt.Sprintf("%s virtual machine %s", o.verb, o.target.VirtualMachineID.ValueString())
	if resp.Diagnostics.HasError() || !a.data.RequireReady(what, &resp.Diagnostics) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	o.run(ctx, a.data, progress(ctx, resp.SendProgress), &resp.Diagnostics)
}

// progress sends what happens to Terraform. A send waits until it is read, which
// after a cancellation may be never.
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
