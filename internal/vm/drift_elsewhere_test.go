package vm_test

import (
	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// elsewhere says, for every attribute that the service tells, how somebody
// changes it behind the provider's back. What only the provider knows is not
// here: nobody else can change it. Without an emulator the answer is good for
// its keys alone.
func elsewhere(e *acctest.Emulator) map[string]func(*emulator.Machine) {
	other, private := groupID(e, "other", emulator.DefaultGroup), groupID(e, emulator.DemoAccount, emulator.PrivateGroup)
	face := func(f func(*emulator.Interface)) func(*emulator.Machine) {
		return func(m *emulator.Machine) { f(&m.Interfaces[0]) }
	}
	disc := func(f func(*emulator.Disc)) func(*emulator.Machine) {
		return func(m *emulator.Machine) { f(&m.Discs[0]) }
	}
	return map[string]func(*emulator.Machine){
		"account":                    func(m *emulator.Machine) { m.GroupID = other },
		"group":                      func(m *emulator.Machine) { m.GroupID = private },
		"group_id":                   func(m *emulator.Machine) { m.GroupID = private },
		"name":                       func(m *emulator.Machine) { m.Name = "renamed" },
		"hostname":                   func(m *emulator.Machine) { m.Name = "renamed" },
		"cores":                      func(m *emulator.Machine) { m.Cores = 4 },
		"memory":                     func(m *emulator.Machine) { m.Memory = 8192 },
		"hardware_profile":           func(m *emulator.Machine) { m.HardwareProfile = "compatibility2011" },
		"effective_hardware_profile": func(m *emulator.Machine) { m.HardwareProfile = "compatibility2011" },
		"hardware_profile_locked":    func(m *emulator.Machine) { m.HardwareProfileLocked = !m.HardwareProfileLocked },
		"autoreboot_on":              func(m *emulator.Machine) { m.AutorebootOn = !m.AutorebootOn },
		"power_on":                   func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = !m.PowerOn, false },
		"keymap":                     func(m *emulator.Machine) { m.Keymap = "sv" },
		"cdrom_url":                  func(m *emulator.Machine) { m.CDROMURL = "https://images.example/rescue.iso" },
		"zone_name":                  func(m *emulator.Machine) { m.ZoneName = "manchester" },
		"last_imaged_with":           func(m *emulator.Machine) { m.LastImagedWith = "trixie" },
		"management_address":         func(m *emulator.Machine) { m.ManagementAddress = "192.0.2.250" },
		"reimage":                    func(m *emulator.Machine) { m.LastImagedWith = "trixie" },
		"reimage.distribution":       func(m *emulator.Machine) { m.LastImagedWith = "trixie" },

		"disc":                 func(m *emulator.Machine) { m.Discs = m.Discs[:1] },
		"disc.0.label":         disc(func(d *emulator.Disc) { d.Label = "boot" }),
		"disc.0.size":          disc(func(d *emulator.Disc) { d.Size = 51200 }),
		"disc.0.storage_grade": disc(func(d *emulator.Disc) { d.StorageGrade = "archive" }),

		"ipv4_address": face(func(f *emulator.Interface) { f.IPs[0] = "198.51.100.200" }),
		"ipv6_address": face(func(f *emulator.Interface) { f.IPs[1] = "2001:db8::beef" }),
	}
}

// groupID asks for the id of a group by way of a machine that stands in it for
// a moment.
func groupID(e *acctest.Emulator, account, group string) int64 {
	if e == nil {
		return 0
	}
	id := e.AddMachine(account, group, emulator.Machine{Name: "surveyor"})
	machine, _ := e.Machine(id)
	e.Purge(id)
	return machine.GroupID
}
