// SPDX-License-Identifier: MPL-2.0

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
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// NewReimage returns the action cloudserver_vm_reimage (API.md §3, reimage).
func NewReimage() action.Action {
	return &machineAction[reimageConfig]{
		name: "_vm_reimage", timeout: defaultTimeout, task: reimageConfig.task,
		description: "Installs an operating system on a virtual machine, and waits until it is on again. " +
			"**Everything on its boot disc is lost.** It keeps its ID, addresses and other discs.",
		attributes: withShutdown(map[string]schema.Attribute{
			"distribution": schema.StringAttribute{
				MarkdownDescription: "One of `distributions` of `cloudserver_definitions`.",
				Required:            true,
				Validators:          []validator.String{tfkit.NotEmpty},
			},
			"ssh_public_key": schema.StringAttribute{
				MarkdownDescription: "Content of `/root/.ssh/authorized_keys`: several keys are one a line. Without it, nobody can log in.",
				Optional:            true,
				Validators:          []validator.String{tfkit.PublicKeys},
			},
			"allow_stopping": allowStoppingAttribute("a machine that is on may be stopped"),
		}),
	}
}

type imageSecretsKey struct{}

// WithImageSecrets returns a context in which cloudserver_vm_reimage sends a root password and a script as well. They are
// not arguments of the action, because a saved plan has those in clear.
func WithImageSecrets(ctx context.Context, rootPassword, firstbootScript string) context.Context {
	secret := cloudserver.Reimage{RootPassword: rootPassword, FirstbootScript: firstbootScript}
	return context.WithValue(ctx, imageSecretsKey{}, secret)
}

// imageSecrets returns an image with the secrets of the context alone.
func imageSecrets(ctx context.Context) cloudserver.Reimage {
	secret, _ := ctx.Value(imageSecretsKey{}).(cloudserver.Reimage)
	return secret
}

type reimageConfig struct {
	target
	shutdown

	Distribution  types.String `tfsdk:"distribution"`
	SSHPublicKey  types.String `tfsdk:"ssh_public_key"`
	AllowStopping types.Bool   `tfsdk:"allow_stopping"`
}

func (c reimageConfig) task() *task {
	return &task{
		target: c.target, what: "reimage virtual machine " + c.VirtualMachineID.ValueString(),
		restarts: true, shutdown: c.toMachine(), validate: c.validate,
		choices: choices("distribution", tfkit.Distribution, c.Distribution.ValueString()),
		refuse:  c.refuse, do: []part{stop, c.install, startAgain},
		blame: map[string]string{"distribution": "distribution", "ssh_public_key": "ssh_public_key"},
	}
}

func (c reimageConfig) validate(ctx context.Context, diags *diag.Diagnostics) {
	if c.SSHPublicKey.IsNull() && imageSecrets(ctx).RootPassword == "" {
		diags.AddAttributeWarning(path.Root("ssh_public_key"), "Nobody can log in to the new image",
			"The action has no ssh_public_key, and the image gets a root password that nobody knows. Set ssh_public_key.")
	}
	tfkit.WarnPublicKeys(c.SSHPublicKey, path.Root("ssh_public_key"), diags)
}

func (c reimageConfig) refuse(vm *cloudserver.VirtualMachine, _ *cloudserver.Disc) string {
	return refuseOn(vm, c.AllowStopping, "reimages only a machine that is off")
}

func (c reimageConfig) install(ctx context.Context, t *task) error {
	image := imageSecrets(ctx)
	image.Distribution, image.SSHPublicKey = c.Distribution.ValueString(), c.SSHPublicKey.ValueString()
	return t.Reimage(cloudserver.WithSecrets(ctx, image.Secrets()...), image)
}
