package emulator_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/shape"
)

// TestOptions checks each freedom of API.md for which there is an option.
func TestOptions(t *testing.T) {
	t.Parallel()
	const vm = group + "/virtual_machines/new1"
	answers := func(a shape.Answers) emulator.Options { return emulator.Options{Answers: a} }
	make1 := do(create, newMachine, 202, `{"virtual_machine":{"name":"new1"},"discs":[{"label":"vda"}]}`)
	for _, c := range []struct {
		options emulator.Options
		conformance
	}{
		{emulator.Options{PendingRaises: true}, conformance{"pending raises: at the next power cycle", []step{
			do("PUT "+web, `{"cores":8,"memory":1024,"hardware_profile":"compatibility2013"}`, 200, `{"cores":2,"memory":1024,"hardware_profile":"virtio2013"}`),
			do("POST "+web+"/signal", `{"signal":"reset"}`, 200, `{}`), do("GET "+web, "", 200, `{"cores":2}`),
			do("PUT "+web, `{"power_on":false}`, 200, `{"cores":8,"memory":1024,"hardware_profile":"compatibility2013"}`),
		}}},
		{emulator.Options{PendingRaises: true}, conformance{"pending raises: a later value replaces them", []step{
			do("PUT "+web, `{"cores":8}`, 200, `{"cores":2}`), do("PUT "+web, `{"cores":1}`, 200, `{"cores":1}`),
			do("PUT "+web, `{"power_on":false}`, 200, `{"cores":1}`),
		}}},
		{emulator.Options{Strict: true}, conformance{"strict: memory that is not offered", []step{
			do(create, `{{discs},"virtual_machine":{"name":"new1","cores":1,"memory":1000}}`, 400, `{"memory":["is not included in the list"]}`),
			do(create, newMachine, 400, `{"cores":["is not a number"],"memory":["is not a number"]}`),
			do(create, `{{discs},"virtual_machine":{"name":"new1","cores":1,"memory":3072}}`, 202, `{}`),
			do("PUT "+off, `{"memory":5000}`, 400, `{"memory":["is not included in the list"]}`),
		}}},
		{emulator.Options{}, conformance{"names win over ids", []step{
			do("PUT "+off, `{"name":"{web1}"}`, 200, `{"name":"{web1}"}`),
			do("GET "+group+"/virtual_machines/{web1}", "", 200, `{"id":{off1}}`),
			do("GET /virtual_machines/{web1}", "", 200, `{"id":{web1}}`),
			do("POST "+web+"/discs", `{"label":"{vda}","size":50}`, 201, `{}`),
			do("GET "+web+"/discs/{vda}", "", 200, `{"size":50}`),
		}}},
		{emulator.Options{IDsWin: true}, conformance{"ids win over names", []step{
			do("PUT "+off, `{"name":"{web1}"}`, 200, `{"name":"{web1}"}`),
			do("GET "+group+"/virtual_machines/{web1}", "", 200, `{"id":{web1}}`),
			do("POST "+web+"/discs", `{"label":"{vda}","size":50}`, 201, `{}`),
			do("GET "+web+"/discs/{vda}", "", 200, `{"id":{vda}}`),
			do("POST /accounts/demo/groups", `{"name":"{default}"}`, 201, `{}`),
			do("GET /accounts/demo/groups/{default}", "", 200, `{"name":"default"}`),
			do("GET /accounts/demo/groups/default", "", 200, `{"name":"default"}`),
		}}},
		{emulator.Options{}, conformance{"groups: no dots", []step{
			do("POST /accounts/demo/groups", `{"name":"team.a"}`, 400, `{"name":["is invalid"]}`),
		}}},
		{emulator.Options{DottedGroups: true}, conformance{"groups: dots", []step{
			do("POST /accounts/demo/groups", `{"name":"team.a"}`, 201, `{"name":"team.a"}`),
			do("POST /accounts/demo/groups/team.a/vm_create", newMachine, 202, `{"virtual_machine":{"hostname":"new1.team.a.demo.cluster.example"}}`),
			do("POST /accounts/demo/groups", `{"name":"team..a"}`, 400, `{"name":["is invalid"]}`),
		}}},
		{emulator.Options{LowerCaseLabels: true}, conformance{"labels in lower case", []step{
			do("POST "+web+"/discs", `{"label":"Data","size":50}`, 201, `{"label":"data"}`),
			do("PUT "+web+"/discs/data", `{"label":"VDB"}`, 400, `{"label":["has already been taken"]}`),
		}}},
		{emulator.Options{ImageWhileOff: true}, conformance{"imaged while off", []step{
			do(create, `{{discs},"virtual_machine":{"name":"new1"},"reimage":{"distribution":"noble"}}`, 202, `{}`),
			do(created, "", 200, `{"power_on":false,"last_imaged_with":"noble"}`),
		}}},
		{emulator.Options{UnknownFor: time.Minute, DescribeAfter: 2 * time.Minute}, conformance{"404, then 202 after creation", []step{
			make1, do(created, "", 404, "no such"), do(create, newMachine, 400, `{"name":["has already been taken"]}`),
			pass(time.Minute), do(created, "", 202, `{}`), pass(time.Minute), do(created, "", 200, `{"name":"new1"}`),
		}}},
		{emulator.Options{IgnorePowerdown: true}, conformance{"guests that ignore powerdown", []step{
			do("POST "+web+"/signal", `{"signal":"powerdown"}`, 200, `{}`), do("GET "+web, "", 200, `{"power_on":true}`),
		}}},
		{emulator.Options{Capacity: 2}, conformance{"capacity: no head has room", []step{
			do(create, `{{discs},"virtual_machine":{"name":"new1","power_on":true}}`, 202, `{}`),
			do(create, `{{discs},"virtual_machine":{"name":"new2","power_on":true}}`, 503, "no head has room"),
			do(create, `{{discs},"virtual_machine":{"name":"new2"}}`, 202, `{}`),
			do("PUT "+off, `{"power_on":true}`, 503, "no head has room"), do("PUT "+web, `{"power_on":true}`, 200, `{}`),
			do("PUT "+web, `{"power_on":false}`, 200, `{}`), do("PUT "+off, `{"power_on":true}`, 200, `{}`),
		}}},
		{emulator.Options{RateLimit: 2}, conformance{"rate limit: 429 with Retry-After", []step{
			do("GET /accounts", "", 200, `[{}]`), do("GET /accounts", "", 200, `[{}]`),
			func(t *testing.T, f *fixture) {
				answer, _ := f.send(t, f.request(t, create, newMachine))
				if answer.StatusCode != 429 || answer.Header.Get("Retry-After") != "1" {
					t.Errorf("%d %v", answer.StatusCode, answer.Header)
				}
			},
			pass(time.Second), do(created, "", 404, "no such"),
		}}},
		{answers(shape.Answers{Writes: shape.WriteEmptyObject}), conformance{"writes answer {}", []step{
			make1, do("PUT "+vm, `{"cores":2}`, 200, `{}`), expectExactBody("PUT "+vm, "{}"), expectExactBody("POST "+web+"/discs", "{}"),
			logIn(`{"username":"demo","password":"demo"}`), do(created, "", 200, `{"cores":2}`),
		}}},
		{answers(shape.Answers{Writes: shape.WriteNothing, WriteStatus: 204}), conformance{"writes answer nothing", []step{
			make1, do("PUT "+vm, `{"cores":2}`, 204, ""), do("POST "+web+"/discs", `{"label":"c","size":50}`, 204, ""),
			logIn(`{"username":"demo","password":"demo"}`), do("PUT "+vm, `{"cores":0}`, 400, `{"cores":["…"]}`),
		}}},
		{answers(shape.Answers{PlainJSON: true}), conformance{"plain JSON without types", []step{
			lacks("GET "+web, "type"),
			func(t *testing.T, f *fixture) {
				if answer, _ := f.send(t, f.request(t, "GET "+web, "")); answer.Header.Get("Content-Type") != "application/json" {
					t.Errorf("%v", answer.Header)
				}
			},
		}}},
		{answers(shape.Answers{OmitNulls: true}), conformance{"nulls absent", []step{lacks("GET "+web, "keymap"), do("GET "+web, "", 200, `{"zone_name":"york"}`)}}},
		{answers(shape.Answers{Nulls: true}), conformance{"nulls present", []step{
			do("GET "+web+"/discs/{vda}", "", 200, `{"new_storage_grade":null,"migration_progress":null,"backup_schedules":null}`),
			do("GET "+web, "", 200, `{"discs":null,"network_interfaces":null}`), lacks("GET "+group, "discs"),
			do("GET "+web+"?view=overview", "", 200, `{"discs":[{},{}],"network_interfaces":[{"extra_ips":null}]}`),
		}}},
		{answers(shape.Answers{Deletes: true}), conformance{"deletions answered with 200", []step{
			do("DELETE "+web+"?purge=true", "", 200, `{}`), do("GET "+web, "", 404, "no such"),
		}}},
		{answers(shape.Answers{Reversed: true}), conformance{"lists in the reverse order", []step{
			do("GET /accounts/demo/groups", "", 200, `[{"name":"private"},{"name":"default"}]`),
		}}},
		{answers(shape.Answers{TextIDs: true}), conformance{"ids as texts", []step{
			do("GET "+group, "", 200, `{"id":"{default}"}`), do("GET "+web, "", 200, `{"id":{web1},"group_id":{default}}`),
			do("GET "+web+"/discs/{vda}", "", 200, `{"id":{vda}}`),
		}}},
		{answers(shape.Answers{LongAddresses: true, IPv6Management: true}), conformance{"long addresses", []step{
			func(t *testing.T, f *fixture) {
				if _, body := f.send(t, f.request(t, "GET "+web, "")); !strings.Contains(body, `"FD00:0100:0000:0000:0000:`) {
					t.Error(body)
				}
			},
			do("GET /ips/{web1-ip}", "", 200, `{"address":"{web1-ip}"}`),
		}}},
		{answers(shape.Answers{ISOTimes: true}), conformance{"times as RFC 3339", []step{
			do("POST "+web+"/discs/{vda}/backup_schedules", `{"start_at":"2040-01-01 04:00:00","interval_seconds":60}`, 201, `{"start_at":"2040-01-01T04:00:00Z"}`),
		}}},
		{answers(shape.Answers{FewDefinitions: true}), conformance{"few definitions", []step{
			do("GET /definitions", "", 200, `[{"id":"distributions"},{"id":"storage_grades"}]`),
		}}},
		{answers(shape.Answers{ExtraFields: true}), conformance{"extra fields", []step{
			do("GET "+web+"?view=overview", "", 200, `{"flavour":null,"links":[{}],"discs":[{"flavour":null},{"flavour":null}]}`),
		}}},
		{answers(shape.Answers{SingleObject: true}), conformance{"a single object instead of a list", []step{
			do("GET /accounts", "", 200, `{"name":"demo"}`), do("GET /accounts/demo/groups", "", 200, `[{},{}]`),
		}}},
		{answers(shape.Answers{ObjectShapes: true}), conformance{"keymap and head are objects", []step{
			do("PUT "+web, `{"keymap":"de"}`, 200, `{"keymap":{"name":"de"},"head":null}`),
			do("PUT "+web, `{"autoreboot_on":true,"power_on":false}`, 200, `{}`), do("GET "+web, "", 200, `{"head":{"name":"…"}}`),
		}}},
		{answers(shape.Answers{OddDefinitions: true}), conformance{"definitions of another shape", []step{
			do("GET /definitions", "", 200, `[{"id":"distributions"},{},{},{"id":"keymaps","data":{"de":{}}},{"id":"sendkeys","data":{"f1":{}}},
				{"id":"zone_names"},{"id":"distribution_descriptions","data":{"noble":{"en":"…"}}},{},{"id":"colours","data":["red",7]}]`),
		}}},
		{answers(shape.Answers{IPKey: true, IPv6Management: true}), conformance{"ip key and IPv6 management address", []step{
			do("GET /ips/{web1-ip}", "", 200, `{"ip":"{web1-ip}"}`), lacks("GET /ips/{web1-ip}", "address"),
			do("GET "+web, "", 200, `{"management_address":"fd00:100::0:{web1-hex}"}`),
		}}},
		{answers(shape.Answers{Problems: shape.ProblemTexts}), conformance{"problems as texts", []step{
			do("PUT "+web, `{"cores":0}`, 400, `{"cores":"must be greater than or equal to 1"}`),
		}}},
		{answers(shape.Answers{Problems: shape.ProblemPlain}), conformance{"problems in plain text", []step{
			do("PUT "+web, `{"cores":0,"name":"x"}`, 400, "cores must be greater than or equal to 1\nname is too short"),
			do(create, `{"virtual_machine":{"name":"new1"},"discs":[{"label":"a","size":50},{"label":"b","size":1}]}`, 400, "discs 1: size must be"),
		}}},
		{answers(shape.Answers{LoginRefusal: 401}), conformance{"login refused with 401", []step{
			do("POST /session", `{"username":"demo","password":"no"}`, 401, "Bad login credentials"),
		}}},
		{emulator.Options{}, conformance{"users see their accounts only", []step{
			useBackDoor(func(e *emulator.Emulator) {
				e.AddAccount("other", false)
				e.AddUser("guest", "guest")
				e.AddAPIKey("apikey.guest", "guest")
				e.RestrictUser("guest", "other")
			}),
			do("GET /accounts", "", 200, `[{"name":"demo"},{"name":"other"}]`), useToken("apikey.guest"),
			do("GET /accounts", "", 200, `[{"name":"other"}]`), do("GET /accounts/demo", "", 404, "no such account"),
			do("GET /virtual_machines", "", 200, `[]`), do("GET /virtual_machines/{web1}", "", 404, "no such virtual machine"),
			do("GET /discs/{vda}", "", 404, "no such disc"), do("GET /ips/{web1-ip}", "", 404, "no such address"),
			do("GET "+web, "", 404, "no such account"), do(create, newMachine, 404, "no such account"),
			do("POST /accounts/other/groups/default/vm_create", newMachine, 202, `{}`),
			do("PUT /accounts/other/groups/default/virtual_machines/new1", `{"group_id":{default}}`, 400, `{"group_id":["is not included in the list"]}`),
		}}},
	} {
		c.runWith(t, c.options)
	}
}

// expectExactBody makes a call and compares the body of its answer.
func expectExactBody(call, want string) step {
	return func(t *testing.T, f *fixture) {
		t.Helper()
		body := `{"label":"bare","size":50}`
		if _, got := f.send(t, f.request(t, call, body)); got != want {
			t.Errorf("%s answered %s", call, got)
		}
	}
}
