// SPDX-License-Identifier: MPL-2.0

package emulator_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// Paths of the fixture.
const (
	group   = "/accounts/demo/groups/default"
	create  = "POST " + group + "/vm_create"
	web     = group + "/virtual_machines/web1"
	off     = group + "/virtual_machines/off1"
	old     = group + "/virtual_machines/old1"
	inside  = "/accounts/demo/groups/private/virtual_machines/inside1"
	created = "GET " + group + "/virtual_machines/new1?view=overview"
)

// discs returns n discs for the body of a request.
func discs(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`{"label":"vd%c","size":50}`, 'a'+i)
	}
	return "[" + strings.Join(list, ",") + "]"
}

// TestCreate checks POST vm_create of API.md §3 and API.md §7.
func TestCreate(t *testing.T) {
	t.Parallel()
	full := `{"virtual_machine":{"name":"new1","cores":2,"memory":4096,"hardware_profile":"compatibility2013",
		"cdrom_url":"https://example.org/a.iso","power_on":true,"zone_name":"manchester","autoreboot_on":false,
		"hardware_profile_locked":true,"keymap":"de"},
		"discs":[{"label":"vda","size":25600,"storage_grade":"ssd"},{"label":"vdb","size":50}],
		"reimage":{"distribution":"bookworm","root_password":"correct horse","ssh_public_key":"ssh-ed25519 AAAA",
		"firstboot_script":"#!/bin/sh"}}`
	for _, c := range []conformance{
		{"accepted: machine, discs and image in one answer", []step{
			do(create, full, 202, `{"virtual_machine":{"type":"application/vnd.example.virtual-machine","name":"new1",
				"group_id":{default},"cores":2,"memory":4096,"hardware_profile":"compatibility2013","hardware_profile_locked":true,
				"cdrom_url":"https://example.org/a.iso","keymap":"de","zone_name":"manchester","autoreboot_on":false,
				"power_on":false,"deleted":false,"head":null,"management_address":"…",
				"hostname":"new1.default.demo.cluster.example"},
				"discs":[{"label":"vda","size":25600,"storage_grade":"ssd","storage_pool":"tier1-ssd"},
				{"label":"vdb","size":50,"storage_grade":"sata","storage_pool":"tier1-sata"}],
				"reimage":{"distribution":"bookworm","root_password":"correct horse"}}`),
		}},
		{"background: power_on becomes true after the boot", []step{
			do(create, full, 202, `{}`),
			pass(bootTime - 1), do(created, "", 200, `{"power_on":false}`),
			pass(1), do(created, "", 200, `{"power_on":true,"head":"…","last_imaged_with":"bookworm",
				"discs":[{"label":"vda"},{"label":"vdb"}],
				"network_interfaces":[{"label":null,"mac":"…","ips":["…","…"],"extra_ips":{}}]}`),
		}},
		{"defaults: what the service chooses", []step{
			do(create, `{{discs},"virtual_machine":{"name":"new1"}}`, 202, `{"virtual_machine":{"cores":1,"memory":1024,
				"hardware_profile":"virtio2013","zone_name":"york","power_on":false,"autoreboot_on":false,
				"hardware_profile_locked":false,"keymap":null,"cdrom_url":null},"discs":[{"storage_grade":"sata","storage_pool":"tier1-sata"}]}`),
			pass(bootTime), do(created, "", 200, `{"power_on":false,"last_imaged_with":null}`),
		}},
		{"power: autoreboot_on alone brings the machine on", []step{
			do(create, `{{discs},"virtual_machine":{"name":"new1","autoreboot_on":true}}`, 202, `{"virtual_machine":{"autoreboot_on":true}}`),
			pass(bootTime), do(created, "", 200, `{"power_on":true}`),
		}},
		{"image: of a machine that stays off, at its first start", []step{
			do(create, `{{discs},"virtual_machine":{"name":"new1"},"reimage":{"distribution":"noble"}}`, 202, `{}`),
			pass(bootTime), do(created, "", 200, `{"power_on":false,"last_imaged_with":null}`),
			do("PUT "+group+"/virtual_machines/new1", `{"power_on":true}`, 200, `{}`),
			pass(bootTime), do(created, "", 200, `{"power_on":true,"last_imaged_with":"noble"}`),
		}},
		{"refused: without discs", []step{
			do(create, `{"virtual_machine":{"name":"new1"}}`, 400, `{"discs":["can't be blank"]}`),
			do(create, `{"virtual_machine":{"name":"new1"},"discs":[]}`, 400, `{"discs":["can't be blank"]}`),
		}},
		{"refused: a short name", []step{
			do(create, `{{discs},"virtual_machine":{"name":"ab"}}`, 400, `{"name":["is too short (minimum is 3 characters)"]}`),
			do(create, `{{discs},"virtual_machine":{"name":"007"}}`, 202, `{"virtual_machine":{"name":"007"}}`),
		}},
		{"backup schedules in the discs", []step{
			do(create, `{"virtual_machine":{"name":"new1"},"discs":[{"label":"vda","size":50,
				"backup_schedules":[{"start_at":"2026-12-01 00:00:00","interval_seconds":604800}]}]}`, 202,
				`{"discs":[{"backups_enabled":true,"backup_schedules":[{"start_at":"2026-12-01 00:00:00","interval_seconds":604800,"capacity":1}]}]}`),
			do(create, `{"virtual_machine":{"name":"new2"},"discs":[{"label":"vda","size":50,"backup_schedules":[{"start_at":"soon"}]}]}`, 400,
				`{"discs":[{"backup_schedules.start_at":["is invalid"],"backup_schedules.interval_seconds":["can't be blank"]}]}`),
		}},
		{"defaults: autoreboot_on follows power_on", []step{
			do(create, `{{discs},"virtual_machine":{"name":"new1","power_on":true}}`, 202, `{"virtual_machine":{"autoreboot_on":true}}`),
		}},
		{"defaults: a root password is generated", []step{
			do(create, `{{discs},"virtual_machine":{"name":"new1"},"reimage":{"distribution":"noble"}}`, 202, `{"reimage":{"root_password":"…"}}`),
		}},
		{"refused: nothing and blank", []step{
			do(create, `{}`, 400, `{"virtual_machine":["can't be blank"]}`),
			do(create, `{{discs},"virtual_machine":7}`, 400, `{"virtual_machine":["is invalid"]}`),
			do(create, `{{discs},"virtual_machine":{}}`, 400, `{"name":["can't be blank"]}`),
			do(create, `{{discs},"virtual_machine":{"name":" "}}`, 400, `{"name":["can't be blank","is too short (minimum is 3 characters)","is invalid"]}`),
			do(create, `{{discs},"virtual_machine":{"name":"a.b"}}`, 400, `{"name":["is invalid"]}`),
		}},
		{"refused: values that are not offered", []step{
			do(create, `{{discs},"virtual_machine":{"name":"new1","hardware_profile":"virtio1999","zone_name":"nowhere","keymap":"xx",
				"cores":0,"memory":"much","power_on":1},"reimage":{"distribution":"warty","root_password":"ab"}}`, 400,
				`{"hardware_profile":["is not included in the list"],"zone_name":["is not included in the list"],
				"keymap":["is not included in the list"],"cores":["must be greater than or equal to 1"],
				"memory":["is not a number"],"power_on":["is not included in the list"],
				"distribution":["is not included in the list"],"root_password":["is too short (minimum is 3 characters)"]}`),
			do(created, "", 404, "no such virtual machine"),
		}},
		{"refused: discs, one object a disc, in order", []step{
			do(create, `{"virtual_machine":{"name":"new1"},"discs":[{"label":"vda","size":100},{"label":"vda","size":10},
				{"label":"","storage_grade":"gold"}]}`, 400, `{"discs":[{},
				{"label":["has already been taken"],"size":["must be greater than or equal to 50"]},
				{"label":["can't be blank"],"size":["can't be blank"],"storage_grade":["is not included in the list"]}]}`),
			do(create, `{"virtual_machine":{"name":"new1"},"discs":"all"}`, 400, `{"discs":["is invalid"]}`),
			do(create, `{"virtual_machine":{"name":"new1"},"discs":[null]}`, 400,
				`{"discs":[{"label":["can't be blank"],"size":["can't be blank"]}]}`),
		}},
		{"refused: nine discs", []step{
			do(create, `{"virtual_machine":{"name":"new1"},"discs":`+discs(9)+`}`, 400, `{"discs":["is too long (maximum is 8 discs)"]}`),
			do(create, `{"virtual_machine":{"name":"new1"},"discs":`+discs(8)+`}`, 202, `{}`),
		}},
		{"refused: a name that is taken, of a soft-deleted machine too", []step{
			do(create, `{{discs},"virtual_machine":{"name":"web1"}}`, 400, `{"name":["has already been taken"]}`),
			do(create, `{{discs},"virtual_machine":{"name":"old1"}}`, 400, `{"name":["has already been taken"]}`),
			do("POST /accounts/demo/groups/private/vm_create", `{{discs},"virtual_machine":{"name":"web1"}}`, 202, `{}`),
		}},
	} {
		c.run(t)
	}
}

// TestAllocation checks the rules for ips (API.md §7, API.md §3).
func TestAllocation(t *testing.T) {
	t.Parallel()
	const private = "POST /accounts/demo/groups/private/vm_create"
	const made = "GET /accounts/demo/groups/private/virtual_machines/new1?view=overview"
	with := func(ips string) string { return `{{discs},"virtual_machine":{"name":"new1"},"ips":` + ips + `}` }
	for _, c := range []conformance{
		{"both addresses are chosen", []step{
			do(private, with(`{"ipv4":"192.0.2.10","ipv6":"2001:DB8:1:0::10"}`), 202, `{}`),
			do(made, "", 200, `{"network_interfaces":[{"ips":["192.0.2.10","2001:db8:1::10"]}]}`),
		}},
		{"one is chosen, the other one allocated", []step{
			do(private, with(`{"ipv4":"192.0.2.10"}`), 202, `{}`),
			do(made, "", 200, `{"network_interfaces":[{"ips":["192.0.2.10","…"]}]}`),
		}},
		{"none is chosen", []step{
			do(private, with(`null`), 202, `{}`),
			do(made, "", 200, `{"network_interfaces":[{"ips":["192.0.2.2","2001:db8:1::2"]}]}`),
		}},
		{"only in a private VLAN", []step{
			do(create, with(`{"ipv4":"192.0.2.10"}`), 400, `{"ips":["is only valid in a private VLAN"]}`),
			do(create, with(`{}`), 202, `{}`),
		}},
		{"an empty address chooses none", []step{
			do(private, with(`{"ipv4":"","ipv6":"2001:db8:1::9"}`), 202, `{}`),
			do(made, "", 200, `{"network_interfaces":[{"ips":["…","2001:db8:1::9"]}]}`),
			do(create, with(`{"ipv4":"","ipv6":""}`), 202, `{}`),
		}},
		{"held by another machine", []step{
			do(private, with(`{"ipv4":"192.0.2.77"}`), 400, `{"ips":["192.0.2.77 is already in use"]}`),
			do(private, with(`{"ipv6":"2001:0db8:1::0077"}`), 400, `{"ips":["2001:0db8:1::0077 is already in use"]}`),
			do(made, "", 404, "no such virtual machine"),
		}},
		{"held by a soft-deleted machine until it is purged", []step{
			do("DELETE "+inside, "", 204, ""),
			do(private, with(`{"ipv4":"192.0.2.77"}`), 400, `{"ips":["192.0.2.77 is already in use"]}`),
			do("DELETE "+inside+"?purge=true", "", 204, ""),
			do(private, with(`{"ipv4":"192.0.2.77"}`), 202, `{}`),
		}},
		{"outside the range, or no address", []step{
			do(private, with(`{"ipv4":"198.51.100.9"}`), 400, `{"ips":["198.51.100.9 is outside the range of the VLAN"]}`),
			do(private, with(`{"ipv4":"192.0.2.0"}`), 400, `{"ips":["192.0.2.0 is outside the range of the VLAN"]}`),
			do(private, with(`{"ipv4":"192.0.2.1"}`), 400, `{"ips":["192.0.2.1 is outside the range of the VLAN"]}`),
			do(private, with(`{"ipv4":"192.0.2.255"}`), 400, `{"ips":["192.0.2.255 is outside the range of the VLAN"]}`),
			do(private, with(`{"ipv4":"192.0.2.999"}`), 400, `{"ips":["192.0.2.999 is not a valid ipv4 address"]}`),
			do(private, with(`{"ipv6":"192.0.2.9"}`), 400, `{"ips":["192.0.2.9 is not a valid ipv6 address"]}`),
			do(private, with(`{"ipv4":7}`), 400, `{"ipv4":["is not a string"]}`),
			do(private, with(`"192.0.2.9"`), 400, `{"ips":["is invalid"]}`),
		}},
		{"the VLAN is full", []step{
			useBackDoor(func(e *emulator.Emulator) {
				for n := range 252 {
					e.AddMachine("demo", "private", emulator.Machine{Name: fmt.Sprintf("m%d", n)})
				}
			}),
			do(private, with(`{}`), 400, "no free address is left"),
			do("DELETE "+inside+"?purge=true", "", 204, ""),
			do(private, with(`{}`), 202, `{}`),
			do(made, "", 200, `{"network_interfaces":[{"ips":["192.0.2.77","…"]}]}`),
		}},
	} {
		c.run(t)
	}
}

// TestMachines checks the reading and deleting calls of API.md §3.
func TestMachines(t *testing.T) {
	t.Parallel()
	const all = "/virtual_machines?view=overview"
	for _, c := range []conformance{
		{"GET in its group: with discs and interfaces in the overview only", []step{
			do("GET "+web+"?view=overview", "", 200, `{"id":{web1},"discs":[{"label":"vda"},{"label":"vdb"}],"network_interfaces":[{}]}`),
			do("GET "+off+"?view=overview", "", 200, `{"discs":[]}`),
			lacks("GET "+web, "discs"), lacks("GET "+web, "network_interfaces"),
		}},
		{"GET by id: whatever group it is in now", []step{
			do("GET /virtual_machines/{web1}?view=overview", "", 200, `{"name":"web1","discs":[{},{}]}`),
			do("PUT "+web, `{"group_id":{private}}`, 200, `{"group_id":{private}}`),
			do("GET /virtual_machines/{web1}", "", 200, `{"group_id":{private}}`),
			do("GET "+web, "", 404, "no such virtual machine"),
		}},
		{"GET of the group: array", []step{
			do("GET "+group+all, "", 200, `[{"name":"web1","discs":[{},{}]},{"name":"off1","discs":[]}]`),
			do("GET "+group+all+"&include_deleted=true", "", 200, `[{"name":"web1"},{"name":"off1"},{"name":"old1","deleted":true}]`),
		}},
		{"GET across groups: filters", []step{
			do("GET "+all, "", 200, `[{"name":"web1"},{"name":"off1"},{"name":"inside1"}]`),
			do("GET /virtual_machines?account_id=demo", "", 200, `[{},{},{}]`),
			do("GET /virtual_machines?account_id=1", "", 404, "no such account"),
			do("GET /virtual_machines?group_id={private}", "", 200, `[{"name":"inside1"}]`),
			do("GET /virtual_machines?group_id=1", "", 404, "no such group"),
			useBackDoor(func(e *emulator.Emulator) { e.AddAccount("empty", false) }),
			do("GET /virtual_machines?account_id=empty", "", 200, `[]`),
		}},
		{"GET of a soft-deleted machine: only when asked for", []step{
			do("GET "+old, "", 404, "no such virtual machine"),
			do("GET /virtual_machines/{old1}", "", 404, "no such virtual machine"),
			do("GET "+old+"?include_deleted=true", "", 200, `{"deleted":true}`),
			do("GET /virtual_machines/{old1}?include_deleted=true", "", 200, `{"deleted":true}`),
		}},
		{"DELETE: soft, stopped, hidden, with name and addresses, and undone", []step{
			do("DELETE "+web, "", 204, ""),
			do("DELETE "+web, "", 404, "no such virtual machine"),
			do("GET "+web+"?view=overview&include_deleted=true", "", 200, `{"deleted":true,"power_on":false,
				"discs":[{},{}],"network_interfaces":[{"ips":["{web1-ip}","…"]}]}`),
			do(create, `{{discs},"virtual_machine":{"name":"web1"}}`, 400, `{"name":["has already been taken"]}`),
			do("PUT "+web, `{"cores":1}`, 404, "no such virtual machine"),
			do("PUT "+web, `{"deleted":false}`, 200, `{"deleted":false,"power_on":false}`),
			pass(bootTime), do("GET "+web, "", 200, `{"power_on":false}`),
		}},
		{"DELETE purge: gone, with name and addresses free", []step{
			do("DELETE "+web+"?purge=true", "", 204, ""),
			do("GET "+web+"?include_deleted=true", "", 404, "no such virtual machine"),
			do("GET /virtual_machines/{web1}?include_deleted=true", "", 404, "no such virtual machine"),
			do("GET /ips/{web1-ip}", "", 404, "no such address"),
			do(create, `{{discs},"virtual_machine":{"name":"web1"}}`, 202, `{}`),
		}},
		{"DELETE purge: of a soft-deleted machine", []step{
			do("DELETE "+old+"?purge=true", "", 204, ""),
			do(create, `{{discs},"virtual_machine":{"name":"old1"}}`, 202, `{}`),
		}},
		{"DELETE: what was under way ends", []step{
			do("PUT "+off, `{"autoreboot_on":true,"power_on":true}`, 200, `{}`),
			do("DELETE "+off, "", 204, ""),
			pass(bootTime), do("GET "+off+"?include_deleted=true", "", 200, `{"power_on":false}`),
		}},
	} {
		c.run(t)
	}
}
