// SPDX-License-Identifier: MPL-2.0

package cloudserver_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// offering returns definitions with these names of distributions, each with its description, and nothing else.
func offering(names []string, descriptions map[string]string) cloudserver.Definitions {
	return cloudserver.Definitions{
		Names: map[string][]string{
			"distributions": names, "storage_grades": {}, "hardware_profiles": {}, "zone_names": {}, "keymaps": {}, "sendkeys": {},
		},
		Descriptions: map[string]map[string]string{"distributions": descriptions, "storage_grades": {}},
	}
}

// TestDefinitions reads the definitions without credentials. A set of another shape is empty.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	none := map[string]string{}
	for name, test := range map[string]struct {
		body string
		want cloudserver.Definitions
	}{
		"documented": {document(t, "definitions.json"), cloudserver.Definitions{
			Names: map[string][]string{
				"distributions": {"bookworm", "trixie", "noble"}, "storage_grades": {"sata", "ssd", "archive"},
				"hardware_profiles": {"virtio2013", "compatibility2013"}, "zone_names": {"york", "manchester"},
				"keymaps": {"en-gb", "de"}, "sendkeys": {"ctrl-alt-delete"},
			},
			Descriptions: map[string]map[string]string{
				"distributions":  {"bookworm": "Debian 12", "trixie": "Debian 13"},
				"storage_grades": {"sata": "Standard", "ssd": "Fastest"},
			},
		}},
		"unknown, null": {`[{"id":"colours","data":[1]},{"id":"distributions","data":null},{"id":"zone_names"},{"id":5,"data":[]},"x",null]`, offering([]string{}, none)},
		"no strings":    {`[{"id":"distributions","data":["a",{"name": "b"},3]}]`, offering([]string{}, none)},
		"one of another shape": {
			`[{"id":"distributions","data":["a","b"]},{"id":"distribution_descriptions","data":{"a":"A","b":{"en":"B"},"c":null}}]`,
			offering([]string{"a", "b"}, map[string]string{"a": "A"}),
		},
		"other shapes": {`[{"id":"zone_names","data":"york"},{"id":"distributions","data":["a"]},{"id":"distribution_descriptions","data":{"a":{}}},{"id":"keymaps","data":true}]`, offering([]string{"a"}, none)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := serve(answer(200, test.body))
			definitions, err := newClient(t, service, func(c *cloudserver.Config) { c.Token = "" }).Definitions(t.Context())
			if sent := service.journal()[0].header["Authorization"]; err != nil || sent != nil {
				t.Fatalf("%v, authorized by %q", err, sent)
			}
			if diff := cmp.Diff(&test.want, definitions, cmpopts.IgnoreFields(cloudserver.Definitions{}, "JSON")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if definitions.JSON != test.body {
				t.Errorf("the JSON was changed to %s", definitions.JSON)
			}
		})
	}
}
