package cloudserver

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// Definitions is what the platform offers (API.md §8). A set that is
// missing is empty, not nil; the order is the service's.
type Definitions struct {
	Distributions, StorageGrades, HardwareProfiles, ZoneNames []string
	// Keymaps and Sendkeys are of a shape that is not specified: the elements
	// of an array, or the keys of an object.
	Keymaps, Sendkeys []string
	// The descriptions are an object by name, or an array in the order of the
	// set that they describe.
	DistributionDescriptions, StorageGradeDescriptions map[string]string
	// JSON is the whole answer as it came.
	JSON string
}

// Definitions reads what the platform offers (API.md §6). It works without
// credentials; with them there may be more zones.
func (c *Client) Definitions(ctx context.Context) (*Definitions, error) {
	answer, err := c.do(ctx, call{method: http.MethodGet, path: []string{"definitions"}})
	if err != nil {
		return nil, err
	}
	if kindOf(answer.body) == "an object" { // not even a list of one: a set has a text id
		return nil, answer.misunderstood(answer.oddity())
	}
	sets, err := listOf[json.RawMessage](answer)
	if err != nil {
		return nil, err
	}
	data := map[string]json.RawMessage{}
	for _, element := range sets {
		var set struct {
			ID   string          `json:"id"`
			Data json.RawMessage `json:"data"`
		}
		if json.Unmarshal(element, &set) == nil {
			data[set.ID] = set.Data
		}
	}
	definitions := &Definitions{JSON: string(answer.body)}
	if err := definitions.fill(data); err != nil {
		return nil, answer.misunderstood(err)
	}
	return definitions, nil
}

// fill reads the sets that are known and ignores the others.
func (d *Definitions) fill(data map[string]json.RawMessage) (err error) {
	sets := map[string]*[]string{
		"distributions": &d.Distributions, "storage_grades": &d.StorageGrades, "hardware_profiles": &d.HardwareProfiles,
		"zone_names": &d.ZoneNames, "keymaps": &d.Keymaps, "sendkeys": &d.Sendkeys,
	}
	for _, id := range slices.Sorted(maps.Keys(sets)) {
		if *sets[id], err = namesOf(data[id], id == "keymaps" || id == "sendkeys"); err != nil {
			return fmt.Errorf("the set %q %w", id, err)
		}
	}
	if d.DistributionDescriptions, err = descriptions(data, "distribution_descriptions", d.Distributions); err == nil {
		d.StorageGradeDescriptions, err = descriptions(data, "storage_grade_descriptions", d.StorageGrades)
	}
	return err
}

// namesOf returns the elements of an array or, if that is allowed, the keys of an
// object. An element that is not a string is its JSON.
func namesOf(data json.RawMessage, orKeysOf bool) ([]string, error) {
	found := []string{}
	kind := kindOf(data)
	switch {
	case kind == "nothing" || kind == "null":
		return found, nil
	case kind == "an object" && orKeysOf:
		fields, err := members(data)
		for _, field := range fields {
			found = append(found, printable(field.name))
		}
		return found, err
	case kind != "an array":
		return nil, fmt.Errorf("should be an array, but is %s", kind)
	}
	for _, element := range elementsOf(data) {
		found = append(found, textOf(element))
	}
	return found, nil
}

// descriptions returns the values of a set that is an object, or the elements of an
// array that has one for each of the names.
func descriptions(data map[string]json.RawMessage, id string, names []string) (map[string]string, error) {
	found := map[string]string{}
	switch kind := kindOf(data[id]); kind {
	case "nothing", "null":
	case "an object":
		fields, err := members(data[id])
		for _, field := range fields {
			found[printable(field.name)] = textOf(field.value)
		}
		return found, err
	case "an array":
		elements := elementsOf(data[id])
		for i := range elements {
			if len(elements) == len(names) {
				found[names[i]] = textOf(elements[i])
			}
		}
	default:
		return nil, fmt.Errorf("the set %q should be an object, but is %s", id, kind)
	}
	return found, nil
}
