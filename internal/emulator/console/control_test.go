package console

import (
	"encoding/json"
	"io"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

const (
	machines = "/accounts/demo/groups/default/virtual_machines"
	create   = "/accounts/demo/groups/default/vm_create"
	web1     = `{"virtual_machine":{"name":"web1","cdrom_url":"https://me:tricky@cd.example/a.iso?key=tricky"},"api_token":"tricky","extra":{"name":"tricky"},"discs":[{"label":"vda","size":50}],"reimage":{"distribution":"noble","root_password":"correct horse","firstboot_script":"#!/bin/secret"}}`
)

// TestControl calls all control paths.
func TestControl(t *testing.T) {
	t.Parallel()
	endpoint, _, _ := start(t, "--boot-time", "0s", "--fault", "GET /accounts 503 times=1")
	do := func(call, body string, status int, want string) string {
		t.Helper()
		method, path, _ := strings.Cut(call, " ")
		answer, got := get(t, newRequest(t, method, endpoint+path, body))
		if answer.StatusCode != status || !strings.Contains(got, want) {
			t.Errorf("%s answered %d %s, want %d %s", call, answer.StatusCode, got, status, want)
		}
		return got
	}
	do("GET /", "", 200, `"call": "POST /_emulator/reset"`)
	do("GET /_emulator", "", 200, `"call": "GET /_emulator/journal"`)
	do("GET /_emulator/nothing", "", 404, "not found")
	do("DELETE /_emulator/world", "", 405, "Not Allowed")

	do("GET /_emulator/faults", "", 200, `"fault": "GET /accounts 503 times=1"`)
	do("POST /_emulator/faults", `{"match":"POST */vm_create","status":429,"retry_after":3,"times":1}`, 200, `"fault": "POST */vm_create 429 retry-after=3 times=1"`)
	do("POST /_emulator/faults", `DELETE * cut`, 200, `"id": 3`)
	do("POST /_emulator/faults", `{"match":"POST *","colour":"red"}`, 400, `invalid fault: unknown field "colour"`)
	do("POST /_emulator/faults", `now`, 400, "METHOD PATH WHAT")
	do("POST /_emulator/faults", strings.Repeat("x", maxControlBody+1), 413, "too large")
	do("DELETE /_emulator/faults/3", "", 204, "")
	do("DELETE /_emulator/faults/3", "", 404, "no such fault")
	do("DELETE /_emulator/faults/x", "", 404, "no such fault")
	do("POST "+create, web1, 429, "Too Many")
	do("POST "+create, web1, 202, `"web1"`)
	do("GET /accounts", "", 503, "")

	journal := do("GET /_emulator/journal", "", 200, "vm_create")
	var entries []entry
	if err := json.Unmarshal([]byte(journal), &entries); err != nil || len(entries) != 3 {
		t.Fatalf("%v in %s", err, journal)
	}
	if last := entries[2]; last.Status != 503 || last.Method != "GET" || last.Path != "/accounts" || last.Reason != "Service Unavailable" || last.DurationMS <= 0 {
		t.Errorf("%+v", last)
	}
	for _, secret := range []string{"correct horse", "secret", "apikey.demo", "tricky"} {
		if strings.Contains(journal, secret) {
			t.Errorf("the journal has %q: %s", secret, journal)
		}
	}
	do("GET /_emulator/events", "", 200, `"text": "fault injected: DELETE * cut"`)
	do("GET /_emulator/events", "", 200, `"hostname": "web1.default.demo.cluster.example"`)
	do("DELETE /_emulator/journal", "", 204, "")
	if rest := do("GET /_emulator/journal", "", 200, ""); strings.TrimSpace(rest) != "[]" {
		t.Errorf("not emptied: %s", rest)
	}

	session := do("POST /session", `{"username":"demo","password":"demo"}`, 200, "")
	do("GET /session/"+session, "", 200, "demo")
	do("POST /_emulator/expire-sessions", "", 204, "")
	do("GET /session/"+session, "", 404, "Invalid token")

	var before, after struct{ ID int64 }
	decode(t, do("GET "+machines+"/web1", "", 200, "web1"), &before)
	do("GET /_emulator/world", "", 200, `"name": "web1"`)
	do("PUT /_emulator/guests/web1", `{"deaf":true}`, 204, "")
	do("PUT /_emulator/guests/web1.default", `{}`, 400, "send")
	do("PUT /_emulator/guests/web1", `{"dead":true}`, 400, `unknown field "dead"`)
	do("PUT /_emulator/guests/web9", `{"deaf":true}`, 404, `no virtual machine "web9"`)
	do("GET /_emulator/world", "", 200, `"deaf": true`)
	do("PUT /_emulator/guests/web1", `{"http_status":503}`, 204, "")
	do("GET /_emulator/world", "", 200, `"http_status": 503`)
	do("PUT /_emulator/guests/web1", `{"http_status":99}`, 400, "http_status is 99: it must be from 200 to 599")
	do("PUT /_emulator/guests/web1", `{"ssh_host_key":"ssh-ed25519 AAAA"}`, 400, "ssh_host_key must be a private key in PEM")
	do("PUT /_emulator/guests/web1", `{"ssh_host_key":""}`, 204, "")
	do("PUT /_emulator/images/noble", `{"http_status":500}`, 204, "")
	do("GET /_emulator/world", "", 200, `"noble": {
      "http_status": 500`)
	do("PUT /_emulator/images/noble", `{"http_status":1}`, 400, "http_status is 1")
	do("PUT /_emulator/images/noble", `{}`, 400, "send")
	do("PUT /_emulator/images/noble", `{"http_status":0}`, 204, "")
	if world := do("GET /_emulator/world", "", 200, ""); strings.Contains(world, `"images"`) {
		t.Errorf("an image that was taken back: %s", world)
	}
	do("GET /_emulator/guests", "", 200, `"guests": []`)
	do("GET /_emulator/power", "", 200, `"max_down": 0`)
	do("DELETE /_emulator/power", "", 204, "")
	do("POST /_emulator/reset", "", 204, "")
	do("GET /accounts", "", 503, "")
	do("GET "+machines+"/web1", "", 404, "no such virtual machine")
	do("POST "+create, web1, 202, `"web1"`)
	decode(t, do("GET "+machines+"/web1", "", 200, "web1"), &after)
	if after.ID <= before.ID {
		t.Errorf("id %d after %d", after.ID, before.ID)
	}
	do("DELETE /_emulator/faults", "", 204, "")
}

// TestLaboratory moves the clock, saves and restores worlds, acts as staff and counts requests.
func TestLaboratory(t *testing.T) {
	t.Parallel()
	c := parseFlags(t, "--quiet", "--clock", "2026-01-01T00:00:00Z", "--boot-time", "0s", "--copy-time", "0s")
	d, err := c.newDesk(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	handler := d.server(t.Context(), io.Discard).Handler
	do := func(call, body string, status int, want string) string {
		t.Helper()
		method, path, _ := strings.Cut(call, " ")
		r := newRequest(t, method, "http://127.0.0.1"+path, body)
		r.RemoteAddr = "127.0.0.1:5"
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != status || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s %s answered %d %s, want %d %s", call, body, w.Code, w.Body, status, want)
		}
		return w.Body.String()
	}
	staff := func(body string, status int, want string) {
		t.Helper()
		do("POST /_emulator/staff", body, status, want)
	}
	const disc = machines + "/web1/discs/vda"
	do("GET /_emulator/schema", "", 200, "json-schema.org")
	do("GET /_emulator/clock", "", 200, `"now": "2026-01-01T00:00:0`)
	do("POST "+create, web1, 202, "")
	do("POST "+disc+"/backup_schedules", `{"start_at":"2026-01-02 00:00:00 UTC","interval_seconds":86400,"capacity":2}`, 201, "")
	do("PUT "+machines+"/web1", `{"autoreboot_on":true,"power_on":true}`, 200, "")
	session := do("POST /session", `{"username":"demo","password":"demo"}`, 200, "")
	do("POST /_emulator/faults", "GET /accounts 503 times=1", 200, "")
	do("PUT /_emulator/worlds/one", "", 204, "")
	do("GET /_emulator/worlds", "", 200, `"name": "one"`)
	do("GET /_emulator/worlds/one", "", 200, `"web1"`)
	do("GET /_emulator/worlds/two", "", 404, "no such world")
	do("GET /accounts", "", 503, "")
	do("GET /accounts", "", 200, "")
	do("GET /_emulator/faults", "", 200, `"acted": 1`) // although it is used up
	do("GET /_emulator/journal?method=POST", "", 400, "no parameters")

	do("POST /_emulator/clock", `{"advance":"36h"}`, 200, `"now": "2026-01-02T12:00:0`)
	do("GET "+disc+"/backups", "", 200, "vda 2026-01-02 00:00:00")
	do("GET /session/"+session, "", 404, "Invalid token")
	do("POST /_emulator/clock", `{"set":"2026-02-01T00:00:00Z"}`, 200, `"now": "2026-02-01T00:00:0`)
	if backups := do("GET "+disc+"/backups", "", 200, "vda 2026-02-01 00:00:00"); strings.Count(backups, "parent_disc_id") != 2 {
		t.Errorf("not pruned: %s", backups)
	}
	for _, body := range []string{`{}`, `{"advance":"-1h"}`, `{"advance":"2500000h"}`, `{"advance":"1h","set":"2026-02-01T00:00:00Z"}`, `{"set":"9999-01-01T00:00:00Z"}`} {
		do("POST /_emulator/clock", body, 400, "send")
	}

	staff(`{"event":"host-failure","virtual_machine":"web1.default"}`, 204, "")
	do("GET "+machines+"/web1", "", 200, `"power_on":true`) // the service has already started it again
	do("GET /_emulator/power", "", 200, `"max_down": 1`)
	staff(`{"event":"migrate-disc","virtual_machine":"web1","disc":"vda","storage_grade":"archive"}`, 204, "")
	do("GET "+disc, "", 200, `"storage_grade":"archive"`)
	staff(`{"event":"migrate-disc","virtual_machine":"web1","disc":"vda"}`, 400, "storage_grade or storage_pool is missing")
	staff(`{"event":"upgrade-profile","virtual_machine":"web1","name":"virtio2026"}`, 204, "")
	staff(`{"event":"attach-disc","virtual_machine":"web1","disc":"foreign"}`, 204, "")
	staff(`{"event":"attach-disc","virtual_machine":"web1","disc":"foreign"}`, 400, "already been taken")
	staff(`{"event":"rename","virtual_machine":"web1","disc":"foreign","name":"strange"}`, 204, "")
	do("GET "+machines+"/web1?view=overview", "", 200, `"strange"`)
	staff(`{"event":"detach-disc","virtual_machine":"web1","disc":"strange"}`, 204, "")
	staff(`{"event":"rename","virtual_machine":"web1","name":"web2"}`, 204, "")
	do("GET "+machines+"/web2", "", 200, `"virtio2026"`)
	staff(`{"event":"close-account","account":"demo"}`, 204, "")
	do("GET "+machines+"/web2", "", 404, "no such account")
	do("GET /_emulator/world", "", 200, `"closed": true`)
	staff(`{"event":"open-account","account":"demo"}`, 204, "")
	do("GET "+machines+"/web2", "", 200, "")
	staff(`{"event":"suspend-account","account":"demo"}`, 204, "")
	do("GET /accounts/demo", "", 200, `"suspended":true`)
	do("PUT "+machines+"/web2", `{"keymap":"de"}`, 403, "suspended")
	staff(`{"event":"resume-account","account":"demo"}`, 204, "")
	do("GET /accounts/demo", "", 200, `"suspended":false`)
	staff(`{"event":"soft-delete","virtual_machine":"web2"}`, 204, "")
	do("GET "+machines+"/web2?include_deleted=true", "", 200, `"deleted":true`)
	do("GET /_emulator/events", "", 200, "was deleted, and can be brought back")
	staff(`{"event":"soft-delete","virtual_machine":"web2"}`, 400, "is soft-deleted already")
	for _, body := range []string{`{"event":"earthquake"}`, `{"event":"rename","virtual_machine":"web9","name":"x"}`, `{"event":"close-account","account":"x"}`, `{"event":"suspend-account","account":"x"}`} {
		staff(body, 400, "\n  detach-disc      virtual_machine, disc\n")
	}

	do("GET /_emulator/requests?method=POST&path=*/vm_create", "", 200, `"count": 1`)
	do("GET /_emulator/requests?status=404&since=2026-01-31T00:00:00Z", "", 200, `"count": 1`)
	do("GET /_emulator/requests?colour=red", "", 400, "none of method")

	do("POST /_emulator/worlds/one/load", "", 204, "")
	do("GET /_emulator/clock", "", 200, `"now": "2026-01-01T00:00:0`)
	do("GET /accounts", "", 503, "")
	do("GET "+disc+"/backups", "", 200, "[]")
	do("DELETE /_emulator/worlds/one", "", 204, "")
	do("POST /_emulator/worlds/one/load", "", 404, "no such world")
	for n := range maxWorlds + 1 {
		do("PUT /_emulator/worlds/w"+strconv.Itoa(n), "", []int{204, 507}[n/maxWorlds], "")
	}
	do("POST /_emulator/reset", "", 204, "")
	do("GET "+machines+"/web2", "", 404, "")
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}
