package vm

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// setting is a scalar that the service reports, and that vm_create and PUT accept, under the attribute's name.
type setting struct {
	name  string
	value func(*machine) attr.Value
	read  func(*machine, *cloudserver.VirtualMachine)
	send  func(*cloudserver.Settings, *machine)
	// null: the service reports null if there is no value. For the other settings null means nothing.
	null  bool
	offer tfkit.Offer // the values that it can have, if the service lists them
}

// settings are all of these. Power has its own rules: internal/operation.
var settings = []setting{
	{
		name:  "cores",
		value: func(m *machine) attr.Value { return m.Cores },
		read:  func(m *machine, vm *cloudserver.VirtualMachine) { m.Cores = types.Int64PointerValue(vm.Cores) },
		send:  func(s *cloudserver.Settings, m *machine) { s.Cores = m.Cores.ValueInt64Pointer() },
	},
	{
		name:  "memory",
		value: func(m *machine) attr.Value { return m.Memory },
		read:  func(m *machine, vm *cloudserver.VirtualMachine) { m.Memory = types.Int64PointerValue(vm.Memory) },
		send:  func(s *cloudserver.Settings, m *machine) { s.Memory = m.Memory.ValueInt64Pointer() },
	},
	{
		name:  "hardware_profile",
		value: func(m *machine) attr.Value { return m.HardwareProfile },
		read: func(m *machine, vm *cloudserver.VirtualMachine) {
			m.HardwareProfile = types.StringPointerValue(vm.HardwareProfile)
		},
		send:  func(s *cloudserver.Settings, m *machine) { s.HardwareProfile = m.HardwareProfile.ValueStringPointer() },
		offer: location.HardwareProfile,
	},
	{
		name:  "hardware_profile_locked",
		value: func(m *machine) attr.Value { return m.HardwareProfileLocked },
		read: func(m *machine, vm *cloudserver.VirtualMachine) {
			m.HardwareProfileLocked = types.BoolPointerValue(vm.HardwareProfileLocked)
		},
		send: func(s *cloudserver.Settings, m *machine) {
			s.HardwareProfileLocked = m.HardwareProfileLocked.ValueBoolPointer()
		},
	},
	{
		name:  "keymap",
		value: func(m *machine) attr.Value { return m.Keymap },
		read:  func(m *machine, vm *cloudserver.VirtualMachine) { m.Keymap = types.StringPointerValue(vm.Keymap) },
		send: func(s *cloudserver.Settings, m *machine) {
			s.Keymap = &cloudserver.Nullable{Value: m.Keymap.ValueStringPointer()}
		},
		null:  true,
		offer: keymap,
	},
	{
		name:  "cdrom_url",
		value: func(m *machine) attr.Value { return m.CDROMURL },
		read:  func(m *machine, vm *cloudserver.VirtualMachine) { m.CDROMURL = types.StringPointerValue(vm.CDROMURL) },
		send: func(s *cloudserver.Settings, m *machine) {
			s.CDROMURL = &cloudserver.Nullable{Value: m.CDROMURL.ValueStringPointer()}
		},
		null: true,
	},
}
