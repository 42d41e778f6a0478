package vm

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
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

// interfacesFromAPI converts network interfaces (API.md §3) for the data
// sources; null where the service reports none.
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
