package cloudserver

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// Definitions is what the service offers (API.md §8). A missing set is empty, not nil. The order is the service's.
type Definitions struct {
	Distributions, StorageGrades, HardwareProfiles, ZoneNames []string
	// Keymaps and Sendkeys have no specified shape. They are the elements of an array, or the keys of an object.
	Keymaps, Sendkeys []string
	// The descriptions may be an object by name, or an array in the order of the set that they describe.
	DistributionDescriptions, StorageGradeDescriptions map[string]string
	// JSON is the whole answer as received.
	JSON string
}

// Definitions reads what the service offers (API.md §6). It works without credentials; with them there may be more
// zones.
func (c *Client) Definitions(ctx context.Context) (*Definitions, error) {
	answer, err := c.do(ctx, call{method: http.MethodGet, path: []string{"definitions"}})
	if err != nil {
		return nil, err
	}
	value, _ := parse(answer.body)
	sets, ok := value.([]any)
	if !ok {
		return nil, answer.misunderstood(answer.oddity())
	}
	data := map[string]any{}
	for _, set := range sets {
		set, _ := set.(map[string]any)
		id, _ := set["id"].(string)
		data[id] = set["data"]
	}
	definitions := &Definitions{JSON: string(answer.body)}
	if err := definitions.fill(data); err != nil {
		return nil, answer.misunderstood(err)
	}
	return definitions, nil
}

// fill decodes the known sets and ignores the others.
func (d *Definitions) fill(data map[string]any) (err error) {
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

// namesOf returns the elements of an array or, if that is allowed, the sorted keys of an object. An element that is not
// a string is returned as its JSON.
func namesOf(set any, orKeysOf bool) ([]string, error) {
	found := []string{}
	switch set := set.(type) {
	case nil:
		return found, nil
	case []any:
		for _, element := range set {
			found = append(found, textOf(element))
		}
		return found, nil
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(set)) {
			found = append(found, printable(name))
		}
		if orKeysOf {
			return found, nil
		}
	}
	return nil, errors.New("is not an array")
}

// descriptions returns the values of a set that is an object, or the elements of an array that is parallel to the
// names.
func descriptions(data map[string]any, id string, names []string) (map[string]string, error) {
	found := map[string]string{}
	switch set := data[id].(type) {
	case nil:
	case map[string]any:
		for name, text := range set {
			found[printable(name)] = textOf(text)
		}
	case []any:
		for i := range set {
			if len(set) == len(names) {
				found[names[i]] = textOf(set[i])
			}
		}
	default:
		return nil, fmt.Errorf("the set %q is not an object", id)
	}
	return found, nil
}
