package vm

import (
	"context"
	"encoding/json"
	"net/netip"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// machineFromAPI converts what the service reports (API.md §8.1). Where the
// machine is: read.go.
func machineFromAPI(vm *cloudserver.VirtualMachine) machine {
	return machine{
		ID:                    tfkit.IDOrNull(vm.ID),
		GroupID:               tfkit.IDOrNull(vm.GroupID),
		Name:                  tfkit.StringOrNull(vm.Name),
		Cores:                 types.Int64PointerValue(vm.Cores),
		Memory:                types.Int64PointerValue(vm.Memory),
		HardwareProfile:       types.StringPointerValue(vm.HardwareProfile),
		HardwareProfileLocked: types.BoolPointerValue(vm.HardwareProfileLocked),
		AutorebootOn:          types.BoolPointerValue(vm.AutorebootOn),
		PowerOn:               types.BoolPointerValue(vm.PowerOn),
		Keymap:                types.StringPointerValue(vm.Keymap),
		CDROMURL:              types.StringPointerValue(vm.CDROMURL),
		ZoneName:              types.StringPointerValue(vm.ZoneName),
		LastImagedWith:        types.StringPointerValue(vm.LastImagedWith),
		Hostname:              types.StringPointerValue(vm.Hostname),
		ManagementAddress:     types.StringPointerValue(vm.ManagementAddress),
		IPv4Address:           firstAddress(vm.NetworkInterfaces, netip.Addr.Is4),
		IPv6Address:           firstAddress(vm.NetworkInterfaces, netip.Addr.Is6),
	}
}

// update returns the machine as it is now: what the service reports, and what
// was known before where it reports nothing. Account and group stay.
func (m machine) update(vm *cloudserver.VirtualMachine) machine {
	now := machineFromAPI(vm)
	nullable := now // null is an answer for these
	tfkit.KeepUnreported(&now, m)
	now.Keymap = readKeymap(m.Keymap, nullable.Keymap)
	now.CDROMURL, now.LastImagedWith = nullable.CDROMURL, nullable.LastImagedWith
	if vm.NetworkInterfaces != nil {
		now.IPv4Address, now.IPv6Address = nullable.IPv4Address, nullable.IPv6Address
	}
	now.Account, now.Group = m.Account, m.Group
	return now
}

// fromAPI updates the part of the state that the machine itself decides. Discs
// and the image have rules of their own (read.go).
func (m *model) fromAPI(vm *cloudserver.VirtualMachine) {
	configured := m.HardwareProfile
	effective := m.EffectiveHardwareProfile
	m.machine = m.update(vm)
	if vm.HardwareProfile != nil {
		effective = m.HardwareProfile
	}
	m.EffectiveHardwareProfile = tfkit.PlannedOr(effective, types.StringNull())
	if tfkit.Given(configured) && (vm.HardwareProfile == nil || cloudserver.IsProfileUpgrade(configured.ValueString(), *vm.HardwareProfile)) {
		m.HardwareProfile = configured
	}
}

// readKeymap keeps the configured name where the service reports the keymap in a
// shape that is not specified (API.md §8.1), which cannot be compared with it.
func readKeymap(before, reported types.String) types.String {
	if tfkit.Given(before) && json.Valid([]byte(reported.ValueString())) {
		return before
	}
	return reported
}

// createRequest returns the body of vm_create (API.md §7). Everything comes from
// the plan except the write-only values, which only the configuration has.
func (m *model) createRequest(config model) cloudserver.VirtualMachineCreate {
	ips, _ := blockOf[ipsModel](m.IPs)
	create := cloudserver.VirtualMachineCreate{VirtualMachine: cloudserver.VirtualMachineSpec{Name: m.Name.ValueString()}, IPs: ips.toAPI()}
	spec := &create.VirtualMachine
	if tfkit.Given(m.ZoneName) {
		spec.ZoneName = m.ZoneName.ValueStringPointer()
	}
	for _, s := range settings {
		if tfkit.Given(s.value(m)) {
			s.set(&spec.Settings, m)
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

// complete fills what the plan left open: with what the service reports, and else
// with what was known before. What nobody reported is null.
func (m *model) complete(ctx context.Context, data *tfkit.ProviderData, before model, vm *cloudserver.VirtualMachine) {
	reported := before
	reported.fromAPI(vm)
	if m.Group.IsUnknown() && vm.GroupID != 0 {
		reported.Group = tfkit.IDOrNull(vm.GroupID)
		if group, err := data.Fleet.Directory.GroupByID(ctx, vm.GroupID, m.Account.ValueString()); err == nil && group != nil {
			reported.Group, reported.Account = types.StringValue(group.Name), types.StringValue(group.Account)
		}
	}
	m.fill(&reported, vm.Discs)
}

// fill fills what the plan left open.
func (m *model) fill(reported *model, discs []cloudserver.Disc) {
	reported.Group, reported.Account = tfkit.PlannedOr(reported.Group, types.StringNull()), tfkit.PlannedOr(reported.Account, types.StringNull())
	m.ID = reported.ID
	tfkit.FillUnknown(&m.machine, reported.machine)
	m.EffectiveHardwareProfile = tfkit.PlannedOr(m.EffectiveHardwareProfile, reported.EffectiveHardwareProfile)
	m.Disc = discList(fillDiscs(m.discs(), discs))
}
