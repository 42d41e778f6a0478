package cloudserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
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
	definitions := &Definitions{JSON: string(answer.body)}
	if kindOf(answer.body) == "an object" { // not even a list of one: a set has a text id
		return nil, answer.misunderstood(answer.oddity())
	}
	sets, err := decodeList[json.RawMessage](answer)
	if err != nil {
		return nil, err
	}
	if err := definitions.decode(sets); err != nil {
		return nil, answer.misunderstood(err)
	}
	return definitions, nil
}

// decode decodes the sets. Anything else is ignored.
func (d *Definitions) decode(sets []json.RawMessage) error {
	data := make(map[string]json.RawMessage, len(sets))
	for _, element := range sets {
		var set struct {
			ID   looseText       `json:"id"`
			Data json.RawMessage `json:"data"`
		}
		if err := json.Unmarshal(element, &set); err == nil {
			data[valueOf(set.ID.value)] = set.Data
		}
	}
	return d.fill(data)
}

// fill reads the sets that are known and ignores the others.
func (d *Definitions) fill(data map[string]json.RawMessage) error {
	for _, set := range []struct {
		id       string
		target   *[]string
		orKeysOf bool
	}{
		{id: "distributions", target: &d.Distributions},
		{id: "storage_grades", target: &d.StorageGrades},
		{id: "hardware_profiles", target: &d.HardwareProfiles},
		{id: "zone_names", target: &d.ZoneNames},
		{id: "keymaps", target: &d.Keymaps, orKeysOf: true},
		{id: "sendkeys", target: &d.Sendkeys, orKeysOf: true},
	} {
		texts, err := namesOf(data[set.id], set.orKeysOf)
		if err != nil {
			return fmt.Errorf("the set %q %w", set.id, err)
		}
		*set.target = texts
	}
	var err error
	if d.DistributionDescriptions, err = descriptions(data["distribution_descriptions"], d.Distributions); err != nil {
		return fmt.Errorf("the set %q %w", "distribution_descriptions", err)
	}
	if d.StorageGradeDescriptions, err = descriptions(data["storage_grade_descriptions"], d.StorageGrades); err != nil {
		return fmt.Errorf("the set %q %w", "storage_grade_descriptions", err)
	}
	return nil
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

// descriptions returns the values of an object, or the elements of an array that
// has one for each of the names.
func descriptions(data json.RawMessage, names []string) (map[string]string, error) {
	found := map[string]string{}
	switch kind := kindOf(data); kind {
	case "nothing", "null":
	case "an object":
		fields, err := members(data)
		if err != nil {
			return nil, err
		}
		for _, field := range fields {
			found[printable(field.name)] = textOf(field.value)
		}
	case "an array":
		elements, err := namesOf(data, false)
		if err != nil {
			return nil, err
		}
		for i := range elements {
			if len(elements) == len(names) {
				found[names[i]] = elements[i]
			}
		}
	default:
		return nil, fmt.Errorf("should be an object, but is %s", kind)
	}
	return found, nil
}
