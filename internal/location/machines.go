package location

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	pattern "path"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Filter selects machines. It is the configuration of list resources, and embedded in the data source cloudserver_vms. A
// null attribute selects every machine.
type Filter struct {
	Account         types.String `tfsdk:"account"`
	Group           types.String `tfsdk:"group"`
	NamePattern     types.String `tfsdk:"name_pattern"`
	PowerOn         types.Bool   `tfsdk:"power_on"`
	ZoneName        types.String `tfsdk:"zone_name"`
	HardwareProfile types.String `tfsdk:"hardware_profile"`
}

// Machine is a machine with the name of its group.
type Machine struct {
	cloudserver.VirtualMachine
	Group string
}

// Title returns group/name, the form in which a machine can be imported.
func (m Machine) Title() string { return m.Group + "/" + m.Name }

// Addresses returns the machine's addresses without duplicates.
func (m Machine) Addresses() (addresses []netip.Addr) {
	for _, card := range m.NetworkInterfaces {
		for _, text := range slices.Concat(card.IPs, slices.Sorted(maps.Keys(card.ExtraIPs))) {
			address, err := netip.ParseAddr(text)
			if address = address.Unmap(); err == nil && !slices.Contains(addresses, address) {
				addresses = append(addresses, address)
			}
		}
	}
	return addresses
}

// Source is what finding machines uses of the provider.
type Source struct {
	tfkit.Common
	tfkit.Defaults

	client *cloudserver.Client
	fleet  *fleet.Fleet
}

// SourceOf takes it from the provider's data.
func SourceOf(d *tfkit.ProviderData) Source { return Source{d, d.Defaults, d.Client, d.Fleet} }

// Find reads the selected machines: those of a group in one listing, those of an account in one overview, which also has
// the names of its groups (API.md §5). It sets the account if the filter has none.
func (f *Filter) Find(
	ctx context.Context, from Source, withDeleted bool, diags *diag.Diagnostics,
) []Machine {
	return f.find(ctx, from, from.client.Overview, withDeleted, diags)
}

// FindShared is Find for the lists of one query, which share one overview of each account.
func (f *Filter) FindShared(ctx context.Context, from Source, diags *diag.Diagnostics) []Machine {
	return f.find(ctx, from, from.fleet.Directory.Overview, false, diags)
}

// overview reads an account with its groups and their machines.
type overview func(ctx context.Context, account string, options ...cloudserver.ReadOption) (*cloudserver.Account, error)

func (f *Filter) find(
	ctx context.Context, from Source, ask overview, withDeleted bool, diags *diag.Diagnostics,
) (found []Machine) {
	if f.Account = KnownAccountOr(from.Defaults, f.Account, "the virtual machines", diags); diags.HasError() {
		return nil
	}
	var options []cloudserver.ReadOption
	if withDeleted {
		options = append(options, cloudserver.IncludeDeleted)
	}
	groups, err := f.groups(ctx, from, ask, options)
	if err != nil {
		addListError(ctx, from, f.Account.ValueString(), f.Group.ValueString(), err, diags)
	}
	found, err = eachOnce(ctx, from, groups)
	if err != nil {
		addListError(ctx, from, f.Account.ValueString(), f.Group.ValueString(), err, diags)
	}
	if !diags.HasError() {
		f.checkChoices(ctx, from, found, diags)
	}
	return slices.DeleteFunc(
		found, func(m Machine) bool { return !f.matches(m.VirtualMachine) || m.Deleted && !withDeleted },
	)
}

// Kinds of values that the service offers (API.md §6).
var (
	Zone            = tfkit.Offer{What: "zone", Set: cloudserver.ZoneNames}
	HardwareProfile = tfkit.Offer{What: "hardware profile", Set: cloudserver.HardwareProfiles, Partial: true}
)

// checkChoices checks values that no machine of the listing has, because a typo would select no machine. A value that
// one of them has needs no request.
func (f *Filter) checkChoices(ctx context.Context, from Source, listed []Machine, diags *diag.Diagnostics) {
	var choices []tfkit.Choice
	add := func(name string, offer tfkit.Offer, wanted types.String, reported func(Machine) *string) {
		has := func(m Machine) bool { return matchesText(wanted, reported(m)) }
		if !slices.ContainsFunc(listed, has) && tfkit.Given(wanted) {
			choices = append(choices, tfkit.Choice{At: path.Root(name), Value: wanted.ValueString(), Offer: offer})
		}
	}
	add("zone_name", Zone, f.ZoneName, func(m Machine) *string { return m.ZoneName })
	add("hardware_profile", HardwareProfile, f.HardwareProfile, func(m Machine) *string { return m.HardwareProfile })
	from.CheckChoices(ctx, choices, diags)
}

// eachOnce returns the machines of the groups. A machine that is listed more than once, because it was moved or changed
// meanwhile, is read by its ID.
func eachOnce(ctx context.Context, from Source, groups []cloudserver.Group) (all []Machine, err error) {
	shown, read := map[int64]int{}, map[int64]bool{}
	for _, g := range groups {
		for _, vm := range g.VirtualMachines {
			shown[vm.ID]++
		}
	}
	for _, g := range groups {
		for _, vm := range g.VirtualMachines {
			if shown[vm.ID] == 1 {
				all = append(all, Machine{vm, g.Name})
				continue
			}
			if read[vm.ID] {
				continue
			}
			now, err := from.client.VirtualMachine(ctx, vm.ID, cloudserver.IncludeDeleted)
			switch {
			case cloudserver.IsNotFound(err):
				read[vm.ID] = true
			case err != nil:
				return nil, err
			case now.GroupID == vm.GroupID: // otherwise another of the groups lists it, or none does
				read[vm.ID] = true
				all = append(all, Machine{*now, g.Name})
			}
		}
	}
	return all, nil
}

// groups returns the groups that the filter selects, with their machines.
func (f *Filter) groups(
	ctx context.Context, from Source, ask overview, options []cloudserver.ReadOption,
) ([]cloudserver.Group, error) {
	account := f.Account.ValueString()
	if err := from.fleet.Directory.CheckAccount(ctx, account); err != nil {
		return nil, err
	}
	if name := f.Group.ValueString(); name != "" {
		machines, err := ListGroup(ctx, from, account, name, options...)
		return []cloudserver.Group{{Name: name, VirtualMachines: machines}}, err
	}
	all, err := ask(ctx, account, options...)
	if err != nil {
		return nil, err
	}
	if all.Groups == nil {
		return nil, errors.New("the service answered without the account's groups; set group to list the machines of one group")
	}
	groups := slices.Clone(all.Groups)
	for i := range groups {
		if groups[i].VirtualMachines != nil { // even if it is empty
			continue
		}
		if groups[i].VirtualMachines, err = ListGroup(ctx, from, account, groups[i].Name, options...); err != nil {
			return nil, err
		}
	}
	return groups, nil
}

// ListGroup lists the machines of the group with this name. A path could take digits for the ID of another group, which
// this prevents.
func ListGroup(
	ctx context.Context, from Source, account, name string, options ...cloudserver.ReadOption,
) ([]cloudserver.VirtualMachine, error) {
	element, err := from.fleet.Directory.Element(ctx, account, name, 0)
	if err != nil {
		return nil, err
	}
	return from.client.VirtualMachines(ctx, account, element, options...)
}

// addListError reports that a listing failed: that of an account if group is "".
func addListError(ctx context.Context, from Source, account, group string, err error, diags *diag.Diagnostics) {
	at, where := "account", fmt.Sprintf("account %q", account)
	missing := func() string { return NoSuchAccount(ctx, from.Defaults, from.client, account) }
	if group != "" {
		at, where = "group", fmt.Sprintf("group %q of %s", group, where)
		missing = func() string { return NoSuchGroup(ctx, from.Defaults, from.client, account, group) }
	}
	summary := "Cannot list the virtual machines of " + where
	if cloudserver.IsNotFound(err) {
		diags.AddAttributeError(path.Root(at), summary, missing())
		return
	}
	tfkit.AddError(diags, summary, err, nil, "")
}

// matches reports whether the machine is selected. If the service does not report a value, a filter on that value does
// not match.
func (f *Filter) matches(vm cloudserver.VirtualMachine) bool {
	fits, _ := MatchesPattern(f.NamePattern.ValueString(), vm.Name)
	return (f.NamePattern.IsNull() || fits) &&
		(f.PowerOn.IsNull() || vm.PowerOn != nil && *vm.PowerOn == f.PowerOn.ValueBool()) &&
		matchesText(f.ZoneName, vm.ZoneName) &&
		matchesText(f.HardwareProfile, vm.HardwareProfile)
}

func matchesText(wanted types.String, reported *string) bool {
	return wanted.IsNull() || reported != nil && *reported == wanted.ValueString()
}

// MatchesPattern reports whether a pattern matches the whole name. No name has a slash, which path.Match treats as a
// separator. Ranges are negated with ! as in shells.
func MatchesPattern(text, name string) (bool, error) {
	return pattern.Match(strings.ReplaceAll(text, "[!", "[^"), name)
}
