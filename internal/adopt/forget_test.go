package adopt

import (
	"slices"
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
		if got := p.missingFrom(at); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	if keys := p.goneByKey(); !slices.Equal(keys, []string{"cloudserver_vm.stays[2]", `module.a["x"].cloudserver_vm.stays`}) {
		t.Errorf("gone by key: %q", keys)
	}
}

// TestMoved: what moved blocks move is not forgotten, unless its new address has no block either.
func TestMoved(t *testing.T) {
	t.Parallel()
	p, err := parsePlan([]byte(`{"format_version": "1.2", "configuration": {"root_module": {"resources": [
			{"address": "cloudserver_vm.new", "mode": "managed", "type": "cloudserver_vm", "name": "new"}]}},
		"resource_changes": [
			{"address": "cloudserver_vm.new[0]", "previous_address": "cloudserver_vm.old", "mode": "managed", "type": "cloudserver_vm", "change": {"actions": ["no-op"]}},
			{"address": "module.b.cloudserver_vm.m", "previous_address": "module.a.cloudserver_vm.m", "mode": "managed", "type": "cloudserver_vm", "change": {"actions": ["delete"]}},
			{"address": "cloudserver_vm.gone", "mode": "managed", "type": "cloudserver_vm", "change": {"actions": ["delete"]}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var state []stateResource
	for _, text := range []string{"cloudserver_vm.old", "module.a.cloudserver_vm.m", "cloudserver_vm.gone"} {
		at, err := parseAddress(text)
		if err != nil {
			t.Fatal(err)
		}
		state = append(state, stateResource{&tfjson.StateResource{Address: text}, at})
	}
	var froms []string
	for _, g := range p.missing(state) {
		froms = append(froms, g.from)
	}
	if !slices.Equal(froms, []string{"module.b", "cloudserver_vm.gone"}) {
		t.Errorf("%q", froms)
	}
}
