package emulator_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestPublicClientsLife takes a machine through its life over HTTP, with the requests that the service's public client makes.
func TestPublicClientsLife(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	f.client = &http.Client{Transport: redirect{server.Listener.Addr().String()}}

	const (
		life    = "/accounts/demo/groups/life"
		moved   = "/accounts/demo/groups/moved"
		machine = life + "/virtual_machines/web7"
		discs   = machine + "/discs"
		renamed = moved + "/virtual_machines/web8"
	)
	var target int64
	for n, do := range []step{
		do("POST /accounts/demo/groups", `{"name":"life"}`, 201, `{"name":"life"}`),
		do("GET /accounts/demo?view=overview", "", 200, `{"groups":[{"name":"default"},{"name":"private"},{"name":"life","virtual_machines":[]}]}`),
		do("POST "+life+"/vm_create", `{"virtual_machine":{"name":"web7","autoreboot_on":true,"cores":1,"memory":1024,"zone_name":"york","hardware_profile":"virtio2011"},
			"discs":[{"label":"vda","size":25600,"storage_grade":"sata","backup_schedules":[{"start_at":"2026-11-23 00:00:00 UTC","interval_seconds":604800,"capacity":1}]},
				{"label":"vdb","size":1024,"storage_grade":"archive"}],
			"reimage":{"distribution":"bookworm","root_password":"correct horse","ssh_public_key":"","firstboot_script":""},"ips":{"ipv4":"","ipv6":""}}`,
			202, `{"virtual_machine":{"name":"web7"},"discs":[{"label":"vda"},{"label":"vdb"}],"reimage":{"distribution":"bookworm"}}`),
		do("GET "+life+"/virtual_machines?view=overview", "", 200, `[{"name":"web7","power_on":false}]`),
		pass(bootTime),
		do("GET "+machine+"?view=overview", "", 200, `{"power_on":true,"autoreboot_on":true,"last_imaged_with":"bookworm","hardware_profile":"virtio2013",
			"discs":[{"label":"vda","backups_enabled":true,"backup_schedules":[{"start_at":"2026-11-23 00:00:00","interval_seconds":604800}]},{"label":"vdb","backup_schedules":[]}]}`),
		do("POST "+discs, `{"label":"vdc","size":50,"storage_grade":"sata"}`, 201, `{"label":"vdc"}`),
		do("PUT "+discs+"/vdc", `{"size":100}`, 200, `{"size":100}`),
		do("PUT "+discs+"/vdc", `{"label":"data"}`, 200, `{"label":"data"}`),
		do("GET "+discs+"/data", "", 200, `{"size":100}`),
		do("DELETE "+discs+"/data?purge=true", "", 204, ""),
		do("POST "+discs+"/vdb/backup_schedules", `{"start_at":"2026-11-24T08:30:00+02:00","interval_seconds":86400,"capacity":7}`, 201, `{"start_at":"2026-11-24 06:30:00"}`),
		do("POST "+discs+"/vdb/backups", `{}`, 201, `{"manual":true}`),
		do("PUT "+machine, `{"autoreboot_on":false,"power_on":false}`, 200, `{"power_on":false}`),
		do("PUT "+machine, `{"autoreboot_on":true,"power_on":true}`, 200, `{}`),
		pass(bootTime),
		do("PUT "+machine, `{"autoreboot_on":true,"power_on":false}`, 200, `{"power_on":false}`),
		pass(bootTime),
		do("GET "+machine, "", 200, `{"power_on":true}`),
		do("PUT "+machine, `{"autoreboot_on":false}`, 200, `{}`),
		do("POST "+machine+"/signal", `{"signal":"powerdown"}`, 200, `{}`),
		pass(shutdownTime),
		do("GET "+machine, "", 200, `{"power_on":false}`),
		do("POST "+machine+"/reimage", `{"distribution":"noble","root_password":"battery staple","ssh_public_key":"","firstboot_script":""}`, 200, `{"distribution":"noble"}`),
		pass(bootTime),
		do("GET "+machine, "", 200, `{"last_imaged_with":"noble","power_on":true,"autoreboot_on":false}`),
		do("PUT "+machine, `{"hardware_profile_locked":true}`, 200, `{"hardware_profile_locked":true}`),
		do("POST /accounts/demo/groups", `{"name":"moved"}`, 201, `{"name":"moved"}`),
		func(t *testing.T, f *fixture) {
			target = f.AddGroup(emulator.DemoAccount, "unused", false) // groups are numbered one after the other
			do("PUT "+machine, `{"name":"web8","group_id":`+number(target-1)+`}`, 200, `{"name":"web8"}`)(t, f)
		},
		do("GET "+renamed+"?view=overview", "", 200, `{"hostname":"web8.moved.demo.cluster.example","discs":[{"label":"vda"},{"label":"vdb"}]}`),
		do("DELETE "+renamed, "", 204, ""),
		do("GET "+renamed+"?include_deleted=true", "", 200, `{"deleted":true}`),
		do("PUT "+renamed, `{"deleted":false}`, 200, `{"deleted":false}`),
		do("DELETE "+renamed+"?purge=true", "", 204, ""),
		do("DELETE "+life, "", 204, ""),
		do("DELETE "+moved, "", 204, ""),
	} {
		do(t, f)
		if t.Failed() {
			t.Fatalf("step %d failed", n)
		}
	}
}
