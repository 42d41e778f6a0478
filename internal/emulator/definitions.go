package emulator

import (
	"encoding/json"
	"maps"
	"net/http"
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
func (s *store) choice(set string) choice {
	values, ok := texts(s.definitions[set]).([]string)
	return choice{!ok, values}
}

// zones returns the zones in which a machine can be created.
func (s *store) zones() choice {
	c := s.choice("zone_names")
	c.values = append(slices.Clone(c.values), HiddenZone)
	return c
}

// profiles returns the hardware profiles that a machine can have, even if the definitions list only some of them.
func (s *store) profiles() choice {
	c := s.choice("hardware_profiles")
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
	for _, id := range slices.Sorted(maps.Keys(c.store.definitions)) {
		if !slices.Contains(order, id) {
			order = append(order, id)
		}
	}
	sets := []set{}
	for _, id := range order {
		data, exists := c.store.definitions[id]
		if !exists || c.store.options.Answers.FewDefinitions && id != "distributions" && id != "storage_grades" {
			continue
		}
		if zones, isList := data.([]string); isList && id == "zone_names" && c.user != nil {
			data = append(slices.Clone(zones), HiddenZone)
		}
		if c.store.options.Answers.OddDefinitions {
			data = oddly(id, data)
		}
		sets = append(sets, set{id, data})
	}
	if c.store.options.Answers.OddDefinitions {
		sets = append(sets, set{"colours", []any{"red", 7}})
	}
	// Encoded here, because the data is shared with the store.
	encoded, err := json.Marshal(sets)
	return answer{http.StatusOK, "", json.RawMessage(encoded)}, err
}

// oddly returns a set of definitions in another shape that API.md §6 allows.
func oddly(id string, data any) any {
	switch data := data.(type) {
	case []string:
		if id != "keymaps" && id != "sendkeys" {
			return data
		}
		shaped := map[string]any{}
		for n, key := range data {
			shaped[key] = map[string]any{"position": n}
		}
		return shaped
	case map[string]any:
		shaped := map[string]any{}
		for name, description := range data {
			shaped[name] = map[string]any{"en": description}
		}
		return shaped
	}
	return data
}
