package vmaction

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// NewReimage returns the action cloudserver_vm_reimage (API.md §3,
// reimage).
func NewReimage() action.Action {
	return &tfkit.Action[reimageConfig]{
		Name: "_vm_reimage", DefaultTimeout: defaultTimeout, Order: reimageConfig.order,
		Description: "Installs an operating system on a virtual machine, and waits until it is on again: **everything on its boot disc is lost**. It keeps its ID, its addresses and its other discs.",
		Attributes:  reimageAttributes(),
	}
}

func reimageAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"distribution": schema.StringAttribute{
			MarkdownDescription: "Operating system: one of `distributions` of the data source `cloudserver_definitions`.",
			Required:            true,
			Validators:          []validator.String{tfkit.NotEmpty},
		},
		"ssh_public_key": schema.StringAttribute{
			MarkdownDescription: "Contents of `/root/.ssh/authorized_keys` (Linux distributions). Without it, nobody can log in to the new image.",
			Optional:            true,
			Validators:          []validator.String{tfkit.PublicKey},
		},
		"allow_stopping": schema.BoolAttribute{
			MarkdownDescription: "Whether a machine that is on may be stopped. Default: `false`.",
			Optional:            true,
		},
		"shutdown_timeout": shutdownTimeoutAttribute(),
	}
}

type reimageConfig struct {
	tfkit.Target
	Distribution    types.String `tfsdk:"distribution"`
	SSHPublicKey    types.String `tfsdk:"ssh_public_key"`
	AllowStopping   types.Bool   `tfsdk:"allow_stopping"`
	ShutdownTimeout types.String `tfsdk:"shutdown_timeout"`
}

func (c reimageConfig) order() tfkit.Order {
	return work{
		Target: c.Target, verb: "reimage", restarts: true, shutdown: c.ShutdownTimeout,
		validate: c.validate, choices: c.choices(), refuse: c.refuse, do: c.install, verify: c.verify, blame: c.blame,
	}.order()
}

func (c reimageConfig) validate(diags *diag.Diagnostics) {
	if c.SSHPublicKey.IsNull() {
		diags.AddAttributeWarning(path.Root("ssh_public_key"), "Nobody can log in to the new image",
			"The action has no ssh_public_key, and the image gets a root password that nobody knows. Set ssh_public_key.")
	}
}

func (c reimageConfig) choices() []tfkit.Choice {
	if !tfkit.Given(c.Distribution) {
		return nil
	}
	return []tfkit.Choice{{At: path.Root("distribution"), Value: c.Distribution.ValueString(), Offer: tfkit.Distribution}}
}

func (c reimageConfig) refuse(vm *cloudserver.VirtualMachine) string {
	if vm.IsOff() || c.AllowStopping.ValueBool() {
		return ""
	}
	return "The machine is on, and the service reimages only a machine that is off. Set allow_stopping = true to have it stopped, or stop it first."
}

func (c reimageConfig) install(ctx context.Context, o *operation.Machine) error {
	if err := o.Stop(ctx); err != nil {
		return err
	}
	err := o.Reimage(ctx, cloudserver.Reimage{
		Distribution: c.Distribution.ValueString(),
		SSHPublicKey: c.SSHPublicKey.ValueString(),
	})
	if err != nil {
		return err
	}
	return o.SetPower(ctx, true, o.WasAutoreboot)
}

// verify does not insist on the name: the service may word it differently.
func (c reimageConfig) verify(before, after *cloudserver.VirtualMachine) string {
	wanted := c.Distribution.ValueString()
	was, is := before.LastImagedWith, after.LastImagedWith
	if was != nil && is != nil && *was != wanted && *is == *was {
		return fmt.Sprintf("The machine is on, but the service still reports that it was last imaged with %q, not with %q.", *is, wanted)
	}
	return stays(after, true)
}

func (c reimageConfig) blame(problem cloudserver.Problem) (path.Path, bool) {
	name := problem.Attribute
	if name == "reimage" {
		name = problem.Field
	}
	switch name {
	case "distribution", "ssh_public_key":
		return path.Root(name), true
	}
	return path.Empty(), false
}
