// SPDX-License-Identifier: MPL-2.0

package emulator_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestDumpIsASeed checks that a world with everything that a world can have is dumped, loaded, and dumped again without
// any difference.
func TestDumpIsASeed(t *testing.T) {
	t.Parallel()
	simulate(t, dumpIsASeed)
}

func dumpIsASeed(t *testing.T) {
	f := newFixtureWith(t, emulator.Options{BootTime: bootTime, ShutdownTime: shutdownTime, CopyTime: copyTime})
	f.AddAccount("other", true)
	f.AddGroup("demo", "more", true)
	f.AddUser(emulator.User{Name: "careful", Password: "secret", SecondFactor: true, Codes: []string{"123456"}, Accounts: []string{"other"}})
	f.AddAPIKey(emulator.APIKey{Key: "apikey.careful", User: "careful", ExpiresAt: fixtureStart.Add(time.Hour)})
	f.SetDefinitions(func(sets map[string]any) {
		sets["keymaps"] = nil
		sets["colours"] = []any{"red", 7, map[string]any{"a": "<b>"}}
	})
	for _, call := range [][2]string{
		{create, `{{discs},"virtual_machine":{"name":"new1"},"reimage":{"distribution":"noble","root_password":"correct horse"}}`},
		{"PUT " + web, `{"cores":1,"cdrom_url":"https://example.org/a.iso","keymap":"de"}`},
		{"POST " + web + "/signal", `{"signal":"powerdown"}`},
		{"POST " + web + "/discs/vda/backups", `{}`},
		{"POST " + web + "/discs/vda/backup_schedules", `{"start_at":"2026-12-01 00:00:00","interval_seconds":86400,"capacity":3}`},
		{"POST " + off + "/reimage", `{"distribution":"noble","root_password":"correct horse","ssh_public_key":"ssh-ed25519 AAAA"}`},
		{"PUT /ips/{web1-ip}", `{"rdns":"www.example.org"}`},
	} {
		if answer, body := f.send(t, f.request(t, call[0], call[1])); answer.StatusCode/100 != 2 {
			t.Fatalf("%s: %s", call[0], body)
		}
	}
	change("web1", func(m *emulator.Machine) { migrate(&m.Discs[1]) })(t, f)
	first := f.Dump()
	again := newFixtureWith(t, emulator.Options{BootTime: bootTime, CopyTime: copyTime, FirstID: 5_000_000})
	if err := again.Load(first); err != nil {
		t.Fatal(err)
	}
	if second := again.Dump(); string(second) != string(first) {
		t.Errorf("first\n%s\nsecond\n%s", first, second)
	}
	for _, secret := range []string{"correct horse", "next_id"} {
		if strings.Contains(string(first), secret) {
			t.Errorf("the dump contains %q", secret)
		}
	}
	// Background changes continue.
	time.Sleep(bootTime)
	again.names = f.names
	do("GET "+off, "", 200, `{"power_on":true,"last_imaged_with":"noble"}`)(t, again)
	do("GET "+web, "", 200, `{"power_on":false,"cores":1}`)(t, again)
	do("GET /ips/{web1-ip}", "", 200, `{"rdns":"www.example.org"}`)(t, again)
	if id := again.AddMachine("demo", "default", emulator.Machine{Name: "later"}); id <= 5_000_000 {
		t.Errorf("id %d was assigned before", id)
	}
}

// TestSeedByHand checks what the service adds to a short seed.
func TestSeedByHand(t *testing.T) {
	t.Parallel()
	simulate(t, seedByHand)
}

func seedByHand(t *testing.T) {
	f := newFixture(t)
	if err := f.Load([]byte(`{"accounts":[{"name":"acme","groups":[
		{"name":"default","virtual_machines":[
			{"name":"web1","autoreboot_on":true,"discs":[{"label":"vda","size":25600}]},
			{"id":5000,"name":"old1","deleted":true,"known_at":"2026-11-20T12:00:00Z","ssh_host_key":"ignored"}]},
		{"name":"inside","private_vlan":{"ipv4":"10.9.0.0/24"},"virtual_machines":[
			{"name":"db1","network_interfaces":[{"ips":["10.9.0.5"]}]}]},
		{"name":"second","private_vlan":{}}]}],
		"definitions":{"zone_names":["mars"],"keymaps":null}}`)); err != nil {
		t.Fatal(err)
	}
	do("GET /accounts?view=overview", "", 200, `[{"name":"acme","groups":[
		{"name":"default","virtual_machines":[{"name":"web1","cores":1,"discs":[{"storage_grade":"sata"}],"network_interfaces":[{"ips":["…","…"]}]}]},
		{"name":"inside","virtual_machines":[{"name":"db1","network_interfaces":[{"mac":"…","ips":["10.9.0.5"]}]}]},{"name":"second"}]}]`)(t, f)
	time.Sleep(bootTime)
	do("GET /accounts/acme/groups/default/virtual_machines/web1", "", 200, `{"power_on":true}`)(t, f)
	do("PUT /virtual_machines/5000", `{}`, 405, "Not Allowed")(t, f)
	do("PUT /accounts/acme/groups/default/virtual_machines/5000", `{"deleted":false}`, 200, `{"name":"old1"}`)(t, f)
	do("GET /definitions", "", 200, `[{},{},{},{"id":"sendkeys"},{},{},{"id":"zone_names","data":["mars","hidden"]}]`)(t, f)
	do("POST /accounts/acme/groups/inside/vm_create", `{{discs},"virtual_machine":{"name":"new1"},"ips":{"ipv4":"10.9.0.9"}}`, 202, `{}`)(t, f)
}

// TestBadSeeds checks that a bad seed is refused with path and reason, and changes nothing.
func TestBadSeeds(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	before := string(f.Dump())
	in := func(machines string) string {
		return `{"accounts":[{"name":"demo","groups":[{"name":"default","virtual_machines":[` + machines + `]}]}]}`
	}
	const vms = "accounts[0].groups[0].virtual_machines"
	for seed, want := range map[string]string{
		`{`:                  "is not a world: unexpected EOF",
		`{}`:                 "accounts: is missing",
		`[]`:                 "the world: cannot be array",
		`{"accounts":{}}`:    "accounts: ",
		"{\"accounts\":\n[}": "is not JSON: line 2: ",
		`{"accounts":[{"name":"demo","colour":"red"}]}`:                                             `unknown field "colour"`,
		`{"accounts":[{"name":"a"},{"name":"a"}]}`:                                                  "accounts[1].name: has already been taken",
		`{"accounts":[{"id":1,"name":"a"},{"id":1,"name":"b"}]}`:                                    "accounts[1].id: has already been taken",
		`{"accounts":[{"name":"a","groups":[{"name":"x"},{"name":"x"}]}]}`:                          "accounts[0].groups[1].name: has already been taken",
		`{"accounts":[{"name":"a","groups":[{"name":"x y"}]}]}`:                                     "accounts[0].groups[0].name: ",
		`{"accounts":[{"name":"a","groups":[{"name":"x","private_vlan":{"ipv4":"10.0.0.0"}}]}]}`:    "accounts[0].groups[0].private_vlan: ",
		in(`{"name":"web1","cores":"two"}`):                                                         "accounts.groups.virtual_machines.cores: cannot be string",
		in(`{"name":"web1"},{"name":"web1"}`):                                                       vms + "[1].name: has already been taken",
		in(`{"id":7,"name":"web1"},{"id":7,"name":"web2"}`):                                         vms + "[1].id: has already been taken",
		in(`{"name":"web1","discs":[{"label":"a","size":1},{"label":"a","size":1}]}`):               vms + "[0].discs[1].label: has already been taken",
		in(`{"name":"web1","discs":[{"label":"a"}]}`):                                               vms + "[0].discs[0].size: must be greater than or equal to 1",
		in(`{"name":"web1","discs":[{"id":9,"label":"a","size":1},{"id":9,"label":"b","size":1}]}`): vms + "[0].discs[1].id: has already been taken",
		in(`{"name":"web1","network_interfaces":[{"ips":["x"]}]}`):                                  vms + "[0].network_interfaces: ",
		`{"accounts":[],"users":[{"name":"a","password":"a"},{"name":"a","password":"a"}]}`:         "users[1].name: has already been taken",
		`{"accounts":[],"api_keys":[{"key":"apikey.a","user":"nobody"}]}`:                           "api_keys[0].user: is not the name of a user",
		`{"accounts":[],"rdns":{"192.0.2.9":"a.example"}}`:                                          "rdns.192.0.2.9: is not an address",
	} {
		err := f.Load([]byte(seed))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", seed, err, want)
		}
	}
	if after := string(f.Dump()); after != before {
		t.Error("a bad seed changed the world")
	}
}
