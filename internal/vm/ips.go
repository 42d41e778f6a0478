package vm

import (
	"context"
	"errors"
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

// families are the attributes of the block ips.
var families = []string{"ipv4", "ipv6"}

// ipsFacts is what an update knows of the addresses that the block ips is new to ask for.
type ipsFacts struct {
	held    map[string]bool // by family, whether the machine has the address
	refused diag.Diagnostics
}

// findIPs finds out whether the machine has the addresses. The state has the first address of each family; for others the
// machine is read. If there is no answer, or one without addresses, that is an error, because otherwise the machine might
// be replaced needlessly.
func (r *vmResource) findIPs(ctx context.Context, p *proposal) (f ipsFacts) {
	if p.isCreation() {
		return f
	}
	f.held = map[string]bool{}
	wanted := p.plan.wants(&p.state)
	for _, family := range families {
		address := wanted[family].ValueString()
		switch {
		case address == "":
		case tfkit.SameAddress(p.state.IPv4Address.ValueString(), address), tfkit.SameAddress(p.state.IPv6Address.ValueString(), address):
			f.held[family] = true
		case r.Data.Ready():
			vm, err := r.Data.Fleet.Read(ctx, p.state.address(r.Data.Fleet.Directory))
			if err == nil && !showsAddresses(vm) {
				err = errNoAddresses
			}
			if f.held[family] = err != nil || hasAddress(vm, address); err != nil {
				f.refused.AddAttributeError(path.Root("ips"), "Cannot plan the addresses of "+p.state.title(),
					tfkit.Detail(err, "Whether the machine has the address "+address+" is not known, and one that it does not have needs a new machine. "+tfkit.Again(err)))
			}
		}
	}
	return f
}

// errNoAddresses is returned for an answer that says nothing about the addresses of a machine.
var errNoAddresses = errors.New("the answer of the service lacks the network interfaces of the machine, or their addresses")

// showsAddresses reports whether an answer says which addresses the machine has. It may have none.
func showsAddresses(vm *cloudserver.VirtualMachine) bool {
	cards := vm.NetworkInterfaces
	return cards != nil && len(cards) == 0 ||
		slices.ContainsFunc(cards, func(card cloudserver.NetworkInterface) bool { return card.IPs != nil })
}

func hasAddress(vm *cloudserver.VirtualMachine, address string) bool {
	return slices.ContainsFunc(vm.NetworkInterfaces, func(card cloudserver.NetworkInterface) bool {
		return slices.ContainsFunc(card.IPs, func(held string) bool { return tfkit.SameAddress(held, address) })
	})
}

// planIPs decides what a change of the block ips means: an address that the machine already has is only recorded, and
// any other requires a new machine.
func (d *decision) planIPs(f ipsFacts) (replace []path.Path) {
	if d.plan.IPs.IsUnknown() { // the apply could not turn the update into a replacement
		addUnknown(&d.refused, path.Root("ips"), "Cannot plan the addresses of "+d.state.title(), "An address that the machine does not have needs a new machine")
	}
	d.refused.Append(f.refused...)
	wanted := d.plan.wants(&d.state)
	for _, family := range families {
		if _, isNew := wanted[family]; isNew && !f.held[family] {
			replace = append(replace, path.Root("ips").AtName(family))
		}
	}
	return replace
}

// addresses returns the known addresses of the machine: those that were asked for, and the first of each family.
func (m *model) addresses() (all []netip.Addr) {
	texts := []types.String{m.IPv4Address, m.IPv6Address}
	for _, name := range families {
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

// addressQuestion asks whether a machine has an address that a new one is to get.
type addressQuestion struct {
	family  string
	address netip.Addr
	names   []fleet.Name // of the new machine
}

// addressAnswer is whether a machine has the address.
type addressAnswer struct {
	inUse  bool
	holder string // the hostname of the machine that has it, if this process has read it
}

// addressQuestions returns the questions for the addresses of a new machine, without those of the machine that it
// replaces, if the plan knows it.
func (d *decision) addressQuestions() (asked []addressQuestion) {
	own := d.state.addresses()
	for _, family := range families {
		text, _ := d.plan.IPs.Attributes()[family].(types.String)
		address, err := netip.ParseAddr(text.ValueString())
		if err == nil && !slices.Contains(own, address.Unmap()) {
			asked = append(asked, addressQuestion{family, address, d.plan.nameForms()})
		}
	}
	return asked
}

// findAddress finds out whether a machine has the address. A machine that this process has read with the address, under
// the name and in the group of the new one, is the one that is replaced. Without an answer, the apply reports the
// failure.
func (r *vmResource) findAddress(ctx context.Context, q addressQuestion) (a addressAnswer) {
	known := r.Data.Memory.Of(run.NameOf(q.address.Unmap()))
	if slices.ContainsFunc(q.names, func(name fleet.Name) bool { return slices.Contains(known.Names, name) }) {
		return a
	}
	_, err := r.Data.Client.IP(ctx, q.address.String())
	return addressAnswer{err == nil, known.Hostname}
}

// judgeAddress warns of an address that a machine has: another change of the plan may free it, and after a lost state the
// machine may be the planned one itself.
func (d *decision) judgeAddress(q addressQuestion, a addressAnswer, diags *diag.Diagnostics) {
	if !a.inUse {
		return
	}
	who := "Another machine"
	if a.holder != "" {
		who = fmt.Sprintf("The machine %q", a.holder)
	}
	diags.AddAttributeWarning(path.Root("ips").AtName(q.family), "The address is in use",
		fmt.Sprintf("%s has the address %s. Unless another change of this plan frees it, the service refuses to create %s. "+
			"Choose another address, or leave it out to have one allocated.", who, q.address, d.plan.title()))
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
