package backup

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/action/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const (
	defaultTimeout = 2 * time.Hour
	firstPause     = 2 * time.Second // between two looks
	longestPause   = 30 * time.Second
)

var (
	_ action.ActionWithConfigure        = (*discAction)(nil)
	_ action.ActionWithConfigValidators = (*discAction)(nil)
	_ action.ActionWithValidateConfig   = (*discAction)(nil)
)

// discAction is an action on a disc.
type discAction struct {
	data *tfkit.ProviderData

	name        string // after the provider's: "_disc_backup"
	description string
	attributes  map[string]schema.Attribute
	// read reads the configuration.
	read func(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) order
}

// target is what every action on a disc has in its configuration.
type target struct {
	VirtualMachineID types.String   `tfsdk:"virtual_machine_id"`
	DiscID           types.String   `tfsdk:"disc_id"`
	Timeouts         timeouts.Value `tfsdk:"timeouts"`
}

// order is what the configuration of an action asks of a disc.
type order struct {
	target
	verb     string // completes "Cannot … disc"
	validate func(*diag.Diagnostics)
	do       func(context.Context, task) error
}

// task is a disc to work on.
type task struct {
	client *cloudserver.Client
	ref    cloudserver.Ref
	disc   *cloudserver.Disc
	say    func(string)
}

func (a *discAction) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + a.name
}

func (a *discAction) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	tfkit.Configure(req.ProviderData, &a.data, &resp.Diagnostics)
}

func (a *discAction) Schema(ctx context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	attributes := map[string]schema.Attribute{
		"virtual_machine_id": requiredID("ID of the machine that the disc is on: `id` of a `cloudserver_vm`."),
		"disc_id":            requiredID("ID of the disc, such as `cloudserver_vm.web.disc[0].id`."),
	}
	maps.Copy(attributes, a.attributes)
	resp.Schema = schema.Schema{
		MarkdownDescription: a.description,
		Attributes:          attributes,
		Blocks: map[string]schema.Block{
			"timeouts": timeouts.BlockWithOpts(ctx, timeouts.Opts{
				InvokeDescription: "How long the action may take, such as `30m`. Default: `2h`.",
			}),
		},
	}
}

func requiredID(description string) schema.StringAttribute {
	return schema.StringAttribute{MarkdownDescription: description, Required: true, Validators: []validator.String{numericID()}}
}

// ConfigValidators refuses timeouts with which every invocation would fail.
func (a *discAction) ConfigValidators(context.Context) []action.ConfigValidator {
	return []action.ConfigValidator{tfkit.PositiveTimeouts{}}
}

// ValidateConfig refuses what must not be invoked.
func (a *discAction) ValidateConfig(ctx context.Context, req action.ValidateConfigRequest, resp *action.ValidateConfigResponse) {
	if o := a.read(ctx, req.Config, &resp.Diagnostics); !resp.Diagnostics.HasError() {
		o.validate(&resp.Diagnostics)
	}
}

// Invoke finds the disc and carries the order out.
func (a *discAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	o := a.read(ctx, req.Config, &resp.Diagnostics)
	if !resp.Diagnostics.HasError() {
		o.validate(&resp.Diagnostics)
	}
	what := fmt.Sprintf("%s disc %s", o.verb, o.DiscID.ValueString())
	if resp.Diagnostics.HasError() || !a.data.RequireReady(what, &resp.Diagnostics) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, tfkit.Timeout(o.Timeouts, "invoke", defaultTimeout))
	defer cancel()
	t, err := a.begin(ctx, o)
	if err == nil {
		t.say = func(message string) { resp.SendProgress(action.InvokeProgressEvent{Message: message}) }
		err = o.do(ctx, t)
	}
	switch summary := "Cannot " + what; {
	case err == nil:
	case isAmbiguous(err):
		resp.Diagnostics.AddError(summary, tfkit.Detail(err, "Look at the disc and its backups (data source cloudserver_backups) before you invoke the action again."))
	case addTargetError(&resp.Diagnostics, summary, err):
	default:
		tfkit.AddError(&resp.Diagnostics, summary, err, nil, "Look at the disc and its backups (data source cloudserver_backups), and invoke the action again if necessary.")
	}
}

func (a *discAction) begin(ctx context.Context, o order) (task, error) {
	machine := tfkit.IDOf(o.VirtualMachineID)
	disc, err := discOn(ctx, a.data, machine, tfkit.IDOf(o.DiscID))
	if err != nil {
		return task{}, err
	}
	ref, err := refTo(ctx, a.data, machine)
	return task{client: a.data.Client, ref: ref, disc: disc}, err
}

// until looks again and again until done reports true or an error. What is told in
// between is shown when it changes.
func (t task) until(ctx context.Context, what string, look func(context.Context) (done bool, state string, err error)) error {
	last, pause := "", firstPause
	for {
		done, state, err := look(ctx)
		if ctx.Err() != nil {
			return fmt.Errorf("%s is not finished (%s), and goes on without Terraform: %w", what, last, ctx.Err())
		}
		if err != nil || done {
			return err
		}
		if state != last {
			t.say(state)
			last = state
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
		case <-timer.C:
		}
		pause = min(pause*3/2, longestPause)
	}
}
