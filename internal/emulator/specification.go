package emulator

import (
	"net/http"
	"net/url"
)

// specification is what a client may set in vm_create and in a PUT; nil is not set.
type specification struct {
	cores, memory *int64
	profile       *string
	locked        *bool
	autoreboot    *bool
	power         *bool
	cdrom, keymap *string // "" for null
}

// specification reads the attributes that creation and update share.
func (c *call) specification(f form) (specification, error) {
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
	if s.keymap != nil && *s.keymap != "" && !c.store.choice("keymaps").has(*s.keymap) {
		f.problems.add("keymap", notListed)
	}
	if c.store.options.Strict && s.memory != nil && !offered(*s.memory) {
		f.problems.add("memory", notListed)
	}
	if s.cdrom != nil && *s.cdrom != "" && !usableURL(*s.cdrom) && len(f.problems) == 0 {
		return s, refuse(http.StatusInternalServerError, "internal server error")
	}
	return s, nil
}

// usableURL reports whether the service can fetch a CD from a URL. Others make it fail with a 500.
func usableURL(value string) bool {
	address, err := url.Parse(value)
	return err == nil && (address.Scheme == "http" || address.Scheme == "https") && address.Host != ""
}

// offered reports whether a strict service offers an amount of memory: powers of two from 512 MB, and one and a half of
// each.
func offered(memory int64) bool {
	for size := int64(512); size <= 128*1024; size *= 2 {
		if memory == size || memory == size+size/2 {
			return true
		}
	}
	return false
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
