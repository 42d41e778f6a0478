package vm

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// What on_change can be.
const (
	onChangeReplace = "replace"
	onChangeReimage = "reimage"
)

var reimageTypes = attributeTypesOf(func() attr.Type { return reimageBlock().Type() })

// reimageModel is the block reimage (API.md §8.3). The write-only values are
// null everywhere but in the configuration.
type reimageModel struct {
	Distribution    types.String `tfsdk:"distribution"`
	RootPassword    types.String `tfsdk:"root_password"`
	SSHPublicKey    types.String `tfsdk:"ssh_public_key"`
	FirstbootScript types.String `tfsdk:"firstboot_script"`
	Revision        types.String `tfsdk:"revision"`
	OnChange        types.String `tfsdk:"on_change"`
}

// reimageBlock leaves Sensitive off the write-only attributes: nothing of them
// is kept that it could hide, but it would put two paths into the state with
// every machine.
func reimageBlock() schema.SingleNestedBlock {
	return schema.SingleNestedBlock{
		MarkdownDescription: "Operating system to install. The image is installed again when `distribution` or `revision` changes, in the way that `on_change` selects, and never otherwise.",
		Attributes: map[string]schema.Attribute{
			"distribution": schema.StringAttribute{
				MarkdownDescription: "Operating system: one of `distributions` of the data source `cloudserver_definitions`. Required in this block.",
				Optional:            true,
				Validators:          []validator.String{tfkit.NotEmpty},
			},
			"root_password": schema.StringAttribute{
				MarkdownDescription: "Root password, which is never in the state or the plan. Without it, an image that is installed in place gets a random password that nobody knows.",
				Optional:            true,
				WriteOnly:           true,
				Validators:          []validator.String{tfkit.NotEmpty},
			},
			"ssh_public_key": schema.StringAttribute{
				MarkdownDescription: "Contents of `/root/.ssh/authorized_keys` (Linux distributions). A changed key reaches the machine with its next image.",
				Optional:            true,
				Validators:          []validator.String{operation.PublicKeys},
				PlanModifiers:       []planmodifier.String{tfkit.KeepSpelling{Same: operation.SamePublicKeys}},
			},
			"firstboot_script": schema.StringAttribute{
				MarkdownDescription: "Script that runs at first boot (Linux distributions), beginning with its `#!` line.",
				Optional:            true,
				WriteOnly:           true,
			},
			"revision": schema.StringAttribute{
				MarkdownDescription: "Any text, such as a number or a hash. Changing it from one value to another installs the image again.",
				Optional:            true,
				Validators:          []validator.String{tfkit.NotEmpty},
			},
			"on_change": schema.StringAttribute{
				MarkdownDescription: "How the image is installed again: `replace` replaces the machine, `reimage` reimages the same machine. Default: `replace`.",
				Optional:            true,
				Computed:            true,
				Default:             stringdefault.StaticString(onChangeReplace),
				Validators:          []validator.String{stringvalidator.OneOf(onChangeReplace, onChangeReimage)},
			},
		},
	}
}

// image returns what is to be installed: the plan's block, with the write-only
// values of the configuration.
func (m *model) image(config model) cloudserver.Reimage {
	block, _ := blockOf[reimageModel](m.Reimage)
	secret, _ := blockOf[reimageModel](config.Reimage)
	return cloudserver.Reimage{
		Distribution:    block.Distribution.ValueString(),
		RootPassword:    secret.RootPassword.ValueString(),
		SSHPublicKey:    block.SSHPublicKey.ValueString(),
		FirstbootScript: secret.FirstbootScript.ValueString(),
	}
}

func (m reimageModel) object() types.Object {
	m.RootPassword, m.FirstbootScript = types.StringNull(), types.StringNull()
	return tfkit.Object(reimageTypes(), m)
}

// importedImage returns the block as far as the service knows it of a machine
// that it did not create here.
func importedImage(distribution types.String) types.Object {
	if distribution.ValueString() == "" {
		return types.ObjectNull(reimageTypes())
	}
	return reimageModel{Distribution: distribution, OnChange: types.StringValue(onChangeReplace)}.object()
}
