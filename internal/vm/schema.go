package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const defaultShutdownTimeout = "2m"

// Schema is the resource's schema (design: section 3).
func (r *vmResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	attributes := identifying()
	for _, more := range []map[string]schema.Attribute{specification(), computed(), switches()} {
		for name, attribute := range more {
			attributes[name] = attribute
		}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "A virtual machine with its discs, its operating system and its addresses, created in one call.",
		Attributes:          attributes,
		Blocks: map[string]schema.Block{
			"disc":    discBlock(),
			"reimage": reimageBlock(),
			"ips":     ipsBlock(),
			"timeouts": timeouts.Block(ctx, timeouts.Opts{
				Create: true, Update: true, Delete: true,
				CreateDescription: "How long to wait until a new machine is on, such as `30m`. Default: `20m`.",
				UpdateDescription: "How long an update may take, stopping, reimaging and starting included. Default: `20m`.",
				DeleteDescription: "How long to wait until a deleted machine is gone. Default: `10m`.",
			}),
		},
	}
}

// IdentitySchema holds only what never changes: the numeric id.
func (r *vmResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{
			"id": identityschema.StringAttribute{
				Description:       "Numeric id of the virtual machine at the service.",
				RequiredForImport: true,
			},
		},
	}
}

func identifying() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id": schema.StringAttribute{
			MarkdownDescription: "Numeric id of the machine at the service.",
			Computed:            true,
			PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
		},
		"account": optionalComputedString("Account that the machine belongs to, by name or numeric id. Default: the provider's `account`. Changing it replaces the machine.",
			tfkit.NotEmpty{}),
		"group": optionalComputedString("Group that the machine belongs to, by name or numeric id. Default at creation: the provider's `group`, or else `default`. Changing it moves the machine; it keeps its id and its discs.",
			tfkit.NotEmpty{}),
		"name": schema.StringAttribute{
			MarkdownDescription: "Name of the machine, unique in its group (soft-deleted machines count). Changing it renames the machine in place, and its `hostname` follows.",
			Required:            true,
			Validators:          []validator.String{tfkit.NotEmpty{}},
		},
	}
}

func specification() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"cores":  optionalComputedInt64("Number of CPU cores. When absent, the service chooses. Raising it on a machine that is on restarts the machine; lowering it takes effect at the next power cycle."),
		"memory": optionalComputedInt64("Memory in megabytes. When absent, the service chooses. Raising it on a machine that is on restarts the machine; lowering it takes effect at the next power cycle.", megabytes{least: 128}),
		"hardware_profile": optionalComputedString("Hardware profile, such as `virtio2013` or `compatibility2013`; see `hardware_profiles` of the data source `cloudserver_definitions`. "+
			"Changing it on a machine that is on restarts the machine. The service upgrades `virtio` profiles by itself at a restart: that is not drift, and `effective_hardware_profile` tells what is in force.",
			tfkit.NotEmpty{}),
		"hardware_profile_locked": optionalComputedBool("Whether the service must leave the hardware profile as it is at restarts."),
		"autoreboot_on":           optionalComputedBool("Whether the service starts the machine again when it goes off by itself. Stops and starts that the provider makes leave it as configured."),
		"power_on":                optionalComputedBool("Whether the machine is on. Absent: it is on after creation and then left alone. Set: enforced; `false` stops it gracefully, and hard after `shutdown_timeout`."),
		"keymap": optionalComputedString("Keyboard mapping; see `keymaps` of the data source `cloudserver_definitions`.",
			tfkit.NotEmpty{}),
		"cdrom_url": schema.StringAttribute{
			MarkdownDescription: "URL of an ISO image that the machine sees as a CD drive. Removing it ejects the image.",
			Optional:            true,
			Validators:          []validator.String{tfkit.NotEmpty{}},
		},
		"zone_name": optionalComputedString("Zone of the machine and its discs; see `zone_names` of the data source `cloudserver_definitions`. It is set at creation for good: changing it replaces the machine.",
			tfkit.NotEmpty{}),
	}
}

func computed() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"group_id": schema.Int64Attribute{
			MarkdownDescription: "Numeric id of the group.",
			Computed:            true,
			PlanModifiers:       []planmodifier.Int64{int64planmodifier.UseStateForUnknown()},
		},
		"effective_hardware_profile": computedString("Hardware profile that is in force, after upgrades by the service."),
		"last_imaged_with":           computedString("Distribution that the service installed last, or null."),
		"hostname":                   computedString("Full host name: `<name>.<group>.<account>.<cluster-domain>`."),
		"management_address":         computedString("IPv4 address for management."),
		"head":                       computedString("Head that the machine runs on, as the service tells it, or null."),
		"ipv4_address":               computedString("First IPv4 address of the machine, or null."),
		"ipv6_address":               computedString("First IPv6 address of the machine, or null."),
		"network_interfaces":         networkInterfacesAttribute(listplanmodifier.UseStateForUnknown()),
	}
}

func switches() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"allow_stopping_for_update": defaultBool(true, "Whether an update may stop the machine when the service accepts the change only while it is off. `false`: such an update fails at plan."),
		"shutdown_timeout": schema.StringAttribute{
			MarkdownDescription: "How long a graceful stop may take before the machine is switched off hard. Default: `2m`.",
			Optional:            true,
			Computed:            true,
			Default:             stringdefault.StaticString(defaultShutdownTimeout),
			Validators:          []validator.String{tfkit.PositiveDuration{}},
		},
		"deletion_protection": defaultBool(false, "Whether destroying and replacing the machine is refused. To lift it, apply `false` first."),
		"purge_on_destroy":    defaultBool(true, "Whether destroying the machine purges it: discs are destroyed, addresses and name become free. `false`: it is soft-deleted; it keeps its name and addresses, and can be undeleted for a while."),
	}
}

func optionalComputedString(description string, validators ...validator.String) schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: description, Optional: true, Computed: true, Validators: validators,
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
	}
}

func optionalComputedInt64(description string, validators ...validator.Int64) schema.Int64Attribute {
	return schema.Int64Attribute{
		MarkdownDescription: description, Optional: true, Computed: true,
		Validators:    append([]validator.Int64{int64validator.AtLeast(1)}, validators...),
		PlanModifiers: []planmodifier.Int64{int64planmodifier.UseStateForUnknown()},
	}
}

func optionalComputedBool(description string) schema.BoolAttribute {
	return schema.BoolAttribute{
		MarkdownDescription: description, Optional: true, Computed: true,
		PlanModifiers: []planmodifier.Bool{boolplanmodifier.UseStateForUnknown()},
	}
}

func computedString(description string) schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: description, Computed: true,
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
	}
}

func defaultBool(value bool, description string) schema.BoolAttribute {
	fallback := "`false`"
	if value {
		fallback = "`true`"
	}
	return schema.BoolAttribute{
		MarkdownDescription: description + " Default: " + fallback + ".",
		Optional:            true, Computed: true, Default: booldefault.StaticBool(value),
	}
}
