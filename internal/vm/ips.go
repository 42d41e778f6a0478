package vm

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var ipsAttrTypes = map[string]attr.Type{
	"ipv4": tfkit.IPAddressType{Version: tfkit.IPv4},
	"ipv6": tfkit.IPAddressType{Version: tfkit.IPv6},
}

// ipsModel is the block ips (service.md §4.1, rules for ips).
type ipsModel struct {
	IPv4 tfkit.IPAddress `tfsdk:"ipv4"`
	IPv6 tfkit.IPAddress `tfsdk:"ipv6"`
}

func ipsBlock() schema.SingleNestedBlock {
	return schema.SingleNestedBlock{
		MarkdownDescription: "Addresses to create the machine with, where the service is not to choose; in groups on a private VLAN only. The address that is not given is allocated automatically. " +
			"Changing an address replaces the machine. Naming the address that the machine has already, or removing the block, changes nothing but the state.",
		Attributes: map[string]schema.Attribute{
			"ipv4": schema.StringAttribute{
				CustomType:          tfkit.IPAddressType{Version: tfkit.IPv4},
				MarkdownDescription: "IPv4 address. The service refuses one that another machine holds, but does not notice other hosts that use it.",
				Optional:            true,
			},
			"ipv6": schema.StringAttribute{
				CustomType:          tfkit.IPAddressType{Version: tfkit.IPv6},
				MarkdownDescription: "IPv6 address. Compared as an address: another spelling of the same one is no change.",
				Optional:            true,
			},
		},
	}
}

func ipsFrom(ctx context.Context, object types.Object, diags *diag.Diagnostics) ipsModel {
	var m ipsModel
	if !tfkit.Given(object) {
		return m
	}
	diags.Append(object.As(ctx, &m, basetypes.ObjectAsOptions{})...)
	return m
}

func (m ipsModel) toAPI() *cloudserver.IPs {
	ips := cloudserver.IPs{IPv4: m.IPv4.ValueString(), IPv6: m.IPv6.ValueString()}
	if ips == (cloudserver.IPs{}) {
		return nil
	}
	return &ips
}

// planIPs decides what a change of the block means: the same address in other
// words keeps the state's words, an address that the machine holds is adopted,
// any other needs a new machine.
func planIPs(ctx context.Context, state model, plan *model, diags *diag.Diagnostics) (replace []path.Path) {
	if !tfkit.Given(plan.IPs) {
		return nil
	}
	before, after := ipsFrom(ctx, state.IPs, diags), ipsFrom(ctx, plan.IPs, diags)
	held := heldAddresses(state)
	for _, address := range []struct {
		name          string
		before, after tfkit.IPAddress
		keep          func(tfkit.IPAddress)
	}{
		{"ipv4", before.IPv4, after.IPv4, func(v tfkit.IPAddress) { after.IPv4 = v }},
		{"ipv6", before.IPv6, after.IPv6, func(v tfkit.IPAddress) { after.IPv6 = v }},
	} {
		switch {
		case address.after.IsNull():
		case address.after.IsUnknown(): // apply cannot turn an update into a replacement any more
			replace = append(replace, path.Root("ips").AtName(address.name))
		case tfkit.Given(address.before) && tfkit.SameAddress(address.before.ValueString(), address.after.ValueString()):
			address.keep(address.before)
		case !containsAddress(held, address.after.ValueString()):
			replace = append(replace, path.Root("ips").AtName(address.name))
		}
	}
	object, d := types.ObjectValueFrom(ctx, ipsAttrTypes, after)
	diags.Append(d...)
	plan.IPs = object
	return replace
}

// heldAddresses lists the addresses that the machine's interfaces hold.
func heldAddresses(state model) []string {
	held := []string{state.IPv4Address.ValueString(), state.IPv6Address.ValueString()}
	for _, element := range state.NetworkInterfaces.Elements() {
		object, ok := element.(types.Object)
		if !ok {
			continue
		}
		if addresses, ok := object.Attributes()["ips"].(types.List); ok {
			for _, address := range addresses.Elements() {
				if text, ok := address.(types.String); ok {
					held = append(held, text.ValueString())
				}
			}
		}
	}
	return held
}

func containsAddress(addresses []string, wanted string) bool {
	for _, address := range addresses {
		if strings.TrimSpace(address) != "" && tfkit.SameAddress(address, wanted) {
			return true
		}
	}
	return false
}
