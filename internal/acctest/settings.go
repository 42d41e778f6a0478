package acctest

import "github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"

// Setting is an attribute of a machine that changes in place and concerns nothing else: no power, no disc, no other
// attribute.
type Setting struct {
	Name   string
	Values []any                        // that it can have, beside none
	Of     func(emulator.Machine) any   // returns the value of a machine, or nil if it has none
	Set    func(*emulator.Machine, any) // changes the value of a machine; nil removes it
}

// Settings are for tests of values that are unknown, or changed outside Terraform.
var Settings = []Setting{
	settingOf("keymap", func(m *emulator.Machine) *string { return &m.Keymap }, "de", "fr"),
	settingOf("cdrom_url", func(m *emulator.Machine) *string { return &m.CDROMURL }, "https://a.example/a.iso", "https://b.example/b.iso"),
	settingOf("hardware_profile_locked", func(m *emulator.Machine) *bool { return &m.HardwareProfileLocked }, true, false),
}

func settingOf[T comparable](name string, field func(*emulator.Machine) *T, values ...T) Setting {
	s := Setting{
		Name: name,
		Of: func(m emulator.Machine) any {
			if value := any(*field(&m)); value != "" {
				return value
			}
			return nil
		},
		Set: func(m *emulator.Machine, value any) { *field(m), _ = value.(T) },
	}
	for _, value := range values {
		s.Values = append(s.Values, value)
	}
	return s
}

// Change sets a value that differs from the machine's.
func (s Setting) Change(m *emulator.Machine) {
	for _, value := range s.Values {
		if value != s.Of(*m) {
			s.Set(m, value)
			return
		}
	}
}

// SettingsWith returns a configuration of all settings with their first values, or their second ones.
func SettingsWith(i int) map[string]any {
	config := map[string]any{}
	for _, s := range Settings {
		config[s.Name] = s.Values[i]
	}
	return config
}
