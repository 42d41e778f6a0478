package vm_test

import (
	"fmt"
	"net/http"
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
	const byName = "GET /accounts/demo/groups/%s/virtual_machines/%s?view=overview"
	for name, test := range map[string]struct {
		config map[string]any
		want   int64
		call   string
	}{
		"id":              {map[string]any{"id": fmt.Sprint(web)}, web, fmt.Sprintf("GET /virtual_machines/%d?view=overview", web) + andGroups},
		"name":            {map[string]any{"name": "web1"}, web, fmt.Sprintf(byName, "default", "web1")},
		"place and name":  {map[string]any{"name": "web1", "account": "demo", "group": "default"}, web, fmt.Sprintf(byName, "default", "web1")},
		"a number":        {map[string]any{"name": "4711"}, number, "GET /accounts/demo/groups/default/virtual_machines?view=overview"},
		"deleted by id":   {map[string]any{"id": fmt.Sprint(old), "include_deleted": true}, old, fmt.Sprintf("GET /virtual_machines/%d?include_deleted=true&view=overview", old) + andGroups},
		"deleted by name": {map[string]any{"name": "old", "group": "private", "include_deleted": true}, old, "GET /accounts/demo/groups/private/virtual_machines/old?include_deleted=true&view=overview"},
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

// TestDataSourceTellsWhatTheResourceTells: one conversion serves both, and the
// data source has more of discs and network interfaces.
func TestDataSourceTellsWhatTheResourceTells(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, _ := acctest.Drive(t, emulator.Options{}, nil)
	managed := d.MustApply(ctx, "cloudserver_vm", nil, map[string]any{
		"name": "web1", "group": "private", "cores": 2, "keymap": "en-gb", "cdrom_url": "https://images.example/a.iso",
		"disc": []map[string]any{{"label": "vda", "size": 25600}, {"label": "vdb", "size": 100, "storage_grade": "ssd"}},
		"ips":  map[string]any{"ipv4": "192.0.2.77"},
	})
	o, diags := d.ReadData(ctx, "cloudserver_vm", map[string]any{"id": managed.Get("id")})
	if acctest.HasErrors(diags) {
		t.Fatal(acctest.DiagText(diags))
	}
	for path, want := range map[string]any{
		"disc.0.id": managed.Get("disc.0.id"), "disc.1.storage_grade": "ssd", "disc.1.backups_enabled": false,
		"network_interfaces.0.ips.0": "192.0.2.77",
	} {
		if got := o.Get(path); got != want {
			t.Errorf("%s: the data source tells %v, want %v", path, got, want)
		}
	}
	found, ok := o.Get("").(map[string]any)
	if !ok {
		t.Fatalf("got %v", o.Get(""))
	}
	for name, value := range found {
		if slices.Contains([]string{"deleted", "head", "include_deleted", "network_interfaces", "disc"}, name) {
			continue // the data source alone has these, or more of them
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
		config map[string]any
		want   string
		calls  int
	}{
		"unknown name":    {map[string]any{"name": "wbe1"}, `error at name: Cannot find virtual machine "wbe1" in group "default" of account "demo"` + "\n" + `No such machine is visible to these credentials. Did you mean "web1"? These credentials can see: "web1", `, 2},
		"with deleted":    {map[string]any{"name": "olf", "include_deleted": true}, `Did you mean "old"?`, 2},
		"deleted by name": {map[string]any{"name": "old"}, "Set include_deleted = true", 2},
		"deleted by id":   {map[string]any{"id": fmt.Sprint(old)}, "Set include_deleted = true", 2},
		"empty group":     {map[string]any{"name": "web1", "group": "private"}, `The group "private" has no machines.`, 2},
		"unknown group":   {map[string]any{"name": "web1", "group": "defualt"}, `Account "demo" has no group "defualt", or these credentials cannot see it. Did you mean "default"? These credentials can see: "default", "private".`, 3},
		"group by its ID": {map[string]any{"name": "web1", "group": "1002"}, `Account "demo" has no group "1002" (the group with that ID is named "default")`, 2},
		"unknown account": {map[string]any{"name": "web1", "account": "dmeo"}, `There is no account "dmeo", or these credentials cannot see it. Did you mean "demo"? These credentials can see: "demo".`, 4},
		"unknown id":      {map[string]any{"id": "99999"}, "error at id: Cannot find virtual machine 99999", 2},
		"no number as id": {map[string]any{"id": "web1"}, "to find a machine by its name, use name.", 0},
		"a query":         {map[string]any{"name": "web1?purge=true"}, "error at name: Invalid name\nname must not contain ? or #", 0},
		"a separator":     {map[string]any{"name": "web1", "group": "a%2fb"}, "error at group: Invalid name", 0},
		"neither":         {nil, "Missing Attribute Configuration", 0},
		"id and group":    {map[string]any{"id": "1", "group": "default"}, "Invalid Attribute Combination", 0},
	} {
		e.ResetJournal()
		_, diags := d.ReadData(t.Context(), "cloudserver_vm", test.config)
		if text := acctest.DiagText(diags); !acctest.HasErrors(diags) || !strings.Contains(text, test.want) {
			t.Errorf("%s: want %q in:\n%s", name, test.want, text)
		}
		if got := e.AllCalls(); len(got) != test.calls {
			t.Errorf("%s: want %d requests, got %v", name, test.calls, got)
		}
	}
	e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Method == http.MethodGet }, Times: 1, Status: 202, Body: "{}"})
	_, diags := d.ReadData(t.Context(), "cloudserver_vm", map[string]any{"name": "web1"})
	if text := acctest.DiagText(diags); !strings.Contains(text, "still being created") || !strings.Contains(text, "a moment later") {
		t.Errorf("not described yet:\n%s", text)
	}
}
