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
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const (
	firstPause   = 2 * time.Second // between two looks
	longestPause = 30 * time.Second
)

// discAction is an action on a disc.
type discAction struct {
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
	verb     string                  // completes "Cannot … disc"
	validate func(*diag.Diagnostics) // nil: nothing can contradict itself
	do       func(context.Context, task) error
}

// task is a disc to work on.
type task struct {
	client *cloudserver.Client
	ref    cloudserver.Ref
	disc   *cloudserver.Disc
	say    func(string)
}

func (a discAction) action() action.Action {
	attributes := map[string]schema.Attribute{
		"virtual_machine_id": tfkit.RequiredID("ID of the machine that the disc is on: `id` of a `cloudserver_vm`."),
		"disc_id":            tfkit.RequiredID("ID of the disc, such as `cloudserver_vm.web.disc[0].id`."),
	}
	maps.Copy(attributes, a.attributes)
	return &tfkit.Action{
		Name: a.name, Description: a.description, Attributes: attributes, DefaultTimeout: "2h",
		Order: func(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) tfkit.Order {
			o := a.read(ctx, config, diags)
			return tfkit.Order{What: o.what(), Timeouts: o.Timeouts, Validate: o.validate, Do: o.run}
		},
	}
}

func (o order) what() string { return o.verb + " disc " + o.DiscID.ValueString() }

// run finds the disc and carries the order out.
func (o order) run(ctx context.Context, data *tfkit.ProviderData, say func(string), diags *diag.Diagnostics) {
	t, err := begin(ctx, data, o.target)
	if err == nil {
		t.say = say
		err = o.do(ctx, t)
	}
	switch summary := "Cannot " + o.what(); {
	case err == nil:
	case isAmbiguous(err):
		diags.AddError(summary, tfkit.Detail(err, "Look at the disc and its backups (data source cloudserver_backups) before you invoke the action again."))
	case addTargetError(diags, summary, err):
	default:
		tfkit.AddError(diags, summary, err, nil, "Look at the disc and its backups (data source cloudserver_backups), and invoke the action again if necessary.")
	}
}

func begin(ctx context.Context, data *tfkit.ProviderData, on target) (task, error) {
	machine := tfkit.IDOf(on.VirtualMachineID)
	disc, err := discOn(ctx, data, machine, tfkit.IDOf(on.DiscID))
	if err != nil {
		return task{}, err
	}
	ref, err := refTo(ctx, data, machine)
	return task{client: data.Client, ref: ref, disc: disc}, err
}

// until polls until done reports true or an error. It reports each change of the
// state as progress.
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
		_ = cloudserver.Pause(ctx, pause) // the next look reports an interrupt
		pause = min(pause*3/2, longestPause)
	}
}
