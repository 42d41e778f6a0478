package emulator

import (
	"maps"
	"slices"
)

// choice is a set of allowed values.
type choice struct {
	anything bool // the set is missing or has another shape: every value is allowed
	values   []string
}

func (c choice) has(value string) bool {
	return c.anything || slices.Contains(c.values, value)
}

// choice returns the values that a set of definitions allows.
func (w *world) choice(set string) choice {
	values, ok := texts(w.Definitions[set]).([]string)
	return choice{!ok, values}
}

// zones returns the zones in which a machine can be created.
func (w *world) zones() choice {
	c := w.choice("zone_names")
	c.values = append(slices.Clone(c.values), HiddenZone)
	return c
}

// profiles returns the hardware profiles that a machine can have, even if the definitions list only some of them.
func (w *world) profiles() choice {
	c := w.choice("hardware_profiles")
	c.values = append(slices.Clone(c.values), newProfile, oldProfile, "compatibility2013", "compatibility2011")
	return c
}

// set is one element of GET /definitions.
type set struct {
	ID   string `json:"id"`
	Data any    `json:"data"`
}

// showDefinitions is GET /definitions (API.md §6). An invalid Authorization header
// is ignored.
func showDefinitions(c *call) (answer, error) {
	order := []string{
		"distributions", "storage_grades", "hardware_profiles", "keymaps",
		"sendkeys", "zone_names", "distribution_descriptions", "storage_grade_descriptions",
	}
	for _, id := range slices.Sorted(maps.Keys(c.world.Definitions)) {
		if !slices.Contains(order, id) {
			order = append(order, id)
		}
	}
	sets := []set{}
	for _, id := range order {
		data := c.world.Definitions[id]
		if data == nil {
			continue
		}
		if zones, ok := texts(data).([]string); ok && id == "zone_names" && c.user != nil {
			data = append(slices.Clone(zones), HiddenZone)
		}
		sets = append(sets, set{id, data})
	}
	return reply("", sets)
}

// texts returns a list of strings as []string, and everything else unchanged.
func texts(data any) any {
	list, ok := data.([]any)
	if !ok {
		return data
	}
	values := make([]string, 0, len(list))
	for _, element := range list {
		value, ok := element.(string)
		if !ok {
			return data
		}
		values = append(values, value)
	}
	return values
}

// defaultDefinitions returns the sets of GET /definitions, by id.
func defaultDefinitions() map[string]any {
	distributions := map[string]any{
		"trixie":      "Debian 13 (Trixie)",
		"bookworm":    "Debian 12 (Bookworm)",
		"resolute":    "Ubuntu 26.04 LTS (Resolute Raccoon)",
		"noble":       "Ubuntu 24.04 LTS (Noble Numbat)",
		"jammy":       "Ubuntu 22.04 LTS (Jammy Jellyfish)",
		"almalinux10": "AlmaLinux 10",
		"almalinux9":  "AlmaLinux 9",
		"rocky10":     "Rocky Linux 10",
		"rocky9":      "Rocky Linux 9",
		"leap16":      "openSUSE Leap 16",
	}
	return map[string]any{
		"distributions": []string{
			"trixie", "bookworm", "resolute", "noble", "jammy",
			"almalinux10", "almalinux9", "rocky10", "rocky9", "leap16",
		},
		"storage_grades":    []string{"sata", "ssd", "archive"},
		"hardware_profiles": []string{"virtio2013", "virtio2011", "compatibility2013", "compatibility2011"},
		"keymaps":           []string{"en-gb", "en-us", "de", "es", "fr", "it", "ja", "pt", "sv"},
		"sendkeys": []string{
			"ctrl", "alt", "shift", "delete", "backspace", "esc", "tab", "ret", "spc", "sysrq",
			"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12",
		},
		"zone_names":                []string{"york", "manchester"},
		"distribution_descriptions": distributions,
		"storage_grade_descriptions": map[string]any{
			"sata":    "Standard storage, the default for new machines",
			"ssd":     "Fastest, premium storage",
			"archive": "Cheapest storage, for low performance requirements",
		},
	}
}
