package adopt_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func number(id int64) string { return strconv.FormatInt(id, 10) }

// instance is a resource instance of a state.
type instance struct {
	address, kind string
	values        map[string]any
	dependsOn     []string
}

// splitState splits a state with a root module and a child module.
func splitState(t *testing.T, pattern string, instances []instance, arguments ...string) result {
	t.Helper()
	var modules [2][]any
	for _, i := range instances {
		child := 0
		if strings.HasPrefix(i.address, "module.") {
			child = 1
		}
		modules[child] = append(modules[child], map[string]any{
			"address": i.address, "mode": "managed", "type": i.kind, "name": "x", "provider_name": "registry.terraform.io/cloudserver/cloudserver",
			"schema_version": 0, "values": i.values, "depends_on": i.dependsOn,
		})
	}
	state, err := json.Marshal(map[string]any{"format_version": "1.0", "terraform_version": "1.11.4", "values": map[string]any{
		"root_module": map[string]any{"resources": modules[0], "child_modules": []any{map[string]any{"address": "module.m[\"k\"]", "resources": modules[1]}}},
	}})
	file := filepath.Join(t.TempDir(), "state.json")
	if err == nil {
		err = os.WriteFile(file, state, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return runCommand(t, nil, filepath.Join(t.TempDir(), "new"), append([]string{"--from", file, "--select", pattern}, arguments...)...)
}

func group(id, name, address string) instance {
	return instance{
		address: address,
		kind:    "cloudserver_group",
		values:  map[string]any{"id": id, "name": name, "account": "demo"},
	}
}

func vm(id, group, name, address string) instance {
	return instance{
		address: address,
		kind:    "cloudserver_vm",
		values: map[string]any{
			"id": id, "name": name, "group": group, "group_id": "g" + group, "account": "demo", "ipv4_address": "192.0.2." + id, "hostname": name + ".example.com",
		},
		dependsOn: []string{"cloudserver_group." + group},
	}
}

func schedule(id, machine, address string) instance {
	return instance{
		address:   address,
		kind:      "cloudserver_backup_schedule",
		values:    map[string]any{"id": id, "virtual_machine_id": machine, "disc_id": "7"},
		dependsOn: []string{"cloudserver_group.web", "cloudserver_vm.web"},
	}
}

// state has two groups, a resource with hostile keys, a module, and dependent resources of other types.
var state = []instance{
	group("gweb", "web", "cloudserver_group.web"),
	group("gdb", "db", "cloudserver_group.db"),
	vm("1", "web", "web1", `cloudserver_vm.web["a'b\"$${c}"]`),
	vm("2", "web", "web2", `cloudserver_vm.web["two"]`),
	vm("3", "db", "db1", "cloudserver_vm.db[0]"),
	vm("4", "db", "db2", "cloudserver_vm.db[1]"),
	vm("5", "db", "deep", `module.m["k"].cloudserver_vm.deep`),
	schedule("8", "1", `cloudserver_backup_schedule.web["a'b\"$${c}"]`),
	schedule("9", "2", `cloudserver_backup_schedule.web["two"]`),
	{address: "cloudserver_rdns.web", kind: "cloudserver_rdns", values: map[string]any{"address": "192.0.2.1", "hostname": "www.example.com"}, dependsOn: []string{"cloudserver_group.web", "cloudserver_vm.web"}},
	{address: "dns_a_record.db", kind: "dns_a_record", values: map[string]any{}, dependsOn: []string{"cloudserver_vm.db"}},
}

// TestSplit: which instances go, how the old directory forgets them, and which references are cut.
func TestSplit(t *testing.T) {
	t.Setenv("CLOUDSERVER_ENDPOINT", "") // no request is sent
	for pattern, test := range map[string]struct{ has, lacks []string }{
		"web/*": {[]string{
			"import blocks for 6 objects", "- cloudserver_group.web\n", "- cloudserver_vm.web\n", "- cloudserver_backup_schedule.web\n", "- cloudserver_rdns.web\n",
			"from = cloudserver_vm.web\n", "destroy = false", `id = "gweb"`, `= "1"`, `= "1/7/8"`, `"a'b\"$${c}" =`, `account = "demo"`,
		}, []string{"state rm", "cloudserver_vm.db", "References"}},
		"web1": {[]string{
			"import blocks for 3 objects", `state rm 'cloudserver_vm.web["a'\''b\"$${c}"]'`, "- cloudserver_rdns.web\n", "from = cloudserver_rdns.web\n",
			`cloudserver_vm.web["a'b\"$${c}"] goes, and refers to cloudserver_group.web, which stays: write group_id = "gweb"`,
		}, []string{"schedule.web[\"a'b\\\"$${c}\"] goes", "rdns.web goes", "from = cloudserver_vm.web", "from = cloudserver_group.web", `web["two"] goes`}},
		"db/*": {[]string{
			"import blocks for 4 objects", "from = module.m.cloudserver_vm.deep\n", `to = module.m["k"].cloudserver_vm.deep`, "{ index = 1, id = \"4\" }",
			"dns_a_record.db stays, and refers to cloudserver_vm.db[0], which goes",
		}, []string{"state rm"}},
		"db/db2": {[]string{"state rm 'cloudserver_vm.db[1]'", "only the instance cloudserver_vm.db[1]", "{ index = 0, id = \"4\" }"}, []string{"removed.tf", "group.db\n"}},
	} {
		r := splitState(t, pattern, state)
		all := strings.Join(strings.Fields(r.all()), " ")
		for _, want := range test.has {
			if !strings.Contains(r.out+r.all(), want) && !strings.Contains(all, strings.Join(strings.Fields(want), " ")) {
				t.Errorf("%s: %q is not in\n%s\n%s", pattern, want, r.out, r.all())
			}
		}
		for _, lacks := range test.lacks {
			if strings.Contains(r.out+r.all(), lacks) {
				t.Errorf("%s: %q is in\n%s\n%s", pattern, lacks, r.out, r.all())
			}
		}
		if r.err != nil || !strings.Contains(r.out, "aliases") {
			t.Errorf("%s: %v, and nothing about aliases in\n%s", pattern, r.err, r.out)
		}
	}
	if r := splitState(t, "web/*", state, "--alias", "other"); !strings.Contains(r.files["provider.tf"], "alias   = \"other\"\n  account = ") || strings.Contains(r.out, "aliases") {
		t.Errorf("with an alias:\n%s\n%s", r.files["provider.tf"], r.out)
	}
}

// TestSplitOfOneAccount: a selection without an account takes groups of that name from every one, and says so.
func TestSplitOfOneAccount(t *testing.T) {
	both := []instance{group("gweb", "web", "cloudserver_group.web"), group("gother", "web", "cloudserver_group.other"), vm("1", "web", "web1", "cloudserver_vm.web")}
	both[1].values["account"] = "acme"
	for pattern, want := range map[string]string{
		"web/*": "from the accounts demo, acme. To select from one, write ACCOUNT/GROUP/NAME.", "demo/web/*": "import blocks for 2 objects", "acme/web/*": "import blocks for 1 object ",
	} {
		if r := splitState(t, pattern, both); r.err != nil || !strings.Contains(r.out, want) || strings.Contains(r.out, "from the accounts") != (pattern == "web/*") {
			t.Errorf("%s: %v\n%s", pattern, r.err, r.out)
		}
	}
}

// TestSplitIsRefused: nothing is written if the input is not a state, if nothing matches, or if an address would change
// the meaning of a file.
func TestSplitIsRefused(t *testing.T) {
	evil := vm("1", "web", "web1", "cloudserver_vm.web\nresource \"null_resource\" \"x\" {}")
	for says, r := range map[string]result{
		"nothing in the state matches":           splitState(t, "nobody/*", state),
		"to select the group: --select 'web/*'":  splitState(t, "web", state),
		`--select "a/b/c/d" is not a pattern`:    splitState(t, "a/b/c/d", state),
		"the indexes of those that stay":         splitState(t, "db/db1", state),
		"is not the address of a resource":       splitState(t, "web/*", []instance{evil}),
		"is not a pattern":                       splitState(t, "web/[", state),
		`"no alias" is not an alias`:             splitState(t, "web/*", state, "--alias", "no alias"),
		"is not the output of `terraform show -": runCommand(t, nil, filepath.Join(t.TempDir(), "new"), "--from", "/dev/null", "--select", "*"),
	} {
		if r.err == nil || !strings.Contains(r.err.Error(), says) || len(r.files) > 0 {
			t.Errorf("%v should say %q; files %v", r.err, says, fmt.Sprint(r.files))
		}
	}
}
