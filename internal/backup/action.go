package backup

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// defaultTimeout is how long a backup or a restore may take.
const defaultTimeout = "2h"

// discConfig is what every action on a disc has in its configuration.
type discConfig struct {
	tfkit.Target
	DiscID types.String `tfsdk:"disc_id"`
}

// discAttributes returns the attributes of an action on a disc.
func discAttributes(more map[string]schema.Attribute) map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{"disc_id": tfkit.RequiredID("ID of the disc, such as `cloudserver_vm.web.disc[0].id`.")}
	maps.Copy(attributes, more)
	return attributes
}

// work is a disc to work on.
type work struct {
	client *cloudserver.Client
	ref    cloudserver.Ref
	disc   *cloudserver.Disc
	say    func(string)
}

// order returns the order to find the disc and do something with it. Verb
// completes "Cannot … disc".
func (c discConfig) order(verb string, do func(context.Context, work) error) tfkit.Order {
	what, machine := verb+" disc "+c.DiscID.ValueString(), tfkit.IDOf(c.VirtualMachineID)
	run := func(ctx context.Context, data *tfkit.ProviderData, say func(string), diags *diag.Diagnostics) {
		w := work{client: data.Client, say: say}
		var err error
		if w.disc, err = discOn(ctx, data, machine, tfkit.IDOf(c.DiscID)); err == nil {
			w.ref, _, err = refTo(ctx, data, machine)
		}
		if err == nil {
			err = do(ctx, w)
		}
		if err != nil {
			addActionError(diags, "Cannot "+what, err)
		}
	}
	return tfkit.Order{Target: c.Target, What: what, Do: run}
}

func addActionError(diags *diag.Diagnostics, summary string, err error) {
	switch {
	case isAmbiguous(err), errors.Is(err, errAccepted): // whatever the status, "run it again" is no advice
		diags.AddError(summary, tfkit.Detail(errors.New(err.Error()), "Look at the disc and its backups (data source cloudserver_backups) before you invoke the action again."))
	case addTargetError(diags, summary, err):
	default:
		tfkit.AddError(diags, summary, err, nil, "Look at the disc and its backups (data source cloudserver_backups), and invoke the action again if necessary.")
	}
}

// errAccepted marks what went wrong after the service had accepted what it was asked.
var errAccepted = errors.New("accepted by the service, and not seen to its end")

// until polls until look reports that it is done, or an error. It reports each
// change of the state as progress.
func (w work) until(ctx context.Context, what string, look func(context.Context) (done bool, state string, err error)) error {
	last := ""
	err := cloudserver.Poll(ctx, func(ctx context.Context) (bool, error) {
		done, state, err := look(ctx)
		if err == nil && !done && state != last {
			w.say(state)
			last = state
		}
		return done, err
	})
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s is not finished (%s), and goes on without Terraform: %w", what, last, ctx.Err())
	}
	return fmt.Errorf("%s was %w: %w", what, errAccepted, err)
}
