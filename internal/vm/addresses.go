package vm

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
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

// planIPs decides what a change of the block ips means: an address that the machine already has is only recorded, and
// any other requires a new machine.
func (r *vmResource) planIPs(ctx context.Context, state, plan *model, diags *diag.Diagnostics) (replace []path.Path) {
	if plan.IPs.IsUnknown() { // the apply could not turn the update into a replacement
		addUnknown(diags, path.Root("ips"), "Cannot plan the addresses of "+state.title(), "An address that the machine does not have needs a new machine")
	}
	for _, name := range []string{"ipv4", "ipv6"} {
		wanted, configured := plan.IPs.Attributes()[name].(types.String)
		if !configured || wanted.IsNull() || wanted.Equal(state.IPs.Attributes()[name]) {
			continue
		}
		if wanted.IsUnknown() || !r.holds(ctx, state, wanted.ValueString(), diags) {
			replace = append(replace, path.Root("ips").AtName(name))
		}
	}
	return replace
}

// addressHolders returns the checks of the addresses of a new machine: that no machine has one of them, unless it may be
// the machine that this one replaces, which is before, if the plan knows it.
func (r *vmResource) addressHolders(before, plan *model) (questions []tfkit.PlanQuestion) {
	own := before.addresses()
	for _, name := range []string{"ipv4", "ipv6"} {
		text, _ := plan.IPs.Attributes()[name].(types.String)
		address, err := netip.ParseAddr(text.ValueString())
		if err == nil && r.Data != nil && !slices.Contains(own, address.Unmap()) {
			questions = append(questions, r.addressHolder(address, plan, path.Root("ips").AtName(name)))
		}
	}
	return questions
}

// addresses returns the known addresses of the machine: those that were asked for, and the first of each family.
func (m *model) addresses() (all []netip.Addr) {
	texts := []types.String{m.IPv4Address, m.IPv6Address}
	for _, name := range []string{"ipv4", "ipv6"} {
		text, _ := m.IPs.Attributes()[name].(types.String)
		texts = append(texts, text)
	}
	for _, text := range texts {
		if address, err := netip.ParseAddr(text.ValueString()); err == nil {
			all = append(all, address.Unmap())
		}
	}
	return all
}

// addressHolder returns the check whether a machine has the address, which leads to a warning: another change of the plan may
// free it, and after a lost state the holder may be the machine itself. A machine that this process has read with the
// address, under this name and in this group, is the one that is replaced.
func (r *vmResource) addressHolder(address netip.Addr, plan *model, at path.Path) (q tfkit.PlanQuestion) {
	var err error
	known := r.Data.Memory.Of(run.NameOf(address.Unmap()))
	holder := known.Hostname
	q.Report = func(_ context.Context, asked bool, diags *diag.Diagnostics) {
		if !asked || err != nil { // nobody has it, or the failure will be reported at apply
			return
		}
		who := "Another machine"
		if holder != "" {
			who = fmt.Sprintf("The machine %q", holder)
		}
		diags.AddAttributeWarning(at, "The address is in use",
			fmt.Sprintf("%s has the address %s. Unless another change of this plan frees it, the service refuses to create %s. "+
				"Choose another address, or leave it out to have one allocated.", who, address, plan.title()))
	}
	isItself := func(name fleet.Name) bool { return slices.Contains(known.Names, name) }
	if !slices.ContainsFunc(plan.nameForms(), isItself) {
		q.Ask = func(ctx context.Context) { _, err = r.Data.Client.IP(ctx, address.String()) }
	}
	return q
}

// holds reports whether the machine has the address. The state has the first address of each family; for others the
// machine is read. If there is no answer, it reports an error, because otherwise the machine might be replaced
// needlessly.
func (r *vmResource) holds(ctx context.Context, state *model, address string, diags *diag.Diagnostics) bool {
	if tfkit.SameAddress(state.IPv4Address.ValueString(), address) ||
		tfkit.SameAddress(state.IPv6Address.ValueString(), address) {
		return true
	}
	if !r.Data.Ready() {
		return false
	}
	vm, err := r.Data.Fleet.Read(ctx, state.address(r.Data))
	if err != nil {
		diags.AddAttributeError(path.Root("ips"), "Cannot plan the addresses of "+state.title(),
			tfkit.Detail(err, "Whether the machine has the address "+address+" is not known, and one that it does not have needs a new machine. "+tfkit.Again(err)))
		return true
	}
	for _, card := range vm.NetworkInterfaces {
		if slices.ContainsFunc(card.IPs, func(held string) bool { return tfkit.SameAddress(held, address) }) {
			return true
		}
	}
	return false
}

// firstAddress returns the first address of the family, or null.
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

// ipsPath finds the address that a problem is about, or the first one configured: a CLI shows the line of an attribute,
// but not that of a block.
func (m *model) ipsPath(problem cloudserver.Problem) path.Path {
	at := path.Root("ips")
	for _, name := range []string{"ipv6", "ipv4"} {
		address, ok := m.IPs.Attributes()[name].(types.String)
		if problem.Attribute == name || problem.Field == name ||
			ok && tfkit.Given(address) && strings.Contains(problem.Message, address.ValueString()) {
			return path.Root("ips").AtName(name)
		}
		if ok && tfkit.Given(address) {
			at = path.Root("ips").AtName(name)
		}
	}
	return at
}

// rememberAddresses records the machine of its addresses for other resources, which know only the addresses. hostname
// is the reverse name of an address for which nobody has set one. It is "" for a new machine, for which nobody has.
func (r *vmResource) rememberAddresses(m *model, hostname string) {
	r.Data.Fleet.Domains.SetAccount(m.Account.ValueString(), m.domain(), time.Time{})
	for _, text := range []types.String{m.IPv4Address, m.IPv6Address} {
		if address, err := netip.ParseAddr(text.ValueString()); err == nil && tfkit.Given(m.Account) {
			r.Data.Memory.Note(run.NameOf(address.Unmap()), func(k *run.Known) {
				k.Account, k.Hostname, k.Names = m.Account.ValueString(), hostname, m.nameForms()
			})
		}
	}
}
