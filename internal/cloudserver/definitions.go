package cloudserver

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// Definitions is what the service offers (API.md §8). A missing set is empty, not nil. The order is the service's.
type Definitions struct {
	Distributions, StorageGrades, HardwareProfiles, ZoneNames []string
	// Keymaps and Sendkeys have no specified shape. They are the elements of an array, or the keys of an object, which are
	// Unread as well.
	Keymaps, Sendkeys []string
	// The descriptions may be an object by name, or an array in the order of the set that they describe.
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
	definitions.fill(data)
	if transport.HoldsCredential(definitions.JSON) {
		return nil, answer.notUnderstood(errMisunderstood, &heldSecret{"text"})
	}
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
func (d *Definitions) fill(data map[string]any) {
	sets := d.sets()
	for _, id := range slices.Sorted(maps.Keys(sets)) {
		names, whole := namesOf(data[id])
		if *sets[id] = names; !whole {
			d.Unread = append(d.Unread, id)
		}
	}
	d.DistributionDescriptions = descriptions(data["distribution_descriptions"], d.Distributions)
	d.StorageGradeDescriptions = descriptions(data["storage_grade_descriptions"], d.StorageGrades)
}

// namesOf returns the elements of an array, or the sorted keys of an object. An element that is an object is named by its
// id or name; any other that is not a string is returned as its JSON. whole is false if something is not understood. An
// object never is: its keys may be names, descriptions or groups of names.
func namesOf(set any) (names []string, whole bool) {
	found := []string{}
	switch set := set.(type) {
	case nil:
		return found, true
	case []any:
		whole = true
		for _, element := range set {
			name, understood := nameOf(element)
			found, whole = append(found, name), whole && understood
		}
		return found, whole
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(set)) {
			found = append(found, printable(name))
		}
		return found, false
	}
	return found, false
}

// nameOf returns the name that an element of a set stands for: itself, or its id or name. understood is false if the two
// differ, because the service may take either, and for anything else, of which it returns the JSON.
func nameOf(element any) (name string, understood bool) {
	if text, ok := element.(string); ok {
		return printable(text), true
	}
	object, _ := element.(map[string]any)
	id, hasID := object["id"].(string)
	named, hasName := object["name"].(string)
	switch {
	case hasID:
		return printable(id), !hasName || named == id
	case hasName:
		return printable(named), true
	}
	return textOf(element), false
}

// descriptions returns the values of a set that is an object, or the elements of an array that is parallel to the
// names. Any other set describes nothing.
func descriptions(set any, names []string) map[string]string {
	found := map[string]string{}
	switch set := set.(type) {
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
	}
	return found
}
