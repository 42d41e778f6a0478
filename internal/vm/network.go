package vm

import (
	"net/netip"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

var interfaceType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"label":     types.StringType,
	"mac":       types.StringType,
	"vlan_num":  types.Int64Type,
	"ips":       types.ListType{ElemType: types.StringType},
	"extra_ips": types.MapType{ElemType: types.StringType},
}}

func networkInterfacesAttribute(modifiers ...planmodifier.List) schema.ListNestedAttribute {
	return schema.ListNestedAttribute{
		MarkdownDescription: "Network interfaces of the machine.",
		Computed:            true,
		PlanModifiers:       modifiers,
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"label":    schema.StringAttribute{MarkdownDescription: "Label, or null.", Computed: true},
			"mac":      schema.StringAttribute{MarkdownDescription: "MAC address.", Computed: true},
			"vlan_num": schema.Int64Attribute{MarkdownDescription: "Number of the VLAN.", Computed: true},
			"ips": schema.ListAttribute{
				MarkdownDescription: "IPv4 and IPv6 addresses.",
				ElementType:         types.StringType, Computed: true,
			},
			"extra_ips": schema.MapAttribute{
				MarkdownDescription: "Further addresses, each with the address that it is routed to.",
				ElementType:         types.StringType, Computed: true,
			},
		}},
	}
}

// interfacesFromAPI converts network interfaces (api.md §3). Nothing told is null.
func interfacesFromAPI(interfaces []cloudserver.NetworkInterface) types.List {
	if interfaces == nil {
		return types.ListNull(interfaceType)
	}
	elements := make([]attr.Value, len(interfaces))
	for i, n := range interfaces {
		addresses := make([]attr.Value, len(n.IPs))
		for j, address := range n.IPs {
			addresses[j] = types.StringValue(address)
		}
		extra := make(map[string]attr.Value, len(n.ExtraIPs))
		for address, route := range n.ExtraIPs {
			extra[address] = types.StringValue(route)
		}
		elements[i] = types.ObjectValueMust(interfaceType.AttrTypes, map[string]attr.Value{
			"label":     types.StringPointerValue(n.Label),
			"mac":       types.StringPointerValue(n.MAC),
			"vlan_num":  types.Int64PointerValue(n.VLANNum),
			"ips":       types.ListValueMust(types.StringType, addresses),
			"extra_ips": types.MapValueMust(types.StringType, extra),
		})
	}
	return types.ListValueMust(interfaceType, elements)
}

// firstAddress gives the first address of the family that the machine's
// interfaces hold, or null.
func firstAddress(interfaces []cloudserver.NetworkInterface, family func(netip.Addr) bool) types.String {
	for _, n := range interfaces {
		for _, text := range n.IPs {
			if address, err := netip.ParseAddr(text); err == nil && family(address) {
				return types.StringValue(text)
			}
		}
	}
	return types.StringNull()
}
