package vm

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/objectvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var reimageAttrTypes = map[string]attr.Type{
	"distribution":                types.StringType,
	"root_password":               types.StringType,
	"root_password_wo":            types.StringType,
	"root_password_wo_version":    types.Int64Type,
	"ssh_public_key":              types.StringType,
	"firstboot_script":            types.StringType,
	"firstboot_script_wo":         types.StringType,
	"firstboot_script_wo_version": types.Int64Type,
	"in_place":                    types.BoolType,
}

// reimageModel is the block reimage (service.md §2.3).
type reimageModel struct {
	Distribution             types.String `tfsdk:"distribution"`
	RootPassword             types.String `tfsdk:"root_password"`
	RootPasswordWO           types.String `tfsdk:"root_password_wo"`
	RootPasswordWOVersion    types.Int64  `tfsdk:"root_password_wo_version"`
	SSHPublicKey             types.String `tfsdk:"ssh_public_key"`
	FirstbootScript          types.String `tfsdk:"firstboot_script"`
	FirstbootScriptWO        types.String `tfsdk:"firstboot_script_wo"`
	FirstbootScriptWOVersion types.Int64  `tfsdk:"firstboot_script_wo_version"`
	InPlace                  types.Bool   `tfsdk:"in_place"`
}

// reimageBlock leaves write-only attributes without Sensitive: nothing of them
// is ever kept or shown that it could hide, but the state would name each one
// with every machine, and the CLI writes the whole state after every change.
func reimageBlock() schema.SingleNestedBlock {
	sibling := func(name string) path.Expression { return path.MatchRelative().AtParent().AtName(name) }
	return schema.SingleNestedBlock{
		MarkdownDescription: "Operating system to install. Any change after creation replaces the machine, or with `in_place = true` reimages it: it keeps its id, addresses and other discs, and its boot disc is erased. " +
			"Adding the block to a machine that was imported or created without it, and removing the block, change nothing but the state.",
		Validators: []validator.Object{objectvalidator.AlsoRequires(path.MatchRelative().AtName("distribution"))},
		Attributes: map[string]schema.Attribute{
			"distribution": schema.StringAttribute{
				MarkdownDescription: "Operating system; see `distributions` of the data source `cloudserver_definitions`. Required in this block.",
				Optional:            true,
				Validators:          []validator.String{tfkit.NotEmpty{}},
			},
			"root_password": schema.StringAttribute{
				MarkdownDescription: "Root password. It is stored in the state: prefer `root_password_wo`, which is stored nowhere.",
				Optional:            true,
				Sensitive:           true,
				Validators: []validator.String{
					tfkit.NotEmpty{},
					stringvalidator.ConflictsWith(sibling("root_password_wo"), sibling("root_password_wo_version")),
				},
			},
			"root_password_wo": schema.StringAttribute{
				MarkdownDescription: "Root password that is sent to the service and kept nowhere: not in the state, the plan or a log. It needs `root_password_wo_version`.",
				Optional:            true,
				WriteOnly:           true,
				Validators: []validator.String{
					tfkit.NotEmpty{},
					stringvalidator.AlsoRequires(sibling("root_password_wo_version")),
				},
			},
			"root_password_wo_version": schema.Int64Attribute{
				MarkdownDescription: "Version of `root_password_wo`. Terraform cannot see that a write-only value has changed: raise the version to reimage with a new password.",
				Optional:            true,
				Validators:          []validator.Int64{int64validator.AlsoRequires(sibling("root_password_wo"))},
			},
			"ssh_public_key": schema.StringAttribute{
				MarkdownDescription: "Becomes `/root/.ssh/authorized_keys` (Linux distributions). Blanks around it are no difference.",
				Optional:            true,
				Validators:          []validator.String{publicKey{}},
			},
			"firstboot_script": schema.StringAttribute{
				MarkdownDescription: "Whole executable script that runs at first boot (Linux distributions), with its `#!` line. It is stored in the state and not shown in plans; for one that holds secrets use `firstboot_script_wo`.",
				Optional:            true,
				Sensitive:           true,
				Validators: []validator.String{
					stringvalidator.ConflictsWith(sibling("firstboot_script_wo"), sibling("firstboot_script_wo_version")),
				},
			},
			"firstboot_script_wo": schema.StringAttribute{
				MarkdownDescription: "Like `firstboot_script`, and kept nowhere. It needs `firstboot_script_wo_version`.",
				Optional:            true,
				WriteOnly:           true,
				Validators: []validator.String{
					stringvalidator.AlsoRequires(sibling("firstboot_script_wo_version")),
				},
			},
			"firstboot_script_wo_version": schema.Int64Attribute{
				MarkdownDescription: "Version of `firstboot_script_wo`: raise it to reimage with a new script.",
				Optional:            true,
				Validators:          []validator.Int64{int64validator.AlsoRequires(sibling("firstboot_script_wo"))},
			},
			"in_place": schema.BoolAttribute{
				MarkdownDescription: "Whether a change of this block reimages the same machine instead of replacing it. The boot disc is erased either way. Default: `false`.",
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(false),
			},
		},
	}
}

// reimageFrom reads the block. There is none while ok is false.
func reimageFrom(ctx context.Context, object types.Object, diags *diag.Diagnostics) (m reimageModel, ok bool) {
	if !tfkit.Given(object) {
		return m, false
	}
	d := object.As(ctx, &m, basetypes.ObjectAsOptions{})
	diags.Append(d...)
	return m, !d.HasError() // diags may hold the error of a failed update
}

// toAPI gives what is sent. The model must be the configuration's: a plan has
// lost the write-only values.
func (m reimageModel) toAPI() cloudserver.Reimage {
	return cloudserver.Reimage{
		Distribution:    m.Distribution.ValueString(),
		RootPassword:    m.RootPassword.ValueString() + m.RootPasswordWO.ValueString(),
		SSHPublicKey:    m.SSHPublicKey.ValueString(),
		FirstbootScript: m.FirstbootScript.ValueString() + m.FirstbootScriptWO.ValueString(),
	}
}

// reimageTold is the block as far as the service can tell it of a machine that
// was imported: the distribution (api.md §3, last_imaged_with).
func reimageTold(distribution *string) types.Object {
	if distribution == nil || *distribution == "" {
		return types.ObjectNull(reimageAttrTypes)
	}
	return types.ObjectValueMust(reimageAttrTypes, map[string]attr.Value{
		"distribution":                types.StringValue(*distribution),
		"root_password":               types.StringNull(),
		"root_password_wo":            types.StringNull(),
		"root_password_wo_version":    types.Int64Null(),
		"ssh_public_key":              types.StringNull(),
		"firstboot_script":            types.StringNull(),
		"firstboot_script_wo":         types.StringNull(),
		"firstboot_script_wo_version": types.Int64Null(),
		"in_place":                    types.BoolValue(false),
	})
}

// reimageAttributes lists what a change of which asks for a new image, in the
// order of the documentation.
func reimageAttributes(m reimageModel) []reimageAttribute {
	return []reimageAttribute{
		{"distribution", m.Distribution},
		{"root_password", m.RootPassword},
		{"root_password_wo_version", m.RootPasswordWOVersion},
		{"ssh_public_key", trimmed(m.SSHPublicKey)},
		{"firstboot_script", m.FirstbootScript},
		{"firstboot_script_wo_version", m.FirstbootScriptWOVersion},
	}
}

// trimmed leaves out blanks around a key: a file's last line break is no other
// key.
func trimmed(key types.String) types.String {
	if !tfkit.Given(key) {
		return key
	}
	return types.StringValue(strings.TrimSpace(key.ValueString()))
}

type reimageAttribute struct {
	name  string
	value attr.Value
}

// reimageChange is what a change of the block means.
type reimageChange struct {
	changed  []string // attributes that ask for a new image
	recorded []string // attributes that only enter the state
	inPlace  bool

	noPassword bool // the configuration gives none, which a reimage needs (api.md §3)
}

// changeReimage compares the block in the state, if there was one, with the
// configuration. Adopted is true for a machine that was imported, or moved from
// another provider: what its state has not got may well be what the machine was
// made with, and what the configuration has not got may be another provider's
// making, so the configuration is recorded and nothing is done. The same secret
// moved to its write-only twin is recorded too.
func changeReimage(state, config reimageModel, had, adopted bool) reimageChange {
	change := reimageChange{
		inPlace:    config.InPlace.ValueBool(),
		noPassword: config.RootPassword.IsNull() && config.RootPasswordWO.IsNull(),
	}
	if sameSecret(state.RootPassword, config.RootPasswordWO) {
		state.RootPassword, state.RootPasswordWOVersion = types.StringNull(), config.RootPasswordWOVersion
		change.recorded = append(change.recorded, "root_password_wo_version")
	}
	if sameSecret(state.FirstbootScript, config.FirstbootScriptWO) {
		state.FirstbootScript, state.FirstbootScriptWOVersion = types.StringNull(), config.FirstbootScriptWOVersion
		change.recorded = append(change.recorded, "firstboot_script_wo_version")
	}
	was := reimageAttributes(state)
	for i, now := range reimageAttributes(config) {
		switch {
		case now.value.Equal(was[i].value):
		case !had || adopted && (was[i].value.IsNull() || now.value.IsNull()):
			change.recorded = append(change.recorded, now.name)
		default:
			change.changed = append(change.changed, now.name)
		}
	}
	return change
}

func sameSecret(state, config types.String) bool {
	return tfkit.Given(state) && tfkit.Given(config) && state.ValueString() == config.ValueString()
}
