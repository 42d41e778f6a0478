// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"net/netip"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ipsModel is the block ips (API.md §7, rules for ips).
type ipsModel struct {
	IPv4 types.String `tfsdk:"ipv4"`
	IPv6 types.String `tfsdk:"ipv6"`
}

// families are the attributes of the block ips.
var families = []string{"ipv4", "ipv6"}

// unicast refuses addresses that no machine of a network has. Text that is no address is refused elsewhere.
var unicast = tfkit.Text{
	Accepts: "an address of the private VLAN, and not a loopback, link-local, multicast or unspecified one",
	Summary: "Invalid address of a machine",
	Valid: func(text string) bool {
		address, err := netip.ParseAddr(text)
		return err != nil || address.IsGlobalUnicast()
	},
}

func ipsBlock() schema.SingleNestedBlock {
	return schema.SingleNestedBlock{
		MarkdownDescription: "Addresses to create the machine with; only in groups on a private VLAN. " +
			"An address that is left out is allocated automatically.",
		Attributes: map[string]schema.Attribute{
			"ipv4": schema.StringAttribute{
				MarkdownDescription: "IPv4 address.",
				Optional:            true,
				Validators:          []validator.String{tfkit.IPAddress(tfkit.IPv4), unicast},
				PlanModifiers:       []planmodifier.String{tfkit.KeepSpelling{Same: tfkit.SameAddress}},
			},
			"ipv6": schema.StringAttribute{
				MarkdownDescription: "IPv6 address.",
				Optional:            true,
				Validators:          []validator.String{tfkit.IPAddress(tfkit.IPv6), unicast},
				PlanModifiers:       []planmodifier.String{tfkit.KeepSpelling{Same: tfkit.SameAddress}},
			},
		},
	}
}

func (m ipsModel) toAPI() *cloudserver.IPs {
	ips := cloudserver.IPs{IPv4: m.IPv4.ValueString(), IPv6: m.IPv6.ValueString()}
	if ips == (cloudserver.IPs{}) {
		return nil
	}
	return &ips
}

// wants returns the addresses of the block ips that are not in that of the state, by family. An address may be unknown.
func (m *model) wants(state *model) map[string]types.String {
	wanted := map[string]types.String{}
	for _, family := range families {
		address, configured := m.IPs.Attributes()[family].(types.String)
		if configured && !address.IsNull() && !address.Equal(state.IPs.Attributes()[family]) {
			wanted[family] = address
		}
	}
	return wanted
}

// hasAddress reports whether the machine has the address: one of the state, or of those that the service shows.
func (m *model) hasAddress(address string, shown *cloudserver.VirtualMachine) bool {
	known := []string{m.IPv4Address.ValueString(), m.IPv6Address.ValueString()}
	if shown != nil {
		for _, card := range shown.NetworkInterfaces {
			known = append(known, card.IPs...)
		}
	}
	return slices.ContainsFunc(known, func(has string) bool { return has != "" && tfkit.SameAddress(has, address) })
}

// needsAddresses reports whether the machine has to be read for its addresses: the state has the first of each family.
func (p *proposal) needsAddresses() bool {
	for _, address := range p.plan.wants(&p.state) {
		if tfkit.Given(address) && !p.state.hasAddress(address.ValueString(), nil) {
			return true
		}
	}
	return false
}

// planIPs decides what a change of the block ips means: an address that the machine already has is only recorded, and
// any other requires a new machine.
func (d *decision) planIPs(shown *cloudserver.VirtualMachine) (replace []path.Path) {
	const why = "An address that the machine does not have needs a new machine"
	if d.plan.IPs.IsUnknown() {
		addUnknown(&d.refused, path.Root("ips"), "Cannot plan the addresses of "+d.state.title(), why)
	}
	wanted := d.plan.wants(&d.state)
	for _, family := range families {
		at := path.Root("ips").AtName(family)
		switch address, isNew := wanted[family]; {
		case address.IsUnknown():
			addUnknown(&d.refused, at, "Cannot plan the addresses of "+d.state.title(), why)
		case isNew && !d.state.hasAddress(address.ValueString(), shown):
			replace = append(replace, at)
		}
	}
	return replace
}
