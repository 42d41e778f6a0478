// SPDX-License-Identifier: MPL-2.0

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
		"discs.0.id": managed.Get("disc.0.id"), "discs.1.storage_grade": "ssd", "discs.1.backups_enabled": false,
		"network_interfaces.0.ips.0": "192.0.2.77",
	})
	found, ok := o.Get("").(map[string]any)
	if !ok {
		t.Fatalf("got %v", o.Get(""))
	}
	for name, value := range found {
		if slices.Contains([]string{"deleted", "head", "include_deleted", "network_interfaces", "discs"}, name) {
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
		"deleted by name": {config: object{"name": "old"}, want: "error at name: Cannot find virtual machine \"old\"\nThe machine is soft-deleted. Set include_deleted = true"},
		"deleted by id":   {config: object{"id": fmt.Sprint(old)}, want: "error at id: Cannot find virtual machine \"old\"\nThe machine is soft-deleted."},
		"unknown group": {
			config: object{"name": "web1", "group": "defualt"},
			want:   `Account "demo" has no group "defualt", or these credentials cannot see it. Did you mean "default"? These credentials can see: "default", "private".`,
		},
		"unknown id": {config: object{"id": "99999"}, want: "error at id: Cannot find virtual machine 99999"},
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

const (
	accountListing = "GET /accounts/demo?view=overview"
	groupListing   = "GET /accounts/demo/groups/1002/virtual_machines?view=overview"
)

// populate adds machines in two groups, one of them soft-deleted, and one in another account.
func populate(e *acctest.Emulator) {
	e.AddMachine("demo", "default", emulator.Machine{Name: "web2", PowerOn: true, ZoneName: "york"})
	e.AddMachine("demo", "private", emulator.Machine{Name: "web1", ZoneName: "manchester"})
	e.AddMachine("demo", "default", emulator.Machine{Name: "web1", PowerOn: true, HardwareProfile: "compatibility2013"})
	e.AddMachine("demo", "default", emulator.Machine{Name: "db1"})
	e.SoftDelete(e.AddMachine("demo", "default", emulator.Machine{Name: "old"}))
	e.AddAccount("other", false)
	e.AddMachine("other", "default", emulator.Machine{Name: "theirs"})
}

func TestVMsAreChosenAndSorted(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	populate(e)
	for name, test := range map[string]struct {
		config given
		want   string // group/name …
		call   string
	}{
		"account": {want: "default/db1 private/web1 default/web1 default/web2", call: accountListing},
		"group": {
			config: given{"group": "default"},
			want:   "default/db1 default/web1 default/web2",
			call:   groupListing,
		},
		"chosen": {
			config: given{"name_pattern": "web[0-9]", "power_on": true, "zone_name": "york", "hardware_profile": "virtio2013"},
			want:   "default/web2",
			call:   accountListing,
		},
		"deleted": {
			config: given{"include_deleted": true},
			want:   "default/db1 default/old private/web1 default/web1 default/web2",
			call:   "GET /accounts/demo?include_deleted=true&view=overview",
		},
	} {
		_, _ = d.ReadData(t.Context(), "cloudserver_group", object{"name": "default"}) // its ID, for a minute
		e.ResetJournal()
		o, diags := d.ReadData(t.Context(), "cloudserver_vms", test.config)
		if acctest.HasErrors(diags) {
			t.Errorf("%s: %s", name, acctest.DiagText(diags))
			continue
		}
		if got := strings.Join(locationsOf(o), " "); got != test.want {
			t.Errorf("%s: want %s, got %s", name, test.want, got)
		}
		if got := e.AllCalls(); !slices.Equal(got, []string{test.call}) {
			t.Errorf("%s: requests %v, want %s", name, got, test.call)
		}
	}
}

// locationsOf returns the found machines as group/name.
func locationsOf(o *acctest.Object) []string {
	var found []string
	for i := 0; ; i++ {
		name, ok := o.Get(fmt.Sprintf("virtual_machines.%d.name", i)).(string)
		if !ok {
			return found
		}
		found = append(found, fmt.Sprintf("%v/%s", o.Get(fmt.Sprintf("virtual_machines.%d.group", i)), name))
	}
}

// TestFilterWithoutMatch: if no machine matches, a zone or profile that the service does not list is probably misspelt, and a
// regular expression is not what name_pattern is.
func TestFilterWithoutMatch(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web1", ZoneName: "york"})
		for name, test := range map[string]struct {
			config given
			want   string // "": no warning
		}{
			"zone":         {given{"zone_name": "yrok"}, `warning at zone_name: The service does not list the zone "yrok"`},
			"profile":      {given{"hardware_profile": "virtio2031"}, `warning at hardware_profile: The service does not list the hardware profile "virtio2031"`},
			"expression":   {given{"name_pattern": "^web.*$"}, `warning at name_pattern: No machine matches the pattern "^web.*$"`},
			"empty zone":   {given{"zone_name": "manchester"}, ""},
			"a match":      {given{"zone_name": "york"}, ""},
			"another name": {given{"name_pattern": "db*"}, ""},
		} {
			_, diags := d.ReadData(t.Context(), "cloudserver_vms", test.config)
			if text := acctest.DiagText(diags); !strings.HasPrefix(text, test.want) || test.want == "" && text != "" {
				t.Errorf("%s: want %q, got\n%s", name, test.want, text)
			}
		}
	})
}
