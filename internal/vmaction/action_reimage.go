package vmaction

import (
	"context"

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
		Attributes: map[string]schema.Attribute{
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
			"allow_stopping":   allowStoppingAttribute("a machine that is on may be stopped"),
			"shutdown_timeout": shutdownTimeoutAttribute(),
		},
	}
}

func allowStoppingAttribute(what string) schema.BoolAttribute {
	return schema.BoolAttribute{MarkdownDescription: "Whether " + what + ". Default: `false`.", Optional: true}
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
		validate: c.validate, do: c.install,
		choices: choices("distribution", tfkit.Distribution, c.Distribution.ValueString()),
		blame:   blame(map[string]string{"distribution": "distribution", "ssh_public_key": "ssh_public_key"}),
		refuse: func(vm *cloudserver.VirtualMachine) string {
			return refuseOn(vm, c.AllowStopping, "reimages only a machine that is off")
		},
	}.order()
}

func (c reimageConfig) validate(diags *diag.Diagnostics) {
	if c.SSHPublicKey.IsNull() {
		diags.AddAttributeWarning(path.Root("ssh_public_key"), "Nobody can log in to the new image",
			"The action has no ssh_public_key, and the image gets a root password that nobody knows. Set ssh_public_key.")
	}
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
