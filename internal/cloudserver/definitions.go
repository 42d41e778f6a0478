// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"context"
	"encoding/json"
	"net/http"
)

// Definitions is what the service offers (API.md §8).
type Definitions struct {
	// Names are the names of each set, in the service's order. A set that is missing, or not understood in full, is
	// empty, not nil, and refuses nothing.
	Names map[string][]string
	// Descriptions are those of the Distributions and the StorageGrades, by name.
	Descriptions map[string]map[string]string
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
		if json.Unmarshal(document, &set) == nil {
			data[set.ID] = set.Data
		}
	}
	definitions := &Definitions{Names: map[string][]string{}, JSON: string(answer.body)}
	for _, set := range []string{Distributions, StorageGrades, HardwareProfiles, ZoneNames, Keymaps, Sendkeys} {
		definitions.Names[set] = namesOf(data[set])
	}
	definitions.Descriptions = map[string]map[string]string{
		Distributions: descriptionsOf(data["distribution_descriptions"]),
		StorageGrades: descriptionsOf(data["storage_grade_descriptions"]),
	}
	return definitions, nil
}

// namesOf decodes a list of names. No shape is promised for all sets (API.md §6): any other shape is empty.
func namesOf(set json.RawMessage) []string {
	var names []string
	if json.Unmarshal(set, &names) != nil || names == nil {
		return []string{}
	}
	return names
}

// descriptionsOf decodes an object of descriptions by name. A description that is no text is left out.
func descriptionsOf(set json.RawMessage) map[string]string {
	var fields map[string]any
	_ = json.Unmarshal(set, &fields) // no shape is promised
	descriptions := map[string]string{}
	for name, field := range fields {
		if text, ok := field.(string); ok {
			descriptions[name] = text
		}
	}
	return descriptions
}
