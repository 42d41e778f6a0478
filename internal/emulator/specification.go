package emulator

import "net/url"

// specification is what a client may say of a machine, in vm_create and in a
// PUT; nil is not said (api.md §1, PUT).
type specification struct {
	cores, memory *int64
	profile       *string
	locked        *bool
	autoreboot    *bool
	power         *bool
	cdrom, keymap *string // "" for null
}

// specification reads the attributes that creation and change share.
func (c *call) specification(f form) specification {
	s := specification{
		cores:      f.integer("cores", 1),
		memory:     f.integer("memory", 1),
		profile:    f.listed("hardware_profile", c.store.profiles()),
		locked:     f.boolean("hardware_profile_locked"),
		autoreboot: f.boolean("autoreboot_on"),
		power:      f.boolean("power_on"),
		cdrom:      f.nullable("cdrom_url"),
		keymap:     f.nullable("keymap"),
	}
	if s.cdrom != nil && *s.cdrom != "" {
		if address, err := url.Parse(*s.cdrom); err != nil || address.Scheme == "" || address.Host == "" {
			f.problems.add("cdrom_url", invalid)
		}
	}
	if s.keymap != nil && *s.keymap != "" && !c.store.choice("keymaps").has(*s.keymap) {
		f.problems.add("keymap", notListed)
	}
	return s
}

// refuseRunning notes what cannot be changed while m is on (api.md §3):
// raising cores or memory, and another hardware profile.
func (s specification) refuseRunning(m *machine, p problems) {
	if !m.PowerOn {
		return
	}
	const running = "cannot be changed while the virtual machine is on"
	if or(s.cores, m.Cores) > m.Cores {
		p.add("cores", running)
	}
	if or(s.memory, m.Memory) > m.Memory {
		p.add("memory", running)
	}
	if or(s.profile, m.HardwareProfile) != m.HardwareProfile {
		p.add("hardware_profile", running)
	}
}

// apply sets everything but the power.
func (s specification) apply(m *machine) {
	m.Cores = or(s.cores, m.Cores)
	m.Memory = or(s.memory, m.Memory)
	m.HardwareProfile = or(s.profile, m.HardwareProfile)
	m.HardwareProfileLocked = or(s.locked, m.HardwareProfileLocked)
	m.AutorebootOn = or(s.autoreboot, m.AutorebootOn)
	m.CDROMURL = or(s.cdrom, m.CDROMURL)
	m.Keymap = or(s.keymap, m.Keymap)
}
