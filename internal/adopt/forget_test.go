package adopt

import (
	"slices"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
)

// TestMissing: what the state has and the configuration does not, by resources and modules; and which instances a plan
// destroys because of their keys.
func TestMissing(t *testing.T) {
	t.Parallel()
	p, err := parsePlan([]byte(`{"format_version": "1.2", "configuration": {"root_module": {
		"resources": [
			{"address": "cloudserver_vm.stays", "mode": "managed", "type": "cloudserver_vm", "name": "stays"},
			{"address": "data.cloudserver_vm.gone", "mode": "data", "type": "cloudserver_vm", "name": "gone"}],
		"module_calls": {"a": {"module": {"resources": [{"address": "cloudserver_vm.stays", "mode": "managed", "type": "cloudserver_vm", "name": "stays"}]}}}}},
		"resource_changes": [
			{"address": "cloudserver_vm.stays[2]", "mode": "managed", "type": "cloudserver_vm", "change": {"actions": ["delete"]}, "action_reason": "delete_because_count_index"},
			{"address": "cloudserver_vm.stays[1]", "mode": "managed", "type": "cloudserver_vm", "deposed": "abcd", "change": {"actions": ["delete"]}, "action_reason": "delete_because_count_index"},
			{"address": "cloudserver_vm.stays[0]", "mode": "managed", "type": "cloudserver_vm", "change": {"actions": ["delete", "create"]}, "action_reason": "replace_because_cannot_update"},
			{"address": "module.a[\"x\"].cloudserver_vm.stays", "mode": "managed", "type": "cloudserver_vm", "change": {"actions": ["delete"]}, "action_reason": "delete_because_no_module"},
			{"address": "cloudserver_vm.gone", "mode": "managed", "type": "cloudserver_vm", "change": {"actions": ["delete"]}, "action_reason": "delete_because_no_resource_config"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`cloudserver_vm.stays["k"]`:                           "",
		"cloudserver_vm.gone[0]":                              "cloudserver_vm.gone",
		"dns_a_record.gone":                                   "dns_a_record.gone",
		`module.a["x"].cloudserver_vm.stays`:                  "",
		`module.a["x"].cloudserver_vm.gone["k"]`:              "module.a.cloudserver_vm.gone",
		`module.a["x"].module.b[1].cloudserver_vm.stays`:      "module.a.module.b",
		`module.gone["x"].module.b[1].cloudserver_vm.stays`:   "module.gone",
		`module.gone["y"].module.c.cloudserver_vm.stays["k"]`: "module.gone",
	} {
		at, err := parseAddress(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.missingFrom(stateResource{named(at), at}); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	if keys := p.goneByKey(); !slices.Equal(keys, []string{"cloudserver_vm.stays[2]", `module.a["x"].cloudserver_vm.stays`}) {
		t.Errorf("gone by key: %q", keys)
	}
}

// named returns a resource of a state by its address.
func named(at address) *tfjson.StateResource {
	names := strings.Split(at.resource, ".")
	return &tfjson.StateResource{Address: at.text, Mode: tfjson.ManagedResourceMode, Type: names[len(names)-2], Name: names[len(names)-1]}
}
