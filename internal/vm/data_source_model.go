package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// machineModel is a machine as the data sources tell it: what the service says,
// without what only a resource has.
type machineModel struct {
	ID                    types.String `tfsdk:"id"`
	Account               types.String `tfsdk:"account"`
	Group                 types.String `tfsdk:"group"`
	GroupID               types.Int64  `tfsdk:"group_id"`
	Name                  types.String `tfsdk:"name"`
	Cores                 types.Int64  `tfsdk:"cores"`
	Memory                types.Int64  `tfsdk:"memory"`
	HardwareProfile       types.String `tfsdk:"hardware_profile"`
	HardwareProfileLocked types.Bool   `tfsdk:"hardware_profile_locked"`
	AutorebootOn          types.Bool   `tfsdk:"autoreboot_on"`
	PowerOn               types.Bool   `tfsdk:"power_on"`
	Deleted               types.Bool   `tfsdk:"deleted"`
	Keymap                types.String `tfsdk:"keymap"`
	CDROMURL              types.String `tfsdk:"cdrom_url"`
	ZoneName              types.String `tfsdk:"zone_name"`
	LastImagedWith        types.String `tfsdk:"last_imaged_with"`
	Hostname              types.String `tfsdk:"hostname"`
	ManagementAddress     types.String `tfsdk:"management_address"`
	Head                  types.String `tfsdk:"head"`
	IPv4Address           types.String `tfsdk:"ipv4_address"`
	IPv6Address           types.String `tfsdk:"ipv6_address"`
	NetworkInterfaces     types.List   `tfsdk:"network_interfaces"`
	Disc                  types.List   `tfsdk:"disc"`
}

// machineFrom converts a machine by the resource's own conversion. Account and
// group are as the configuration names them; where it does not, they come from
// the host name.
func machineFrom(ctx context.Context, account, group types.String, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics) machineModel {
	m := model{Account: account, Group: group}
	m.read(ctx, vm, diags)
	return machineModel{
		ID: m.ID, Account: m.Account, Group: m.Group, GroupID: m.GroupID, Name: m.Name,
		Cores: m.Cores, Memory: m.Memory,
		HardwareProfile: m.HardwareProfile, HardwareProfileLocked: m.HardwareProfileLocked,
		AutorebootOn: m.AutorebootOn, PowerOn: m.PowerOn, Deleted: types.BoolValue(vm.Deleted),
		Keymap: m.Keymap, CDROMURL: m.CDROMURL, ZoneName: m.ZoneName, LastImagedWith: m.LastImagedWith,
		Hostname: m.Hostname, ManagementAddress: m.ManagementAddress, Head: m.Head,
		IPv4Address: m.IPv4Address, IPv6Address: m.IPv6Address,
		NetworkInterfaces: m.NetworkInterfaces, Disc: m.Disc,
	}
}

// machineAttributes are those of machineModel, all told by the service.
func machineAttributes() map[string]schema.Attribute {
	text := func(description string) schema.Attribute {
		return schema.StringAttribute{MarkdownDescription: description, Computed: true}
	}
	number := func(description string) schema.Attribute {
		return schema.Int64Attribute{MarkdownDescription: description, Computed: true}
	}
	truth := func(description string) schema.Attribute {
		return schema.BoolAttribute{MarkdownDescription: description, Computed: true}
	}
	return map[string]schema.Attribute{
		"id":                      text("Numeric id of the machine at the service."),
		"account":                 text("Account of the machine."),
		"group":                   text("Group of the machine."),
		"group_id":                number("Numeric id of the group."),
		"name":                    text("Name of the machine."),
		"cores":                   number("Number of CPU cores."),
		"memory":                  number("Memory in megabytes."),
		"hardware_profile":        text("Hardware profile that is in force."),
		"hardware_profile_locked": truth("Whether the service leaves the hardware profile as it is at restarts."),
		"autoreboot_on":           truth("Whether the service starts the machine again when it goes off by itself."),
		"power_on":                truth("Whether the machine is on."),
		"deleted":                 truth("Whether the machine is soft-deleted."),
		"keymap":                  text("Keyboard mapping, or null."),
		"cdrom_url":               text("URL of the ISO image in the CD drive, or null."),
		"zone_name":               text("Zone of the machine and its discs."),
		"last_imaged_with":        text("Distribution that the service installed last, or null."),
		"hostname":                text("Full host name: `<name>.<group>.<account>.<cluster-domain>`."),
		"management_address":      text("IPv4 address for management."),
		"head":                    text("Head that the machine runs on, as the service tells it, or null."),
		"ipv4_address":            text("First IPv4 address of the machine, or null."),
		"ipv6_address":            text("First IPv6 address of the machine, or null."),
		"network_interfaces": schema.ListNestedAttribute{
			MarkdownDescription: "Network interfaces of the machine.",
			Computed:            true,
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"label":    text("Label, or null."),
				"mac":      text("MAC address."),
				"vlan_num": number("Number of the VLAN."),
				"ips": schema.ListAttribute{
					MarkdownDescription: "IPv4 and IPv6 addresses.",
					ElementType:         types.StringType, Computed: true,
				},
				"extra_ips": schema.MapAttribute{
					MarkdownDescription: "Further addresses, each with the address that it is routed to.",
					ElementType:         types.StringType, Computed: true,
				},
			}},
		},
		"disc": schema.ListNestedAttribute{
			MarkdownDescription: "Discs of the machine, in the service's order.",
			Computed:            true,
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"id":            number("Numeric id of the disc."),
				"label":         text("Device label."),
				"size":          number("Size in megabytes."),
				"storage_grade": text("Storage grade."),
				"storage_pool":  text("Pool that the disc is placed in."),
			}},
		},
	}
}
