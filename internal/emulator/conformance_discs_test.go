// SPDX-License-Identifier: MPL-2.0

package emulator_test

import (
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestDiscs checks API.md §4, row by row.
func TestDiscs(t *testing.T) {
	t.Parallel()
	for _, c := range []conformance{
		{"GET: all and one", []step{
			do("GET "+web+"/discs", "", 200, `[{"label":"vda"},{"label":"vdb"}]`),
			do("GET "+web+"/discs/vdb", "", 200, `{"type":"application/vnd.example.disc","label":"vdb","size":51200,
				"storage_grade":"archive","storage_pool":"tier1-archive","virtual_machine_id":{web1}}`),
			do("GET "+old+"/discs", "", 404, "no such virtual machine"),
			do("GET "+old+"/discs?include_deleted=true", "", 200, `[]`),
		}},
		{"POST: created, on a running machine too", []step{
			do("POST "+web+"/discs", `{"label":"vdc","size":1000,"storage_grade":"ssd"}`, 201,
				`{"label":"vdc","size":1000,"storage_grade":"ssd","storage_pool":"tier1-ssd"}`),
			do("POST "+web+"/discs", `{"label":"vdd","size":50}`, 201, `{"storage_grade":"sata"}`),
		}},
		{"POST: refused values", []step{
			do("POST "+web+"/discs", `{"label":"vda","size":49,"storage_grade":"gold"}`, 400,
				`{"label":["has already been taken"],"size":["must be greater than or equal to 50"],
				"storage_grade":["is not included in the list"]}`),
			do("POST "+web+"/discs", `{}`, 400, `{"label":["can't be blank"],"size":["can't be blank"]}`),
		}},
		{"POST: a ninth disc", []step{
			func(t *testing.T, f *fixture) {
				for _, label := range []string{"c", "d", "e", "f", "g", "h"} {
					do("POST "+web+"/discs", `{"label":"`+label+`","size":50}`, 201, `{}`)(t, f)
				}
			},
			do("POST "+web+"/discs", `{"label":"i","size":50}`, 400, `{"discs":["is too long (maximum is 8 discs)"]}`),
		}},
		{"PUT: grown, not shrunk", []step{
			do("PUT "+web+"/discs/vda", `{"size":30000}`, 200, `{"id":{vda},"size":30000}`),
			do("PUT "+web+"/discs/vda", `{"size":29999}`, 400, `{"size":["must be greater than or equal to 30000"]}`),
			do("PUT "+web+"/discs/vda", `{"size":30000}`, 200, `{"size":30000}`),
		}},
		{"PUT: another label", []step{
			do("PUT "+web+"/discs/vda", `{"label":"root"}`, 200, `{"id":{vda},"label":"root","size":25600}`),
			do("PUT "+web+"/discs/root", `{"label":"root"}`, 200, `{}`),
			do("PUT "+web+"/discs/root", `{"label":"vdb"}`, 400, `{"label":["has already been taken"]}`),
			do("PUT "+web+"/discs/root", `{"label":""}`, 400, `{"label":["can't be blank"]}`),
		}},
		{"PUT: another grade is refused", []step{
			do("PUT "+web+"/discs/vda", `{"storage_grade":"ssd"}`, 400, `{"storage_grade":["cannot be changed"]}`),
			do("PUT "+web+"/discs/vda", `{"storage_grade":"sata"}`, 200, `{}`),
		}},
		{"DELETE: only with purge=true", []step{
			do("DELETE "+web+"/discs/vda", "", 500, "can only be purged"),
			do("DELETE "+web+"/discs/{vda}?purge=true", "", 204, ""),
			do("DELETE "+web+"/discs/vda?purge=true", "", 404, "no such disc"),
			do("GET "+web+"/discs", "", 200, `[{"label":"vdb"}]`),
		}},
		{"GET /discs/{id}: on whatever machine it is", []step{
			do("GET /discs/{vda}", "", 200, `{"id":{vda},"label":"vda","virtual_machine_id":{web1}}`),
			do("GET /discs/1", "", 404, "no such disc"), do("GET /discs/vda", "", 404, "no such disc"),
			do("DELETE "+web, "", 204, ""), do("GET /discs/{vda}", "", 404, "no such disc"),
		}},
		{"PUT virtual_machine_id: moved with its data", []step{
			do("PUT "+web, `{"power_on":false}`, 200, `{}`),
			do("PUT "+web+"/discs/vdb", `{"virtual_machine_id":{inside1}}`, 200, `{"label":"vdb","virtual_machine_id":{inside1}}`),
			do("GET "+web+"/discs", "", 200, `[{"label":"vda"}]`),
			do("GET "+inside+"/discs", "", 200, `[{"label":"vdb","size":51200,"virtual_machine_id":{inside1}}]`),
		}},
		{"PUT virtual_machine_id: refused", []step{
			do("PUT "+web+"/discs/vdb", `{"virtual_machine_id":{off1}}`, 400, `{"virtual_machine_id":["cannot be changed while a virtual machine is on"]}`),
			do("PUT "+web+"/discs/vdb", `{"virtual_machine_id":{web1}}`, 200, `{}`),
			do("PUT "+web, `{"power_on":false}`, 200, `{}`),
			do("PUT "+web+"/discs/vda", `{"virtual_machine_id":{off1}}`, 400, `{"virtual_machine_id":["cannot be changed for a boot disc"]}`),
			do("PUT "+web+"/discs/vdb", `{"virtual_machine_id":1}`, 400, `{"virtual_machine_id":["is not included in the list"]}`),
			do("POST "+off+"/discs", `{"label":"vdb","size":50}`, 201, `{}`),
			do("PUT "+web+"/discs/vdb", `{"virtual_machine_id":{off1}}`, 400, `{"label":["has already been taken"]}`),
			do("PUT "+web+"/discs/vdb", `{"virtual_machine_id":{off1},"label":"vdc"}`, 200, `{"label":"vdc"}`),
		}},
		{"changes: not while the machine is soft-deleted", []step{
			do("DELETE "+web, "", 204, ""),
			do("POST "+web+"/discs", `{"label":"vdc","size":50}`, 400, "cannot be changed"),
			do("PUT "+web+"/discs/vda", `{"size":99999}`, 400, "cannot be changed"),
			do("DELETE "+web+"/discs/vda?purge=true", "", 400, "cannot be changed"),
		}},
	} {
		c.run(t)
	}
}

// TestGroupsAccountsAddresses checks API.md §5, row by row.
func TestGroupsAccountsAddresses(t *testing.T) {
	t.Parallel()
	const groups = "/accounts/demo/groups"
	for _, c := range []conformance{
		{"GET accounts", []step{
			do("GET /accounts", "", 200, `[{"name":"demo","suspended":false}]`),
			do("GET /accounts/demo", "", 200, `{"name":"demo","suspended":false}`),
			lacks("GET /accounts/demo", "groups"),
			do("GET /accounts/demo?view=overview", "", 200, `{"groups":[
				{"name":"default","virtual_machines":[{"name":"web1","discs":[{},{}],"network_interfaces":[{}]},{"name":"off1"}]},
				{"name":"private","virtual_machines":[{"name":"inside1"}]}]}`),
		}},
		{"GET groups", []step{
			do("GET "+groups, "", 200, `[{"id":{default},"name":"default"},{"id":{private},"name":"private"}]`),
			do("GET "+groups+"/default", "", 200, `{"id":{default},"name":"default"}`),
			lacks("GET "+groups+"/default", "virtual_machines"),
			do("GET "+groups+"/default?view=overview", "", 200, `{"virtual_machines":[{"discs":[{},{}]},{}]}`),
		}},
		{"POST groups", []step{
			do("POST "+groups, `{"name":"more"}`, 201, `{"name":"more"}`),
			do("POST "+groups, `{"name":"more"}`, 400, `{"name":["has already been taken"]}`),
			do("POST "+groups, `{"name":"a b"}`, 400, `{"name":["is invalid"]}`),
			do("POST "+groups, `{}`, 400, `{"name":["can't be blank"]}`),
			do("GET "+groups+"/more?view=overview", "", 200, `{"virtual_machines":[]}`),
		}},
		{"PUT groups: renamed, hostnames follow", []step{
			do("PUT "+groups+"/default", `{"name":"main"}`, 200, `{"id":{default},"name":"main"}`),
			do("GET "+groups+"/main/virtual_machines/web1", "", 200, `{"hostname":"web1.main.demo.cluster.example"}`),
			do("PUT "+groups+"/main", `{"name":"private"}`, 400, `{"name":["has already been taken"]}`),
			do("PUT "+groups+"/main", `{"name":"main"}`, 200, `{}`),
			do("PUT "+groups+"/main", `{"colour":"red"}`, 200, `{"id":{default},"name":"main"}`),
			do("PUT "+groups+"/main", `{"name":""}`, 400, `{"name":["can't be blank"]}`),
		}},
		{"DELETE groups: 400 when it is not empty", []step{
			do("DELETE "+groups+"/private", "", 400, "not empty"),
			do("DELETE "+inside, "", 204, ""),
			do("DELETE "+groups+"/private", "", 400, "not empty"),
			do("DELETE "+inside+"?purge=true", "", 204, ""),
			do("DELETE "+groups+"/private", "", 204, ""),
			do("GET "+groups+"/private", "", 404, "no such group"),
		}},
		{"GET and PUT ips", []step{
			do("GET /ips/{web1-ip}", "", 200, `{"address":"{web1-ip}","rdns":"web1.default.demo.cluster.example"}`),
			do("PUT /ips/{web1-ip}", `{"rdns":"www.example.org"}`, 200, `{"rdns":"www.example.org"}`),
			do("PUT /ips/{web1-ip}", `{}`, 200, `{"rdns":"www.example.org"}`),
			do("PUT /ips/{web1-ip}", `{"rdns":"-"}`, 400, `{"rdns":["is invalid"]}`),
			do("PUT /ips/{web1-ip}", `{"rdns":null}`, 200, `{"rdns":"web1.default.demo.cluster.example"}`),
			do("GET /ips/2001:0db8:1::77", "", 200, `{"address":"2001:db8:1::77"}`),
			do("GET /ips/192.0.2.200", "", 404, "no such address"),
			do("GET /ips/x", "", 404, "no such address"),
		}},
	} {
		c.run(t)
	}
}

// TestDefinitions checks API.md §6.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	const all = `[{"id":"distribution_descriptions","data":{"trixie":"…"}},
		{"id":"distributions","data":["…","…","…","…","…","…","…","…","…","…"]},
		{"id":"hardware_profiles","data":["virtio2013","virtio2011","compatibility2013","compatibility2011"]},
		{"id":"keymaps"},{"id":"sendkeys"},{"id":"storage_grade_descriptions","data":{"sata":"…"}},
		{"id":"storage_grades","data":["sata","ssd","archive"]},{"id":"zone_names","data":ZONES}]`
	with := func(zones string) string {
		return strings.Replace(all, "ZONES", zones, 1)
	}
	for _, c := range []conformance{
		{"without a session", []step{useToken(""), do("GET /definitions", "", 200, with(`["york","manchester"]`))}},
		{"with one: more zones", []step{do("GET /definitions", "", 200, with(`["york","manchester","hidden"]`))}},
		{"with an invalid one: as without", []step{useToken("wrong"), do("GET /definitions", "", 200, with(`["york","manchester"]`))}},
		{"a machine in the hidden zone", []step{
			do(create, `{{discs},"virtual_machine":{"name":"new1","zone_name":"hidden"}}`, 202, `{"virtual_machine":{"zone_name":"hidden"}}`),
		}},
		{"unknown, missing and oddly shaped sets", []step{
			useBackDoor(func(e *emulator.Emulator) {
				e.SetDefinitions(func(sets map[string]any) {
					clear(sets)
					sets["zone_names"] = map[string]any{"a": 1}
					sets["colours"] = []any{"red", 7}
					sets["distributions"] = []any{"own"}
				})
			}),
			do("GET /definitions", "", 200, `[{"id":"colours","data":["red",7]},{"id":"distributions","data":["own"]},{"id":"zone_names","data":{"a":1}}]`),
			do(create, `{{discs},"virtual_machine":{"name":"new1","zone_name":"anywhere"},"reimage":{"distribution":"own"}}`, 202, `{}`),
			do(create, `{{discs},"virtual_machine":{"name":"new2"},"reimage":{"distribution":"noble"}}`, 400, `{"distribution":["is not included in the list"]}`),
		}},
	} {
		c.run(t)
	}
}
