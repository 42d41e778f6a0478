package vm

import (
	"context"
	"encoding/base64"
	"strings"

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

// The values of on_change.
const (
	onChangeReplace = "replace"
	onChangeReimage = "reimage"
)

var reimageTypes = attributeTypesOf(func() attr.Type { return reimageBlock().Type() })

// reimageModel is the block reimage (API.md §8.3). Write-only values are null except in the configuration.
type reimageModel struct {
	Distribution    types.String `tfsdk:"distribution"`
	RootPassword    types.String `tfsdk:"root_password"`
	SSHPublicKey    types.String `tfsdk:"ssh_public_key"`
	FirstbootScript types.String `tfsdk:"firstboot_script"`
	Revision        types.String `tfsdk:"revision"`
	OnChange        types.String `tfsdk:"on_change"`
}

// reimageBlock does not mark write-only attributes as sensitive: nothing is stored that it could hide, and it would add
// two paths to the state of every machine.
func reimageBlock() schema.SingleNestedBlock {
	return schema.SingleNestedBlock{
		MarkdownDescription: "Operating system to install. " +
			"A `dynamic` block over a value that is known only after apply, and is empty then, " +
			"ends in `inconsistent final plan`: write the block, and make `revision` conditional instead.",
		Attributes: map[string]schema.Attribute{
			"distribution": schema.StringAttribute{
				MarkdownDescription: "One of `distributions` of `cloudserver_definitions`. Required in this block.",
				Optional:            true,
				Validators:          []validator.String{tfkit.NotEmpty},
			},
			"root_password": schema.StringAttribute{
				MarkdownDescription: "Root password. With a key, none is needed.",
				Optional:            true,
				WriteOnly:           true,
				Validators:          []validator.String{tfkit.NotEmpty, tfkit.OneLine},
			},
			"ssh_public_key": schema.StringAttribute{
				MarkdownDescription: "Content of `/root/.ssh/authorized_keys` (Linux distributions): several keys are one a line. " +
					"A changed key reaches the machine with its next image.",
				Optional:      true,
				Validators:    []validator.String{operation.PublicKeys},
				PlanModifiers: []planmodifier.String{tfkit.KeepSpelling{Same: operation.SamePublicKeys}},
			},
			"firstboot_script": schema.StringAttribute{
				MarkdownDescription: "Script that runs at first boot (Linux distributions), beginning with its `#!` line.",
				Optional:            true,
				WriteOnly:           true,
			},
			"revision": schema.StringAttribute{
				MarkdownDescription: "Any text, such as a number or a hash.",
				Optional:            true,
				Validators:          []validator.String{tfkit.NotEmpty},
			},
			"on_change": schema.StringAttribute{
				MarkdownDescription: "`replace` or `reimage`. Default: `replace`.",
				Optional:            true,
				Computed:            true,
				Default:             stringdefault.StaticString(onChangeReplace),
				Validators:          []validator.String{tfkit.OneOf(onChangeReplace, onChangeReimage)},
			},
		},
	}
}

// imageChange is what a change of the block reimage means. The rule: if distribution or revision changes, the image is
// installed again in the way that on_change specifies.
type imageChange struct {
	changed  []string // attributes that require a new image
	recorded []string // attributes that are only recorded in the state
	replace  bool     // the machine is replaced
	install  bool     // the image is installed in place
	unknown  bool     // the block, or on_change where it matters, is unknown
}

// changeImage compares the blocks of state and plan. An unknown value is treated as the worst that it may turn out to
// be, because an update cannot become a replacement between plan and apply.
func changeImage(state, plan *model, p private) imageChange {
	before, had := blockOf[reimageModel](state.Reimage)
	after, has := blockOf[reimageModel](plan.Reimage)
	var c imageChange
	switch {
	case plan.Reimage.IsUnknown():
		c.unknown = had || p.From == imageless
		return c
	case !has:
		return c
	case !had && p.From == imageless:
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

// paths returns the attributes that require a replacement.
func (c imageChange) paths() []path.Path {
	if !c.replace {
		return nil
	}
	return mapped(c.changed, func(name string) path.Path { return path.Root("reimage").AtName(name) })
}

// refuseUnknown reports an error for an unknown value that decides whether the machine is replaced.
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

// warnNoLogin warns of an image that nobody could log in to, and of a script that the service would not run.
func warnNoLogin(config *model, diags *diag.Diagnostics) {
	block, ok := blockOf[reimageModel](config.Reimage)
	if !ok {
		return
	}
	if block.RootPassword.IsNull() && block.SSHPublicKey.IsNull() {
		diags.AddAttributeWarning(path.Root("reimage"), "Nobody can log in to the new image",
			"The block reimage has neither ssh_public_key nor root_password, so the image gets a root password that nobody knows. Set one of the two.")
	}
	if why := scriptMistake(block.FirstbootScript.ValueString()); why != "" && tfkit.Given(block.FirstbootScript) {
		diags.AddAttributeWarning(path.Root("reimage").AtName("firstboot_script"), "The first boot script will not run", why)
	}
}

// scriptMistake returns why the service cannot run a text as a script and how to correct it, or "". It runs the text as
// an executable, so its first two characters have to be #!.
func scriptMistake(script string) string {
	first, _, _ := strings.Cut(script, "\n")
	unmarked := strings.TrimPrefix(script, "\ufeff")
	decoded, notBase64 := base64.StdEncoding.DecodeString(strings.TrimSpace(script))
	switch {
	case strings.HasPrefix(first, "#!") && strings.HasSuffix(first, "\r"):
		return "The first line ends with a carriage return, which becomes a part of the interpreter's name. " +
			"Save the file with Unix line ends, or use replace(file(\"firstboot.sh\"), \"\\r\", \"\")."
	case strings.HasPrefix(first, "#!") && first == script && strings.Contains(first, `\n`):
		return `The script is one line that contains \n as two characters, so everything belongs to the name of the interpreter. ` +
			`Use "\n" in a quoted text or a heredoc for a line break.`
	case strings.HasPrefix(first, "#!"):
		return ""
	case unmarked != script && strings.HasPrefix(unmarked, "#!"):
		return "The script begins with a byte-order mark (U+FEFF), which stands before its #!. " +
			"Save the file without it, or use trimprefix(file(\"firstboot.sh\"), \"\\ufeff\")."
	case strings.TrimSpace(first) == "" && strings.HasPrefix(strings.TrimSpace(script), "#!"):
		return "The first line is empty, and the #! line has to be the first. Remove the empty line, or use trimspace()."
	case strings.HasPrefix(strings.TrimSpace(script), "#!"):
		return "White space stands before the #!. Remove the indentation; in a heredoc, use <<-EOT and indent the #! line like the others, or use trimspace()."
	case notBase64 == nil && strings.HasPrefix(string(decoded), "#!"):
		return "The script is encoded in base64. Set its text, without base64encode()."
	}
	return "It has no #! line: the service runs firstboot_script as an executable, " +
		"so it has to begin with a line such as #!/bin/sh. " +
		"The service reads neither cloud-config nor a path: set the contents of a script, with file() where it is in a file."
}

// image returns the image to install: the plan's block with the configuration's write-only values.
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
	return u.machine.Reimage(ctx, u.image, u.bootDisc())
}

// bootDisc returns the ID of the disc that the plan has named as the one that an image erases, or 0.
func (u *update) bootDisc() int64 {
	if discs := u.state.discs(); len(discs) > 0 {
		return discs[0].numericID()
	}
	return 0
}

// readImage detects that somebody installed another distribution, and fills the block of a machine that was just
// imported. If the service merely spells the name of the configured distribution differently, that is not a change.
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

// importedImage returns the block as far as the service knows it.
func importedImage(distribution types.String) types.Object {
	if distribution.ValueString() == "" {
		return types.ObjectNull(reimageTypes())
	}
	return reimageModel{Distribution: distribution, OnChange: types.StringValue(onChangeReplace)}.object()
}
