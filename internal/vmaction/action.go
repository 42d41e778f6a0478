package vmaction

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/action/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// target is what every action has in its configuration.
type target struct {
	VirtualMachineID types.String   `tfsdk:"virtual_machine_id"`
	Timeouts         timeouts.Value `tfsdk:"timeouts"`
}

// vmAction is an action on one existing machine: its own attributes, and how its
// configuration is read. action_order.go carries each of them out.
type vmAction struct {
	name        string // after the resource's: "_power"
	description string
	attributes  map[string]schema.Attribute
	order       func(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) order
}

func (a vmAction) action() action.Action {
	attributes := map[string]schema.Attribute{"virtual_machine_id": tfkit.RequiredID("ID of the machine: `id` of a `cloudserver_vm`.")}
	maps.Copy(attributes, a.attributes)
	return &tfkit.Action{
		Name: "_vm" + a.name, Description: a.description, Attributes: attributes, DefaultTimeout: "20m",
		Order: func(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) tfkit.Order {
			o := a.order(ctx, config, diags)
			return tfkit.Order{What: o.what(), Timeouts: o.Timeouts, Validate: o.validate, Choices: o.choices, Do: o.run}
		},
	}
}
