package vm

import (
	"context"
	"encoding/json"
	"net/netip"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// machineFromAPI converts what the service reports (API.md §8.1). location.go converts the location.
func machineFromAPI(vm *cloudserver.VirtualMachine) common {
	m := common{
		ID:                tfkit.IDOrNull(vm.ID),
		GroupID:           tfkit.IDOrNull(vm.GroupID),
		Name:              tfkit.StringOrNull(vm.Name),
		AutorebootOn:      types.BoolPointerValue(vm.AutorebootOn),
		PowerOn:           types.BoolPointerValue(vm.PowerOn),
		ZoneName:          types.StringPointerValue(vm.ZoneName),
		LastImagedWith:    types.StringPointerValue(vm.LastImagedWith),
		Hostname:          types.StringPointerValue(vm.Hostname),
		ManagementAddress: types.StringPointerValue(vm.ManagementAddress),
		IPv4Address:       firstAddress(vm.NetworkInterfaces, netip.Addr.Is4),
		IPv6Address:       firstAddress(vm.NetworkInterfaces, netip.Addr.Is6),
	}
	for _, s := range settings {
		s.read(&m, vm)
	}
	return m
}

// refreshed returns the machine with the values that the service reports, or the earlier ones if it reports none. Account
// and group are kept.
func (m common) refreshed(vm *cloudserver.VirtualMachine) common {
	now := machineFromAPI(vm)
	nullable := now // for some attributes, null is a value
	tfkit.KeepUnreported(&now, m)
	for _, s := range settings {
		if s.null {
			s.read(&now, vm)
		}
	}
	now.Keymap = readKeymap(m.Keymap, now.Keymap)
	now.LastImagedWith = nullable.LastImagedWith
	if vm.NetworkInterfaces != nil {
		now.IPv4Address, now.IPv6Address = nullable.IPv4Address, nullable.IPv6Address
	}
	now.Account, now.Group = m.Account, m.Group
	return now
}

// fromAPI updates the part of the state that depends on the machine alone. Discs and the image have their own rules
// (disc_read.go, image.go).
func (m *model) fromAPI(vm *cloudserver.VirtualMachine) {
	configured := m.HardwareProfile
	effective := m.EffectiveHardwareProfile
	m.common = m.refreshed(vm)
	if vm.HardwareProfile != nil {
		effective = m.HardwareProfile
	}
	m.EffectiveHardwareProfile = tfkit.PlannedOr(effective, types.StringNull())
	if tfkit.Given(configured) &&
		(vm.HardwareProfile == nil || cloudserver.IsProfileUpgrade(configured.ValueString(), *vm.HardwareProfile)) {
		m.HardwareProfile = configured
	}
}

// readKeymap keeps the configured name if the service reports the keymap in an unspecified shape (API.md §8.1), which
// cannot be compared with it.
func readKeymap(before, reported types.String) types.String {
	if tfkit.Given(before) && json.Valid([]byte(reported.ValueString())) {
		return before
	}
	return reported
}

// createRequest returns the body of vm_create (API.md §7). All values come from the plan except write-only ones, which
// only the configuration has.
func (m *model) createRequest(config model) cloudserver.VirtualMachineCreate {
	ips, _ := blockOf[ipsModel](m.IPs)
	create := cloudserver.VirtualMachineCreate{
		VirtualMachine: cloudserver.VirtualMachineSpec{Name: m.Name.ValueString()}, IPs: ips.toAPI(),
	}
	spec := &create.VirtualMachine
	if tfkit.Given(m.ZoneName) {
		spec.ZoneName = m.ZoneName.ValueStringPointer()
	}
	for _, s := range settings {
		if tfkit.Given(s.value(&m.common)) {
			s.send(&spec.Settings, &m.common)
		}
	}
	spec.PowerOn, spec.AutorebootOn = m.PowerOn.ValueBoolPointer(), m.AutorebootOn.ValueBoolPointer()
	for _, disc := range m.discs() {
		create.Discs = append(create.Discs, disc.toAPI())
	}
	if !m.Reimage.IsNull() {
		create.Reimage = new(m.image(config))
	}
	return create
}

// complete fills unknown values of the plan with what the service reports, or else with what was known before. What is
// unknown to both becomes null.
func (m *model) complete(ctx context.Context, directory *fleet.Directory, before model, vm *cloudserver.VirtualMachine) {
	reported := before
	reported.fromAPI(vm)
	if m.Group.IsUnknown() && vm.GroupID != 0 {
		reported.Group = tfkit.IDOrNull(vm.GroupID)
		group, err := directory.GroupByID(ctx, vm.GroupID, m.Account.ValueString())
		if err == nil && group != nil {
			reported.Group, reported.Account = types.StringValue(group.Name), types.StringValue(group.Account)
		}
	}
	m.fill(&reported, vm.Discs)
}

// fill fills unknown values of the plan.
func (m *model) fill(reported *model, discs []cloudserver.Disc) {
	reported.Group = tfkit.PlannedOr(reported.Group, types.StringNull())
	reported.Account = tfkit.PlannedOr(reported.Account, types.StringNull())
	m.ID = reported.ID
	tfkit.FillUnknown(&m.common, reported.common)
	m.EffectiveHardwareProfile = tfkit.PlannedOr(m.EffectiveHardwareProfile, reported.EffectiveHardwareProfile)
	m.Disc = discList(fillDiscs(m.discs(), discs))
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
