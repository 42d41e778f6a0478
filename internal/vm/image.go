// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// The values of on_change. The first is the default.
const (
	onChangeReplace = "replace"
	onChangeReimage = "reimage"
)

var reimageTypes = typesOf(func() attr.Type { return reimageBlock().Type() })

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
		MarkdownDescription: "Operating system to install.",
		Validators:          []validator.Object{tfkit.Requires{Attribute: "distribution"}},
		Attributes: map[string]schema.Attribute{
			"distribution": schema.StringAttribute{
				MarkdownDescription: "One of `distributions` of `cloudserver_definitions`. Required in this block.",
				Optional:            true,
				Validators:          []validator.String{notEmpty},
			},
			"root_password": schema.StringAttribute{
				MarkdownDescription: "Root password. With a key, none is needed.",
				Optional:            true,
				WriteOnly:           true,
				Validators:          []validator.String{notEmpty, oneLine},
			},
			"ssh_public_key": schema.StringAttribute{
				MarkdownDescription: "Content of `/root/.ssh/authorized_keys` (Linux distributions): several keys " +
					"are one a line.",
				Optional:      true,
				Validators:    []validator.String{tfkit.PublicKeys},
				PlanModifiers: []planmodifier.String{tfkit.KeepSpelling{Same: tfkit.SamePublicKeys}},
			},
			"firstboot_script": schema.StringAttribute{
				MarkdownDescription: "Script that runs at first boot (Linux distributions), with a `#!` line.",
				Optional:            true,
				WriteOnly:           true,
			},
			"revision": schema.StringAttribute{
				MarkdownDescription: "Any text, such as a number or a hash.",
				Optional:            true,
				Validators:          []validator.String{notEmpty},
			},
			"on_change": schema.StringAttribute{
				MarkdownDescription: "`replace` or `reimage`. Default: `replace`.",
				Optional:            true,
				Validators:          []validator.String{stringvalidator.OneOf(onChangeReplace, onChangeReimage)},
			},
		},
	}
}

// oneLine refuses a secret with a line break, such as one at the end of a file: nobody can type it.
var oneLine = tfkit.Text{
	Accepts: "one line: to remove the line break at the end of a file, use trimspace()",
	Summary: "Invalid password", Secret: true,
	Valid: func(text string) bool { return !strings.ContainsAny(text, "\r\n") },
}

// imageChange is what a change of the block reimage means. The rule: if distribution or revision changes in the
// configuration, the image is installed again in the way that on_change specifies.
type imageChange struct {
	changed  []string // attributes that require a new image
	recorded []string // attributes that are only recorded in the state
	replace  bool     // the machine is replaced
	install  bool     // the image is installed in place
	isFirst  bool     // the block is new, and the machine was created without an image
	mayStop  bool     // on_change permits to stop the machine for the image
}

// changeImage compares the blocks of state and plan, whose values are known, except for the key.
func changeImage(state, plan *model, p private) imageChange {
	before, had := blockOf[reimageModel](state.Reimage)
	after, has := blockOf[reimageModel](plan.Reimage)
	inPlace := after.OnChange.ValueString() == onChangeReimage
	var c imageChange
	switch {
	case !has:
		return c
	case !had && p.From == imageless:
		c.install, c.isFirst, c.mayStop = true, true, inPlace
		return c
	case !had:
		c.recorded = []string{"distribution"}
		return c
	}
	if !after.Distribution.Equal(before.Distribution) {
		if p.From == imported { // the configuration says for the first time which one it was
			c.recorded = append(c.recorded, "distribution")
		} else {
			c.changed = append(c.changed, "distribution")
		}
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
		c.install, c.mayStop, c.replace = inPlace, inPlace, !inPlace
	}
	return c
}

// paths returns the attributes that require a replacement.
func (c imageChange) paths() []path.Path {
	if !c.replace {
		return nil
	}
	return mapped(c.changed, path.Root("reimage").AtName)
}

// refuseUnknownImage refuses a value of an existing machine that decides whether its image is installed again, if it is
// known only after apply: it may turn out to be the same, and the machine would have been replaced for it. Where every
// value means the same, nothing is refused.
func (d *decision) refuseUnknownImage() (refused bool) {
	before, had := blockOf[reimageModel](d.state.Reimage)
	block, _ := blockOf[reimageModel](d.plan.Reimage)
	decides := had && d.private.From != imported // otherwise the block is only recorded, or its image is the first one
	isFirst := !had && d.private.From == imageless
	at := path.Root("reimage")
	switch {
	case d.plan.Reimage.IsUnknown() && (decides || isFirst):
	case block.Distribution.IsUnknown() && decides:
		at = at.AtName("distribution")
	case block.Revision.IsUnknown() && !before.Revision.IsNull():
		at = at.AtName("revision")
	case block.OnChange.IsUnknown() && (len(changeImage(&d.state, &d.plan, d.private).changed) > 0 || isFirst):
		at = at.AtName("on_change")
	default:
		return false
	}
	addUnknown(&d.refused, at, "Cannot plan the image of "+d.state.title(),
		"It decides whether the machine is kept, reimaged or replaced. If its image is to stay, "+
			"add lifecycle { ignore_changes = [reimage] }")
	return true
}

// alreadyImaged returns a sentence about an image that the machine may have already, as after an older state was brought
// back: it is the distribution that the service installed last.
func (d *decision) alreadyImaged() string {
	block, _ := blockOf[reimageModel](d.plan.Reimage)
	isLast := tfkit.Given(d.state.LastImagedWith) && block.Distribution.Equal(d.state.LastImagedWith)
	if !isLast || !slices.Contains(d.change.image.changed, "distribution") {
		return ""
	}
	return fmt.Sprintf(" The service installed %s last (last_imaged_with), so the machine may have this image already: "+
		"check that this is not an older state.", block.Distribution)
}

// warnNoLogin warns of an image that perhaps nobody can log in to, and of a script that the service would not run.
func warnNoLogin(config *model, diags *diag.Diagnostics) {
	block, ok := blockOf[reimageModel](config.Reimage)
	if !ok {
		return
	}
	if block.RootPassword.IsNull() && block.SSHPublicKey.IsNull() {
		diags.AddAttributeWarning(path.Root("reimage"), "Nobody can log in to the new image",
			"The block reimage has neither ssh_public_key nor root_password, so the image gets a root password "+
				"that nobody knows. Set one of the two.")
	}
	tfkit.WarnPublicKeys(block.SSHPublicKey, path.Root("reimage").AtName("ssh_public_key"), diags)
	warnScript(block.FirstbootScript, diags)
}

// warnScript warns of a script that the guest would not run.
func warnScript(script types.String, diags *diag.Diagnostics) {
	if !tfkit.Given(script) {
		return
	}
	const runsLater = " After this apply, a corrected script runs only if revision changes from one value to another."
	first, _, _ := strings.Cut(script.ValueString(), "\n")
	var why string
	switch {
	case script.ValueString() == "":
		why = "It is empty. To run none, leave firstboot_script out, or set it to null."
	case strings.HasPrefix(first, "\ufeff#!"):
		why = "A byte order mark stands before #!. Save it as UTF-8 without one, or remove it: " +
			`trimprefix(file("setup.sh"), "\ufeff").` + runsLater
	case !strings.HasPrefix(first, "#!"):
		why = "The service runs firstboot_script as an executable, so its first two characters have to be #!, " +
			"as in #!/bin/sh. " +
			"The service reads neither cloud-config nor a path: set the contents of a script, " +
			"with file() where it is in a file." + runsLater
	case strings.HasSuffix(first, "\r"):
		why = "Its lines end with CR LF, so the guest looks for an interpreter whose name ends with CR. " +
			`Save it with LF, or remove CR: replace(file("setup.sh"), "\r\n", "\n").` + runsLater
	default:
		return
	}
	diags.AddAttributeWarning(path.Root("reimage").AtName("firstboot_script"), "The first boot script will not run",
		why)
}

// warnRecorded explains a plan that shows a change but sends nothing, such as the first one after an import.
func (d *decision) warnRecorded(diags *diag.Diagnostics) {
	var recorded []string
	if image := d.change.image; !image.install && !image.replace {
		recorded = mapped(image.recorded, func(name string) string { return "reimage." + name })
	}
	if d.state.Reimage.IsNull() && len(recorded) > 0 {
		recorded = []string{"reimage"}
	}
	isImport := d.private.From == imported
	if !isImport && slices.Equal(recorded, []string{"reimage.ssh_public_key"}) {
		summary := "The new key waits for the next image"
		if block, _ := blockOf[reimageModel](d.plan.Reimage); block.SSHPublicKey.IsNull() {
			summary = "The removed key stays until the next image"
		}
		diags.AddAttributeWarning(path.Root("reimage").AtName("ssh_public_key"), summary,
			fmt.Sprintf("ssh_public_key is only written to the state: "+
				"%s keeps its present keys until an image is installed, for example because revision changes.",
				d.state.title()))
		return
	}
	if isImport && d.state.Timeouts.IsNull() && !d.plan.Timeouts.IsNull() {
		recorded = append(recorded, "timeouts")
	}
	if isImport && d.state.Ready.IsNull() && !d.plan.Ready.IsNull() {
		recorded = append(recorded, "ready")
	}
	if len(recorded) > 0 {
		at, _, _ := strings.Cut(recorded[0], ".")
		diags.AddAttributeWarning(path.Root(at), "Settings of the machine are only recorded",
			fmt.Sprintf("Settings of %s are only written to the state: %s. No image is installed, and nothing is sent.",
				d.state.title(), strings.Join(recorded, ", "))+d.installAdvice(at == "reimage"))
	}
}

// installAdvice returns how to install an image that is only recorded, or "" if nobody is likely to expect that it is
// installed: after an import somebody may, if the image is what is recorded, and beside a secret that is new.
func (d *decision) installAdvice(isOfImage bool) string {
	before, _ := blockOf[reimageModel](d.state.Reimage)
	after, _ := blockOf[reimageModel](d.plan.Reimage)
	configured, _ := blockOf[reimageModel](d.config.Reimage)
	isNew := before.Revision.IsNull() && !after.Revision.IsNull()
	hasSecret := !configured.RootPassword.IsNull() || !configured.FirstbootScript.IsNull()
	advice := " To install the image, "
	switch {
	case d.private.From == imported && isOfImage && after.Revision.IsNull():
		advice += "add a revision, apply, and change it"
	case d.private.From == imported && isOfImage:
		advice += "change revision after this apply"
	case d.private.From != imported && isNew && hasSecret:
		advice += "change revision once more after this apply"
	default:
		return ""
	}
	if after.OnChange.ValueString() != onChangeReimage {
		return advice + `, with on_change = "reimage": otherwise the machine is replaced.`
	}
	return advice + "."
}

// image returns the image to install: the plan's block, with the write-only values that only the configuration has. What
// else the configuration has is not read, because ignore_changes is not applied to it.
func (m *model) image(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) cloudserver.Reimage {
	var configured types.Object
	diags.Append(config.GetAttribute(ctx, path.Root("reimage"), &configured)...)
	block, _ := blockOf[reimageModel](m.Reimage)
	secret, _ := blockOf[reimageModel](configured)
	return cloudserver.Reimage{
		Distribution:    block.Distribution.ValueString(),
		RootPassword:    secret.RootPassword.ValueString(),
		SSHPublicKey:    block.SSHPublicKey.ValueString(),
		FirstbootScript: secret.FirstbootScript.ValueString(),
	}
}

// importedImage returns the block of a machine that was just imported, as far as the service knows it.
func importedImage(distribution types.String) types.Object {
	if distribution.ValueString() == "" {
		return types.ObjectNull(reimageTypes())
	}
	return objectOf(reimageTypes(), reimageModel{Distribution: distribution})
}
