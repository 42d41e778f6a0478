// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"maps"
	"slices"
)

// accepted are values that the service accepts even if its definitions do not list them.
var accepted = map[string][]string{
	"zone_names":        {HiddenZone},
	"hardware_profiles": {newProfile, oldProfile, "compatibility2013", "compatibility2011"},
}

// accepts reports whether a value may be chosen from a set of definitions. If the set is missing or has another shape,
// every value may.
func (w *world) accepts(set, value string) bool {
	if slices.Contains(accepted[set], value) {
		return true
	}
	switch values := w.Definitions[set].(type) {
	case []string:
		return slices.Contains(values, value)
	case []any: // from JSON
		return slices.Contains(values, any(value))
	}
	return true
}

// set is one element of GET /definitions.
type set struct {
	ID   string `json:"id"`
	Data any    `json:"data"`
}

// showDefinitions is GET /definitions (API.md §6). An invalid Authorization header is ignored.
func showDefinitions(c *call) (answer, error) {
	sets := []set{}
	for _, id := range slices.Sorted(maps.Keys(c.world.Definitions)) {
		data := c.world.Definitions[id]
		if data == nil {
			continue
		}
		if id == "zone_names" && c.user != nil {
			data = withHiddenZone(data)
		}
		sets = append(sets, set{id, data})
	}
	return reply("", sets)
}

// withHiddenZone returns the zones that a user sees.
func withHiddenZone(zones any) any {
	switch zones := zones.(type) {
	case []string:
		return append(slices.Clone(zones), HiddenZone)
	case []any:
		return append(slices.Clone(zones), HiddenZone)
	}
	return zones
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
