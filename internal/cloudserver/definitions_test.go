package cloudserver_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

func none() cloudserver.Definitions {
	return cloudserver.Definitions{
		Distributions: []string{}, StorageGrades: []string{}, HardwareProfiles: []string{}, ZoneNames: []string{}, Keymaps: []string{}, Sendkeys: []string{},
		DistributionDescriptions: map[string]string{}, StorageGradeDescriptions: map[string]string{},
	}
}

func with(change func(*cloudserver.Definitions)) cloudserver.Definitions {
	definitions := none()
	change(&definitions)
	return definitions
}

// TestDefinitions reads the definitions without credentials.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body string
		want cloudserver.Definitions
	}{
		"documented": {document(t, "definitions.json"), cloudserver.Definitions{
			Distributions: []string{"bookworm", "trixie", "noble"}, StorageGrades: []string{"sata", "ssd", "archive"},
			HardwareProfiles: []string{"virtio2013", "compatibility2013"}, ZoneNames: []string{"york", "manchester"},
			Keymaps: []string{"en-gb", "de"}, Sendkeys: []string{"ctrl-alt-delete"},
			DistributionDescriptions: map[string]string{"bookworm": "Debian 12", "trixie": "Debian 13"},
			StorageGradeDescriptions: map[string]string{"sata": "Standard", "ssd": "Fastest"},
		}},
		"unknown, null": {`[{"id":"colours","data":[1]},{"id":"distributions","data":null},{"id":"zone_names"},{"id":5,"data":[]},"x",null]`, none()},
		"no strings": {`[{"id":"distributions","data":["a",{"name": "b"},3,null]}]`, with(func(d *cloudserver.Definitions) {
			d.Distributions, d.Unread = []string{"a", `{"name":"b"}`, "3", "null"}, []string{"distributions"}
		})},
		"other shapes": {`[{"id":"zone_names","data":"york"},{"id":"distributions","data":{"a":"A"}},{"id":"distribution_descriptions","data":5},{"id":"keymaps","data":true}]`, with(func(d *cloudserver.Definitions) {
			d.Unread = []string{"distributions", "keymaps", "zone_names"}
		})},
		"described by objects": {`[{"id":"distribution_descriptions","data":{"a":{"name": "A"},"b":null}}]`, with(func(d *cloudserver.Definitions) {
			d.DistributionDescriptions = map[string]string{"a": `{"name":"A"}`, "b": "null"}
		})},
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
