package vm

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
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
				Validators:          []validator.String{tfkit.NotEmpty, tfkit.OneLine},
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

// imageChange is what a change of the block reimage means. One rule: the image
// is installed again when distribution or revision changes, as on_change says.
type imageChange struct {
	changed  []string // attributes that ask for a new image
	recorded []string // attributes that only enter the state
	replace  bool     // the machine is replaced
	install  bool     // the image is installed in place
	unknown  bool     // the block, or on_change where it matters, is not known
}

// changeImage compares the blocks of state and plan. A value that is not known
// yet counts as what it may cost, because an update may not become a
// replacement between plan and apply.
func changeImage(state, plan *model, p private) imageChange {
	before, had := blockOf[reimageModel](state.Reimage)
	after, has := blockOf[reimageModel](plan.Reimage)
	var c imageChange
	switch {
	case plan.Reimage.IsUnknown():
		c.unknown = had || p.Blank
		return c
	case !has:
		return c
	case !had && p.Blank:
		c.changed, c.install = []string{"distribution"}, true
		return c
	case !had:
		c.recorded = []string{"distribution"}
		return c
	}
	if !after.Distribution.Equal(before.Distribution) {
		c.changed = append(c.changed, "distribution")
	}
	if !after.Revision.Equal(before.Revision) {
		if before.Revision.IsNull() || after.Revision.IsNull() {
			c.recorded = append(c.recorded, "revision")
		} else {
			c.changed = append(c.changed, "revision")
		}
	}
	if !after.SSHPublicKey.Equal(before.SSHPublicKey) {
		c.recorded = append(c.recorded, "ssh_public_key")
	}
	if len(c.changed) > 0 {
		c.unknown = after.OnChange.IsUnknown()
		c.install = after.OnChange.ValueString() == onChangeReimage
		c.replace = !c.install && !c.unknown
	}
	return c
}

// paths returns what forces the replacement.
func (c imageChange) paths() []path.Path {
	if !c.replace {
		return nil
	}
	return mapped(c.changed, func(name string) path.Path { return path.Root("reimage").AtName(name) })
}

// refuseUnknown asks for the value that decides between keeping and
// replacing the machine.
func (c imageChange) refuseUnknown(state, plan *model, diags *diag.Diagnostics) {
	if !c.unknown {
		return
	}
	at := path.Root("reimage")
	if block, ok := blockOf[reimageModel](plan.Reimage); ok && !block.Distribution.IsUnknown() {
		at = at.AtName("on_change")
	}
	addUnknown(diags, at, "Cannot plan the image of "+state.title(), "It decides whether the machine is kept, reimaged or replaced")
}

// warnNoLogin warns of an image that nobody could log in to, and of a script
// that the service would not run.
func warnNoLogin(config *model, diags *diag.Diagnostics) {
	block, ok := blockOf[reimageModel](config.Reimage)
	if !ok {
		return
	}
	if block.RootPassword.IsNull() && block.SSHPublicKey.IsNull() {
		diags.AddAttributeWarning(path.Root("reimage"), "Nobody can log in to the new image",
			"The block reimage has neither ssh_public_key nor root_password, so the image gets a root password that nobody knows. Set one of the two.")
	}
	if script := block.FirstbootScript; tfkit.Given(script) && !strings.HasPrefix(script.ValueString(), "#!") {
		diags.AddAttributeWarning(path.Root("reimage").AtName("firstboot_script"), "The first boot script has no #! line",
			"The service runs firstboot_script as an executable, so it should begin with a line such as #!/bin/sh. It reads neither cloud-config nor a path: set the contents of a script, with file() where it is in a file.")
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

func (u *update) reimage(ctx context.Context) error {
	if !u.change.image.install {
		return nil
	}
	return u.machine.Reimage(ctx, u.image)
}

// readImage notices that somebody installed another distribution, and fills the
// block of a machine that was just imported. A name that the service merely
// words differently than the configuration is never seen as a change.
func (m *model) readImage(before *model) {
	if before.isImport() && m.Reimage.IsNull() {
		m.Reimage = importedImage(m.LastImagedWith)
		return
	}
	was, is := before.LastImagedWith, m.LastImagedWith
	if is.IsNull() || !tfkit.Given(was) || was.Equal(is) {
		return
	}
	if block, ok := blockOf[reimageModel](m.Reimage); ok {
		block.Distribution = is
		m.Reimage = block.object()
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
