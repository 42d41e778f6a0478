package vm

import (
	"net/netip"

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

func ipsBlock() schema.SingleNestedBlock {
	return schema.SingleNestedBlock{
		MarkdownDescription: "Addresses to create the machine with; only in groups on a private VLAN. An address that is left out is allocated automatically.",
		Attributes: map[string]schema.Attribute{
			"ipv4": schema.StringAttribute{
				MarkdownDescription: "IPv4 address.",
				Optional:            true,
				Validators:          []validator.String{tfkit.IPAddress(tfkit.IPv4)},
				PlanModifiers:       []planmodifier.String{tfkit.KeepSpelling{Same: tfkit.SameAddress}},
			},
			"ipv6": schema.StringAttribute{
				MarkdownDescription: "IPv6 address.",
				Optional:            true,
				Validators:          []validator.String{tfkit.IPAddress(tfkit.IPv6)},
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

// rememberAddresses notes whose the machine's addresses are: other resources only know
// those. The hostname tells what name of an address nobody has set; of a new machine
// nobody has set any.
func (r *vmResource) rememberAddresses(m *model, hostname string) {
	for _, text := range []types.String{m.IPv4Address, m.IPv6Address} {
		if address, err := netip.ParseAddr(text.ValueString()); err == nil && tfkit.Given(m.Account) {
			r.Data.Remembered.Set("account of "+address.String(), m.Account.ValueString())
			r.Data.Remembered.Set("hostname of "+address.String(), hostname)
		}
	}
}
