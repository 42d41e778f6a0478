// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"context"
	"net/url"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/machine"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var (
	_ resource.ResourceWithConfigure      = (*vmResource)(nil)
	_ resource.ResourceWithIdentity       = (*vmResource)(nil)
	_ resource.ResourceWithImportState    = (*vmResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*vmResource)(nil)
	_ resource.ResourceWithValidateConfig = (*vmResource)(nil)
	_ tfkit.ArgumentChooser               = (*vmResource)(nil)
)

type vmResource struct {
	tfkit.Resource
}

func newResource() vmResource {
	return vmResource{tfkit.Resource{Name: "_vm", Identity: map[string]string{"id": "ID of the virtual machine."}}}
}

// NewResource returns the resource cloudserver_vm.
func NewResource() resource.Resource { return new(newResource()) }

// Schema returns the schema of the resource. It has no defaults, so that an import has none to record: null means the
// documented default.
func (r *vmResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Manages a virtual machine with its discs and its operating system.",
		Attributes:          attributes(),
		Blocks: map[string]schema.Block{
			"disc":     discBlock(),
			"reimage":  reimageBlock(),
			"ips":      ipsBlock(),
			"ready":    readyBlock(),
			"timeouts": timeoutsBlock(),
		},
	}
}

// The default timeouts of operations.
const (
	defaultTimeout       = 20 * time.Minute // of creates and updates
	defaultDeleteTimeout = 10 * time.Minute
)

// timeoutsBlock is the library's block with another validator: the library accepts durations that are not positive,
// with which every operation would fail.
func timeoutsBlock() schema.SingleNestedBlock {
	attributes, types := map[string]schema.Attribute{}, map[string]attr.Type{}
	for name, description := range map[string]string{
		"create": "How long to wait until a new machine is on, such as `30m`. Default: `20m`.",
		"update": "How long an update may take. Default: `20m`.",
		"delete": "How long a delete may take. Default: `10m`.",
	} {
		attributes[name] = schema.StringAttribute{
			MarkdownDescription: description, Optional: true, Validators: []validator.String{tfkit.PositiveDuration},
		}
		types[name] = basetypes.StringType{}
	}
	return schema.SingleNestedBlock{
		CustomType:          timeouts.Type{ObjectType: basetypes.ObjectType{AttrTypes: types}},
		MarkdownDescription: "Timeouts of operations.",
		Attributes:          attributes,
	}
}

// attributes returns the machine's attributes: its location, its specification, what the service reports, and how the
// provider treats it.
func attributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id": computedString("ID of the machine."),
		"account": optionalComputedString("Account of the machine. Default: the provider's `account`.",
			tfkit.PathName),
		"group": optionalComputedString("Name of its group, such as `cloudserver_group.web.name`. "+
			"Default at creation: the provider's `group`, or `default`.",
			tfkit.PathName),
		"group_id":   computedString("ID of its group."),
		"account_id": computedString("ID of its account."),
		"name": schema.StringAttribute{
			MarkdownDescription: "Name, unique in its group, including soft-deleted machines. " +
				"It usually has 3 to 63 lower-case letters, digits and dashes. Digits alone are refused.",
			Required:   true,
			Validators: []validator.String{tfkit.PathName},
		},

		"cores": optionalComputedInt64("Number of CPU cores. Without it, the service chooses.",
			int64validator.AtLeast(1)),
		"memory": optionalComputedInt64("Memory in megabytes. Without it, the service chooses.", atLeastOneMegabyte),
		"hardware_profile": optionalComputedString("Hardware profile, such as `virtio2013`. "+
			"The service upgrades `virtio` profiles at a restart, unless `hardware_profile_locked`.",
			notEmpty),
		"hardware_profile_locked": optionalComputedBool("Whether the service must not upgrade the hardware profile."),
		"autoreboot_on": optionalComputedBool("Whether the service starts the machine whenever it is off. " +
			"Default: the value of `power_on` at creation."),
		"power_on": optionalComputedBool("Whether the machine is on. " +
			"Without it, a new machine is started and later left alone."),
		"keymap": optionalComputedString("Keyboard mapping: one of `keymaps` of `cloudserver_definitions`.", notEmpty),
		"cdrom_url": schema.StringAttribute{
			MarkdownDescription: "URL of an ISO image for the CD drive. Removing it ejects the image.",
			Optional:            true,
			Validators:          []validator.String{imageURL},
		},
		"zone_name": optionalComputedString("Zone of the machine and its discs. Without it, the service chooses.",
			notEmpty),

		"effective_hardware_profile": computedString("Profile in use, after upgrades by the service."),
		"disc_ids": schema.MapAttribute{
			MarkdownDescription: "IDs of the discs by label, such as `cloudserver_vm.db.disc_ids[\"data\"]`. " +
				"`for_each` accepts it: its keys are known at plan.",
			ElementType: types.StringType, Computed: true,
		},
		"pending": computedString("What an update left for the next one: `power` (it has stopped the machine, and could not " +
			"restore its power), `ready` (the machine was not ready in time), or null."),
		"last_change": schema.ObjectAttribute{
			MarkdownDescription: "What the last update has cost: what it stopped the machine for (`stops`), why it erased a disc " +
				"(`erases`, by label), and which discs it purged (`purges`). Null if nothing, and after a creation.",
			AttributeTypes: lastChangeTypes, Computed: true,
		},
		"last_imaged_with":   computedString("Distribution that the service installed last, or null."),
		"hostname":           computedString("Full hostname: `<name>.<group>.<account>.<cluster-domain>`."),
		"management_address": computedString("IP address for management."),
		"ipv4_address":       computedString("First IPv4 address, or null."),
		"ipv6_address":       computedString("First IPv6 address, or null."),

		"allow_stopping_for_update": optionalBool("Whether an update may restart the machine. Default: `false`."),
		"shutdown_timeout": optionalString("How long a graceful stop may take, "+
			"at most half of what is left of the operation's timeout. Default: `2m`.", tfkit.PositiveDuration),
		"on_shutdown_timeout": optionalString("What happens after `shutdown_timeout`: `switch_off`, or "+
			"`fail`, which leaves the machine on: the update or destroy is an error. Default: `switch_off`.",
			stringvalidator.OneOf(machine.SwitchOff, machine.FailOnTimeout)),
		"shutdown_before_destroy": optionalBool("Whether the guest is shut down gracefully before a destroy. " +
			"Default: `false`."),
		"deletion_protection": optionalBool("Whether everything that would lose data is an error. To lift it, apply " +
			"`false` first. Default: the provider's, or `false`."),
		"purge_on_destroy": optionalBool("Whether a destroy purges the machine. With `false` it is soft-deleted, " +
			"and can be undeleted. Default: `true`."),
	}
}

var notEmpty = tfkit.NotEmpty

var atLeastOneMegabyte = tfkit.Advised{
	Int64: int64validator.AtLeast(1), Advice: "It is in megabytes: 1 gigabyte is 1024.",
}

func optionalComputedString(description string, validators ...validator.String) schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: description, Optional: true, Computed: true, Validators: validators,
	}
}

func optionalComputedInt64(description string, validators ...validator.Int64) schema.Int64Attribute {
	return schema.Int64Attribute{
		MarkdownDescription: description, Optional: true, Computed: true, Validators: validators,
	}
}

func optionalComputedBool(description string) schema.BoolAttribute {
	return schema.BoolAttribute{MarkdownDescription: description, Optional: true, Computed: true}
}

func computedString(description string) schema.StringAttribute {
	return schema.StringAttribute{MarkdownDescription: description, Computed: true}
}

func optionalString(description string, validators ...validator.String) schema.StringAttribute {
	return schema.StringAttribute{MarkdownDescription: description, Optional: true, Validators: validators}
}

func optionalBool(description string) schema.BoolAttribute {
	return schema.BoolAttribute{MarkdownDescription: description, Optional: true}
}

// imageURL refuses text that is not a URL, with which the service would fail (API.md §3).
var imageURL = tfkit.Text{
	Accepts: "a URL with a scheme and a host, such as https://example.com/debian.iso", Summary: "Invalid URL",
	Valid: func(text string) bool {
		at, err := url.Parse(text)
		return err == nil && at.Scheme != "" && at.Host != ""
	},
}

// ValidateConfig refuses contradictory arguments. Decoding the whole configuration would take longer.
func (r *vmResource) ValidateConfig(
	ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse,
) {
	var config model
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("power_on"), &config.PowerOn)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("autoreboot_on"), &config.AutorebootOn)...)
	refuseContradiction(&model{}, &config, &config, &resp.Diagnostics)
}
