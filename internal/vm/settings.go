// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// setting is a scalar that the service reports, and that vm_create and PUT accept, under the attribute's name.
type setting struct {
	name  string
	value func(*common) attr.Value
	read  func(*common, *cloudserver.VirtualMachine)
	send  func(*cloudserver.Settings, *common)
	// null: the service reports null if there is no value. For the other settings null means nothing.
	null bool
	// changes reports whether the plan changes it; nil: if it is known and differs.
	changes func(state, plan *model) bool
	// needsOff reports whether the planned change needs the machine to be off; nil: none does. A guest that is on sees
	// any other change of such a setting, which lowers it, after a power cycle (API.md §3, changes to a running machine).
	needsOff func(state, plan *model) bool
	offer    tfkit.Offer // the values that it can have, if the service lists them
}

// settings are all of these. Power has its own rules: power.go.
var settings = []setting{
	{
		name:     "cores",
		value:    func(m *common) attr.Value { return m.Cores },
		read:     func(m *common, vm *cloudserver.VirtualMachine) { m.Cores = types.Int64PointerValue(vm.Cores) },
		send:     func(s *cloudserver.Settings, m *common) { s.Cores = m.Cores.ValueInt64Pointer() },
		needsOff: func(state, plan *model) bool { return plan.Cores.ValueInt64() > state.Cores.ValueInt64() },
	},
	{
		name:     "memory",
		value:    func(m *common) attr.Value { return m.Memory },
		read:     func(m *common, vm *cloudserver.VirtualMachine) { m.Memory = types.Int64PointerValue(vm.Memory) },
		send:     func(s *cloudserver.Settings, m *common) { s.Memory = m.Memory.ValueInt64Pointer() },
		needsOff: func(state, plan *model) bool { return plan.Memory.ValueInt64() > state.Memory.ValueInt64() },
	},
	{
		name:  "hardware_profile",
		value: func(m *common) attr.Value { return m.HardwareProfile },
		read: func(m *common, vm *cloudserver.VirtualMachine) {
			m.HardwareProfile = types.StringPointerValue(vm.HardwareProfile)
		},
		send:     func(s *cloudserver.Settings, m *common) { s.HardwareProfile = m.HardwareProfile.ValueStringPointer() },
		changes:  func(state, plan *model) bool { return plan.changesProfile(state) },
		needsOff: func(*model, *model) bool { return true },
		offer:    tfkit.HardwareProfile,
	},
	{
		name:  "hardware_profile_locked",
		value: func(m *common) attr.Value { return m.HardwareProfileLocked },
		read: func(m *common, vm *cloudserver.VirtualMachine) {
			m.HardwareProfileLocked = types.BoolPointerValue(vm.HardwareProfileLocked)
		},
		send: func(s *cloudserver.Settings, m *common) {
			s.HardwareProfileLocked = m.HardwareProfileLocked.ValueBoolPointer()
		},
	},
	{
		name:  "keymap",
		value: func(m *common) attr.Value { return m.Keymap },
		read: func(m *common, vm *cloudserver.VirtualMachine) {
			m.Keymap = types.StringPointerValue((*string)(vm.Keymap))
		},
		send: func(s *cloudserver.Settings, m *common) {
			s.Keymap = &cloudserver.Nullable{Value: m.Keymap.ValueStringPointer()}
		},
		null:  true,
		offer: tfkit.Keymap,
	},
	{
		name:  "cdrom_url",
		value: func(m *common) attr.Value { return m.CDROMURL },
		read:  func(m *common, vm *cloudserver.VirtualMachine) { m.CDROMURL = types.StringPointerValue(vm.CDROMURL) },
		send: func(s *cloudserver.Settings, m *common) {
			s.CDROMURL = &cloudserver.Nullable{Value: m.CDROMURL.ValueStringPointer()}
		},
		null: true,
		changes: func(state, plan *model) bool { // null ejects the image
			return !plan.CDROMURL.IsUnknown() && !plan.CDROMURL.Equal(state.CDROMURL)
		},
	},
}

// isChanged reports whether the plan changes the setting.
func (s setting) isChanged(state, plan *model) bool {
	if s.changes != nil {
		return s.changes(state, plan)
	}
	return differs(s.value(&state.common), s.value(&plan.common))
}

// addSettings records the settings that the plan changes, and what that means for a machine that is on.
func (c *change) addSettings(state, plan *model) {
	for _, s := range settings {
		if !s.isChanged(state, plan) {
			continue
		}
		s.send(&c.settings, &plan.common)
		switch {
		case s.needsOff == nil:
		case s.needsOff(state, plan):
			c.offFor = append(c.offFor, s.name)
		default:
			c.lowered = append(c.lowered, s.name)
		}
	}
}

// changesProfile returns false if the service has already made the wanted upgrade, or would upgrade to the current
// profile again.
func (m *model) changesProfile(state *model) bool {
	return differs(state.HardwareProfile, m.HardwareProfile) &&
		!m.HardwareProfile.Equal(state.EffectiveHardwareProfile) &&
		!m.repeatsUpgrade(state)
}

// repeatsUpgrade reports whether the service would replace the wanted profile by the current one at the very power
// cycle that sets it (API.md §8).
func (m *model) repeatsUpgrade(state *model) bool {
	return m.HardwareProfileLocked.Equal(types.BoolValue(false)) && differs(state.HardwareProfile, m.HardwareProfile) &&
		cloudserver.IsProfileUpgrade(m.HardwareProfile.ValueString(), state.EffectiveHardwareProfile.ValueString())
}

// warnProfile explains why an older profile is not set.
func (d *decision) warnProfile(diags *diag.Diagnostics) {
	if d.plan.repeatsUpgrade(&d.state) {
		diags.AddAttributeWarning(path.Root("hardware_profile"), "The hardware profile is only recorded",
			fmt.Sprintf("The %s has the profile %s, to which the service upgrades %s at each restart. "+
				"To go back to the older one, set hardware_profile_locked = true as well.",
				d.state.title(), d.state.EffectiveHardwareProfile, d.plan.HardwareProfile))
	}
}

// newChoices returns new and changed values that must be among the service's definitions (API.md §6). Deployed values
// are not checked again, nor is a distribution that is only recorded, because the service may have withdrawn it.
func newChoices(state, plan *model, installs bool) (choices []tfkit.Choice) {
	add := func(at path.Path, offer tfkit.Offer, before, wanted attr.Value) {
		if text, ok := wanted.(types.String); ok && differs(before, wanted) {
			choices = append(choices, tfkit.Choice{At: at, Value: text.ValueString(), Offer: offer})
		}
	}
	before, _ := blockOf[reimageModel](state.Reimage)
	if wanted, ok := blockOf[reimageModel](plan.Reimage); ok && installs {
		add(path.Root("reimage").AtName("distribution"), tfkit.Distribution, before.Distribution, wanted.Distribution)
	}
	add(path.Root("zone_name"), tfkit.Zone, state.ZoneName, plan.ZoneName)
	for _, s := range settings {
		if s.offer.Set != "" {
			add(path.Root(s.name), s.offer, s.value(&state.common), s.value(&plan.common))
		}
	}
	deployed := state.discs()
	for i, disc := range plan.discs() {
		if !hasDisc(deployed, disc.ID) {
			add(discPath(i, "storage_grade"), tfkit.StorageGrade, types.StringNull(), disc.StorageGrade)
		}
	}
	return choices
}
