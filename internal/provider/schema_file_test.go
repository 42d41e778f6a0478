package provider_test

import (
	"flag"
	"maps"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tools/schemafile"
)

var updateSchema = flag.Bool("update", false, "write schema.json")

// TestSchemaFile: schema.json records what users rely on, so that reviews see what a change breaks.
func TestSchemaFile(t *testing.T) {
	t.Parallel()
	const name = "schema.json"
	now := readSchemas(t)
	addPlans(t, now)
	if *updateSchema {
		text, err := now.Text()
		if err == nil {
			err = os.WriteFile(name, text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := schemafile.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := stored.Text(); err != nil || string(again) != string(text) {
		t.Errorf("read and written again (%v):\n%s", err, again)
	}
	for _, change := range schemafile.Compare(stored, now) {
		t.Errorf("%s is not what the provider does; if this is meant, run make generate:\n%s", name, change)
	}
}

func readSchemas(t *testing.T) schemafile.File {
	t.Helper()
	server := providerserver.NewProtocol6(provider.New("test")())()
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil || len(schemas.Diagnostics) > 0 {
		t.Fatalf("read the schemas: %v %v", err, schemas.Diagnostics)
	}
	identities, err := server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil || len(identities.Diagnostics) > 0 {
		t.Fatalf("read the identities: %v %v", err, identities.Diagnostics)
	}
	return schemafile.Of(schemas, identities)
}

// addPlans adds what schemas do not contain: the plan without a configured value, and the consequence of another value.
func addPlans(t *testing.T, now schemafile.File) {
	t.Helper()
	d, e := acctest.Drive(t, emulator.Options{Guests: true}, nil)
	e.AddAccount("other", false)
	settings := acctest.SettingsWith(0)
	for _, resource := range planned(e) {
		object := now["resource "+resource.name]
		base := resource.config()
		silent := d.Plan(t.Context(), resource.name, nil, resource.least())
		prior := d.MustApply(t.Context(), resource.name, nil, base)
		for path, p := range object {
			if path == "" || strings.HasPrefix(path, "timeouts") || !p.Required && !p.Optional {
				continue
			}
			if value := silent.Get(strings.ReplaceAll(path, "[]", ".0")); p.Optional && p.Computed && isPlain(value) {
				p.Default = value
			}
			other, ok := resource.others[path]
			if value, isSetting := settings[path]; !ok && isSetting {
				other, ok = change{path: value}, true
			}
			if !ok && !strings.HasPrefix(p.Type, "block") {
				t.Errorf("%s: no other value of %s is planned", resource.name, path)
			}
			if ok {
				changed := resource.config()
				for at, value := range other {
					set(changed, at, value)
				}
				p.Change = string(d.Plan(t.Context(), resource.name, prior, changed).Action)
			}
			object[path] = p
		}
	}
}

func isPlain(value any) bool {
	switch value.(type) {
	case bool, int64:
		return true
	case string:
		return value != acctest.Unknown
	}
	return false
}

// change is a configuration's difference from the one that was applied, by path.
type change map[string]any

type planOf struct {
	name          string
	config, least func() map[string]any
	others        map[string]change // by the path in the file
}

func planned(e *acctest.Emulator) []planOf {
	id := e.AddMachine("demo", emulator.PrivateGroup, emulator.Machine{
		Name: "held", Interfaces: []emulator.Interface{{MAC: "52:54:00:00:00:01", IPs: []string{"192.0.2.77", "192.0.2.78"}}},
		Discs: []emulator.Disc{{Label: "vda", Size: 25600, StorageGrade: "sata"}, {Label: "data", Size: 1024}},
	})
	machine, _ := e.Machine(id)
	schedule := func() map[string]any {
		return map[string]any{
			"virtual_machine_id": strconv.FormatInt(id, 10), "disc_id": strconv.FormatInt(machine.Discs[0].ID, 10),
			"start_at": "2030-01-31 04:00:00", "interval_seconds": 86400, "capacity": 3,
		}
	}
	name := func() map[string]any { return map[string]any{"address": "192.0.2.77", "hostname": "www.example.com"} }
	return []planOf{
		{name: "cloudserver_vm", config: vmConfig, least: func() map[string]any {
			return map[string]any{
				"name":    "web1",
				"disc":    []any{map[string]any{"label": "vda", "size": 25600}},
				"reimage": map[string]any{"distribution": "bookworm", "root_password": "test-only"},
				"ready":   map[string]any{"port": 22},
			}
		}, others: vmChanges},
		{
			name: "cloudserver_group", config: func() map[string]any { return map[string]any{"name": "web", "account": "demo"} },
			least:  func() map[string]any { return map[string]any{"name": "other"} },
			others: map[string]change{"name": {"name": "web2"}, "account": {"account": "other"}},
		},
		{name: "cloudserver_backup_schedule", config: schedule, least: func() map[string]any {
			least := schedule()
			delete(least, "capacity")
			return least
		}, others: map[string]change{
			"virtual_machine_id": {"virtual_machine_id": "1"}, "disc_id": {"disc_id": strconv.FormatInt(machine.Discs[1].ID, 10)}, "start_at": {"start_at": "2030-02-01 04:00:00"},
			"interval_seconds": {"interval_seconds": 3600}, "capacity": {"capacity": 4},
		}},
		{name: "cloudserver_rdns", config: name, least: name, others: map[string]change{"address": {"address": "192.0.2.78"}, "hostname": {"hostname": "www2.example.com"}}},
	}
}

func vmConfig() map[string]any {
	return map[string]any{
		"account": "demo", "group": "default", "name": "web1", "cores": 1, "memory": 1024, "hardware_profile": "virtio2013",
		"zone_name": "york", "allow_stopping_for_update": true,
		"disc": []any{map[string]any{"label": "vda", "size": 25600, "storage_grade": "sata"}, map[string]any{"label": "data", "size": 25600}},
		"reimage": map[string]any{
			"distribution": "bookworm", "root_password": "test-only", "revision": "1",
			"ssh_public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f",
		},
		"ready": map[string]any{"port": 22},
	}
}

var vmChanges = map[string]change{
	"account": {"account": "other"}, "group": {"group": "private"}, "group_id": {"group": nil, "group_id": "1003"}, "name": {"name": "web2"},
	"cores": {"cores": 2}, "memory": {"memory": 2048}, "hardware_profile": {"hardware_profile": "compatibility2013"},
	"power_on": {"power_on": false}, "autoreboot_on": {"autoreboot_on": false}, "zone_name": {"zone_name": "manchester"},
	"allow_stopping_for_update": {"allow_stopping_for_update": false}, "shutdown_timeout": {"shutdown_timeout": "5m"}, "on_shutdown_timeout": {"on_shutdown_timeout": "fail"},
	"shutdown_before_destroy": {"shutdown_before_destroy": true}, "deletion_protection": {"deletion_protection": true},
	"purge_on_destroy": {"purge_on_destroy": false},
	"disc":             {"disc.1": nil}, "disc[].label": {"disc.1.label": "more"}, "disc[].size": {"disc.1.size": 51200},
	"disc[].storage_grade": {"disc.0.storage_grade": "archive"},
	"reimage":              {"reimage": nil}, "reimage.distribution": {"reimage.distribution": "trixie"}, "reimage.revision": {"reimage.revision": "2"},
	"reimage.root_password": {"reimage.root_password": "other"}, "reimage.firstboot_script": {"reimage.firstboot_script": "#!/bin/sh"},
	"reimage.ssh_public_key": {"reimage.ssh_public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB8eHRwbGhkYFxYVFBMSERAPDg0MCwoJCAcGBQQDAgEA"},
	"reimage.on_change":      {"reimage.on_change": "reimage"},
	"ips":                    {"ips": map[string]any{"ipv4": "192.0.2.10"}}, "ips.ipv4": {"ips": map[string]any{"ipv4": "192.0.2.10"}},
	"ips.ipv6": {"ips": map[string]any{"ipv6": "2001:db8:1::a"}},
	"ready":    {"ready": nil}, "ready.port": {"ready.port": 23}, "ready.host": {"ready.host": "127.0.0.1"}, "ready.timeout": {"ready.timeout": "1m"},
	"ready.http_path": {"ready.http_path": "/health"}, "ready.http_status": {"ready.http_path": "/", "ready.http_status": "200"},
	"ready.http_host": {"ready.http_path": "/", "ready.http_host": "www.example.com"}, "ready.https": {"ready.http_path": "/", "ready.https": true},
	"ready.ca_certificate": {"ready.http_path": "/", "ready.https": true, "ready.ca_certificate": "ca.pem"},
	"ready.ssh_host_key":   {"ready.ssh_host_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB8eHRwbGhkYFxYVFBMSERAPDg0MCwoJCAcGBQQDAgEA"},
}

// set replaces the value at a dotted path; nil removes it.
func set(config map[string]any, path string, value any) {
	name, rest, deeper := strings.Cut(path, ".")
	switch at := config[name].(type) {
	case map[string]any:
		if deeper {
			at = maps.Clone(at)
			set(at, rest, value)
			config[name] = at
			return
		}
	case []any:
		if deeper {
			index, rest, deeper := strings.Cut(rest, ".")
			i, _ := strconv.Atoi(index)
			if deeper {
				set(at[i].(map[string]any), rest, value)
			} else {
				config[name] = append(at[:i:i], at[i+1:]...)
			}
			return
		}
	}
	if config[name] = value; value == nil {
		delete(config, name)
	}
}
