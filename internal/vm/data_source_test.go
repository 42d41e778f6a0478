package vm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestVMLookUp(t *testing.T) {
	t.Parallel()
	_, e := acctest.Drive(t, emulator.Options{}, nil)
	web := e.AddMachine("demo", "default", emulator.Machine{
		Name: "web1", Cores: 2, Memory: 2048, PowerOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}, {Label: "vdb", Size: 100, StorageGrade: "ssd"}},
	})
	old := e.AddMachine("demo", "private", emulator.Machine{Name: "old"})
	e.SoftDelete(old)
	number := e.AddMachine("demo", "default", emulator.Machine{Name: "4711"})
	const andGroups = " GET /accounts/demo/groups" // for the names of its group and account, once per run
	const byName = "GET /accounts/demo/groups GET /accounts/demo/groups/%d/virtual_machines/%s?include_deleted=true&view=overview"
	for name, test := range map[string]struct {
		config object
		want   int64
		call   string
	}{
		"id": {
			config: object{"id": fmt.Sprint(web)},
			want:   web,
			call:   fmt.Sprintf("GET /virtual_machines/%d?include_deleted=true&view=overview", web) + andGroups,
		},
		"name": {config: object{"name": "web1"}, want: web, call: fmt.Sprintf(byName, 1002, "web1")},
		"location and name": {
			config: object{"name": "web1", "account": "demo", "group": "default"},
			want:   web,
			call:   fmt.Sprintf(byName, 1002, "web1"),
		},
		"a number": {
			config: object{"name": "4711"},
			want:   number,
			call:   "GET /accounts/demo/groups GET /accounts/demo/groups/1002/virtual_machines?include_deleted=true&view=overview",
		},
		"deleted by id": {
			config: object{"id": fmt.Sprint(old), "include_deleted": true},
			want:   old,
			call:   fmt.Sprintf("GET /virtual_machines/%d?include_deleted=true&view=overview", old) + andGroups,
		},
		"deleted by name": {
			config: object{"name": "old", "group": "private", "include_deleted": true},
			want:   old,
			call:   fmt.Sprintf(byName, 1003, "old"),
		},
	} {
		d := e.NewDriver(t, nil)
		e.ResetJournal()
		o, diags := d.ReadData(t.Context(), "cloudserver_vm", test.config)
		if acctest.HasErrors(diags) || o.Get("id") != fmt.Sprint(test.want) || o.Get("account") != "demo" || o.Get("deleted") != (test.want == old) {
			t.Errorf("%s: got %v\n%s", name, o.Get(""), acctest.DiagText(diags))
		}
		if got := strings.Join(e.AllCalls(), " "); got != test.call {
			t.Errorf("%s: requests %s, want %s", name, got, test.call)
		}
	}
}

// TestDataSourceTellsWhatTheResourceTells: the resource and the data source use the same conversion, and the data
// source has further values of discs and network interfaces.
func TestDataSourceTellsWhatTheResourceTells(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, _ := acctest.Drive(t, emulator.Options{}, nil)
	managed := d.MustApply(ctx, "cloudserver_vm", nil, object{
		"name": "web1", "group": "private", "cores": 2, "keymap": "en-gb", "cdrom_url": "https://images.example/a.iso",
		"disc": objects{{"label": "vda", "size": 25600}, {"label": "vdb", "size": 100, "storage_grade": "ssd"}},
		"ips":  object{"ipv4": "192.0.2.77"},
	})
	o, diags := d.ReadData(ctx, "cloudserver_vm", object{"id": managed.Get("id")})
	if acctest.HasErrors(diags) {
		t.Fatal(acctest.DiagText(diags))
	}
	expectState(t, o, given{
		"disc.0.id": managed.Get("disc.0.id"), "disc.1.storage_grade": "ssd", "disc.1.backups_enabled": false,
		"network_interfaces.0.ips.0": "192.0.2.77",
	})
	found, ok := o.Get("").(map[string]any)
	if !ok {
		t.Fatalf("got %v", o.Get(""))
	}
	for name, value := range found {
		if slices.Contains([]string{"deleted", "head", "include_deleted", "network_interfaces", "disc"}, name) {
			continue // only the data source has these, or has more of them
		}
		if want := managed.Get(name); fmt.Sprint(value) != fmt.Sprint(want) {
			t.Errorf("%s: the data source tells %v, the resource %v", name, value, want)
		}
	}
}

func TestVMLookUpRefuses(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	for _, name := range []string{"web1", "web2", "db1", "mail"} {
		e.AddMachine("demo", "default", emulator.Machine{Name: name})
	}
	old := e.AddMachine("demo", "default", emulator.Machine{Name: "old"})
	e.SoftDelete(old)
	for name, test := range map[string]struct {
		config object
		want   string
	}{
		"with deleted":    {config: object{"name": "olf", "include_deleted": true}, want: `Did you mean "old"?`},
		"deleted by name": {config: object{"name": "old"}, want: "error at name: Cannot find virtual machine \"old\"\nThe machine is soft-deleted. Set include_deleted = true"},
		"deleted by id":   {config: object{"id": fmt.Sprint(old)}, want: "error at id: Cannot find virtual machine \"old\"\nThe machine is soft-deleted."},
		"empty group":     {config: object{"name": "web1", "group": "private"}, want: "These credentials can see none."},
		"unknown group": {
			config: object{"name": "web1", "group": "defualt"},
			want:   `Account "demo" has no group "defualt", or these credentials cannot see it. Did you mean "default"? These credentials can see: "default", "private".`,
		},
		"group by its ID": {config: object{"name": "web1", "group": "1002"}, want: `Account "demo" has no group "1002"`},
		"unknown account": {
			config: object{"name": "web1", "account": "dmeo"},
			want:   `There is no account "dmeo", or these credentials cannot see it. Did you mean "demo"? These credentials can see: "demo".`,
		},
		"unknown id":      {config: object{"id": "99999"}, want: "error at id: Cannot find virtual machine 99999"},
		"no number as id": {config: object{"id": "web1"}, want: "error at id: Invalid ID"},
		"a path as group": {config: object{"name": "web1", "group": "a/b"}, want: "error at group: Invalid name"},
	} {
		_, diags := d.ReadData(t.Context(), "cloudserver_vm", test.config)
		if text := acctest.DiagText(diags); !acctest.HasErrors(diags) || !strings.Contains(text, test.want) {
			t.Errorf("%s: want %q in:\n%s", name, test.want, text)
		}
	}
	e.Inject(emulator.Fault{
		Match:  func(r emulator.Request) bool { return strings.Contains(r.Path, "/virtual_machines/") },
		Times:  1,
		Status: 202, Body: "{}",
	})
	_, diags := d.ReadData(t.Context(), "cloudserver_vm", object{"name": "web1"})
	expectSays(t, diags, "still being created", "a moment later")
}

// TestLookUpWithAnUnknownDefault: the provider's account or group depends on something that is not applied yet.
func TestLookUpWithAnUnknownDefault(t *testing.T) {
	t.Parallel()
	_, e := acctest.Drive(t, emulator.Options{}, nil)
	for attribute, sources := range map[string]map[string]object{
		"account": {"cloudserver_vm": {"name": "web1"}, "cloudserver_vms": nil, "cloudserver_groups": nil, "cloudserver_group": {"name": "default"}},
		"group":   {"cloudserver_vm": {"name": "web1"}},
	} {
		d := e.NewDriver(t, object{attribute: acctest.Unknown})
		for name, config := range sources {
			_, diags := d.ReadData(t.Context(), name, config)
			if text := acctest.DiagText(diags); !strings.Contains(text, "error at "+attribute+": Unknown "+attribute) || !strings.Contains(text, "is not known yet") {
				t.Errorf("%s with an unknown %s: %s", name, attribute, text)
			}
		}
	}
}
