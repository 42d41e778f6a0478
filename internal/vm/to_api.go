package vm

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

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
	if tfkit.Given(m.PowerOn) {
		spec.PowerOn = m.PowerOn.ValueBoolPointer()
	}
	if tfkit.Given(m.AutorebootOn) {
		spec.AutorebootOn = m.AutorebootOn.ValueBoolPointer()
	}
	for _, disc := range m.discs() {
		create.Discs = append(create.Discs, disc.toAPI())
	}
	if !m.Reimage.IsNull() {
		create.Reimage = new(m.image(config))
	}
	return create
}

// changedSettings returns the settings in which the plan differs from the state.
func (m *model) changedSettings(state *model) cloudserver.Settings {
	var changed cloudserver.Settings
	for _, s := range settings {
		before, wanted := s.value(state), s.value(m)
		switch {
		case s.name == "hardware_profile" && !m.changesProfile(state):
		case s.name == "cdrom_url" && wanted.IsNull() && !before.IsNull(): // ejects the image
			s.set(&changed, m)
		case differs(before, wanted):
			s.set(&changed, m)
		}
	}
	return changed
}

// changesProfile is false where the service has made the wanted upgrade already,
// or would make the upgrade to the present profile again.
func (m *model) changesProfile(state *model) bool {
	return differs(state.HardwareProfile, m.HardwareProfile) && !m.HardwareProfile.Equal(state.EffectiveHardwareProfile) && !m.repeatsUpgrade(state)
}

// repeatsUpgrade reports whether the service would replace the wanted profile, at
// the power cycle that sets it, by the one that the machine has (API.md §8).
func (m *model) repeatsUpgrade(state *model) bool {
	return m.HardwareProfileLocked.Equal(types.BoolValue(false)) && differs(state.HardwareProfile, m.HardwareProfile) &&
		cloudserver.IsProfileUpgrade(m.HardwareProfile.ValueString(), state.EffectiveHardwareProfile.ValueString())
}
