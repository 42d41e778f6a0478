// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"net/netip"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// machineFromAPI converts what the service reports (API.md §8.1), but for the names of account and group, which it
// does not report.
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

// refreshed returns the machine with the values that the service reports, or the earlier ones if it reports none.
// Account and group are kept.
func (m common) refreshed(vm *cloudserver.VirtualMachine) common {
	now := machineFromAPI(vm)
	reported := now // for some attributes, null is a value
	tfkit.KeepUnreported(&now, m)
	for _, s := range settings {
		if s.null {
			s.read(&now, vm)
		}
	}
	now.LastImagedWith = reported.LastImagedWith
	if vm.NetworkInterfaces != nil {
		now.IPv4Address = keepAddress(m.IPv4Address, reported.IPv4Address, vm.NetworkInterfaces)
		now.IPv6Address = keepAddress(m.IPv6Address, reported.IPv6Address, vm.NetworkInterfaces)
	}
	now.Account, now.Group = m.Account, m.Group
	return now
}

// fromAPI updates the part of the state that depends on the machine alone. Location, discs and image have rules of
// their own.
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

// createRequest returns the body of vm_create (API.md §7). The image is installed if the plan has one.
func (m *model) createRequest(image cloudserver.Reimage) cloudserver.VirtualMachineCreate {
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
	create.Discs = mapped(m.discs(), discModel.toAPI)
	if !m.Reimage.IsNull() {
		create.Reimage = &image
	}
	return create
}

// complete fills unknown values of the plan with what the service reports, or else with what was known before. What is
// unknown to both becomes null, but for account_id, which no answer about a machine has.
func (m *model) complete(before *model, vm *cloudserver.VirtualMachine) {
	reported := *before
	reported.fromAPI(vm)
	reported.Group = tfkit.PlannedOr(reported.Group, types.StringNull())
	reported.Account = tfkit.PlannedOr(reported.Account, types.StringNull())
	m.ID = reported.ID
	tfkit.FillUnknown(&m.common, reported.common)
	m.EffectiveHardwareProfile = tfkit.PlannedOr(m.EffectiveHardwareProfile, reported.EffectiveHardwareProfile)
	m.Disc = discList(fillDiscs(m.discs(), vm.Discs))
}

// fillDiscs completes planned discs: by ID if the plan has it, and new discs by label.
func fillDiscs(planned []discModel, reported []cloudserver.Disc) []discModel {
	return mapped(planned, func(d discModel) discModel {
		var found discModel
		if r := findDisc(d, reported); r != nil {
			found = discFromAPI(*r)
		}
		d.StorageGrade = tfkit.PlannedOr(d.StorageGrade, found.StorageGrade)
		d.ID = tfkit.PlannedOr(d.ID, found.ID)
		return d
	})
}

// keepAddress returns the address of the state while the machine has it, whatever the service lists first: reverse names
// and other resources refer to it.
func keepAddress(had, first types.String, interfaces []cloudserver.NetworkInterface) types.String {
	for _, n := range interfaces {
		if tfkit.Given(had) && slices.ContainsFunc(n.IPs, func(ip string) bool { return tfkit.SameAddress(ip, had.ValueString()) }) {
			return had
		}
	}
	return first
}

// firstAddress returns the first address of the family that others can reach, or null.
func firstAddress(interfaces []cloudserver.NetworkInterface, family func(netip.Addr) bool) types.String {
	for _, n := range interfaces {
		for _, text := range n.IPs {
			address, err := netip.ParseAddr(text)
			if err == nil && family(address) && !address.IsLinkLocalUnicast() {
				return types.StringValue(text)
			}
		}
	}
	return types.StringNull()
}
