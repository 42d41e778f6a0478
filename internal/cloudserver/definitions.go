package cloudserver

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
)

// Definitions is what the service offers (API.md §8). A missing set is empty, not nil. The order is the service's.
type Definitions struct {
	Distributions, StorageGrades, HardwareProfiles, ZoneNames []string
	Keymaps, Sendkeys                                         []string
	// The descriptions are by name.
	DistributionDescriptions, StorageGradeDescriptions map[string]string
	// Unread are the sets that were not understood in full. They refuse nothing.
	Unread []string
	// JSON is the whole answer as received.
	JSON string
}

// The IDs of the sets.
const (
	Distributions    = "distributions"
	StorageGrades    = "storage_grades"
	HardwareProfiles = "hardware_profiles"
	ZoneNames        = "zone_names"
	Keymaps          = "keymaps"
	Sendkeys         = "sendkeys"
)

// Definitions reads what the service offers (API.md §6). It works without credentials; with them there may be more
// zones.
func (c *Client) Definitions(ctx context.Context) (*Definitions, error) {
	answer, err := c.do(ctx, call{method: http.MethodGet, path: []string{"definitions"}})
	if err != nil {
		return nil, err
	}
	var sets []json.RawMessage
	if err := answer.decode(&sets); err != nil {
		return nil, err
	}
	data := map[string]json.RawMessage{}
	for _, document := range sets {
		var set struct {
			ID   string          `json:"id"`
			Data json.RawMessage `json:"data"`
		}
		if decode(document, &set) == nil {
			data[set.ID] = set.Data
		}
	}
	definitions := &Definitions{JSON: string(answer.body)}
	definitions.fill(data)
	return definitions, nil
}

// sets returns where the names of each set are decoded to.
func (d *Definitions) sets() map[string]*[]string {
	return map[string]*[]string{
		Distributions: &d.Distributions, StorageGrades: &d.StorageGrades, HardwareProfiles: &d.HardwareProfiles,
		ZoneNames: &d.ZoneNames, Keymaps: &d.Keymaps, Sendkeys: &d.Sendkeys,
	}
}

// Offered returns the names of a set, and their descriptions if there are any. whole is false if the set has an element
// of a shape that is not understood: then it may offer more.
func (d *Definitions) Offered(set string) (names []string, descriptions map[string]string, whole bool) {
	switch set {
	case Distributions:
		descriptions = d.DistributionDescriptions
	case StorageGrades:
		descriptions = d.StorageGradeDescriptions
	}
	return *d.sets()[set], descriptions, !slices.Contains(d.Unread, set)
}

// fill decodes the known sets and ignores the others. A set of another shape is no reason to fail, because no shape is
// promised for all of them (API.md §6).
func (d *Definitions) fill(data map[string]json.RawMessage) {
	sets := d.sets()
	for _, id := range slices.Sorted(maps.Keys(sets)) {
		names, whole := namesOf(data[id])
		*sets[id] = names
		if !whole {
			d.Unread = append(d.Unread, id)
		}
	}
	d.DistributionDescriptions = descriptions(data["distribution_descriptions"])
	d.StorageGradeDescriptions = descriptions(data["storage_grade_descriptions"])
}

// namesOf returns the elements of an array. whole is false if the set is not an array, or an element is not a string, of
// which the name is its JSON.
func namesOf(set json.RawMessage) (names []string, whole bool) {
	names = []string{}
	if len(set) == 0 || string(set) == "null" {
		return names, true
	}
	var elements []json.RawMessage
	if json.Unmarshal(set, &elements) != nil {
		return names, false
	}
	whole = true
	for _, element := range elements {
		var name text
		if json.Unmarshal(element, &name) != nil || element[0] != '"' {
			whole = false
		}
		names = append(names, string(name))
	}
	return names, whole
}

// descriptions returns the values of a set that is an object by name. Any other set describes nothing.
func descriptions(set json.RawMessage) map[string]string {
	found := map[string]string{}
	var object map[string]text
	if json.Unmarshal(set, &object) == nil {
		for name, description := range object {
			found[name] = string(description)
		}
	}
	return found
}
