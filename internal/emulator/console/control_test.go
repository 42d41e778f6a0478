package console

import (
	"encoding/json"
	"strings"
	"testing"
)

const (
	machines = "/accounts/demo/groups/default/virtual_machines"
	create   = "/accounts/demo/groups/default/vm_create"
	web1     = `{"virtual_machine":{"name":"web1","cdrom_url":"https://me:tricky@cd.example/a.iso?key=tricky"},"api_token":"tricky","extra":{"name":"tricky"},"discs":[{"label":"vda","size":50}],"reimage":{"distribution":"noble","root_password":"correct horse","firstboot_script":"#!/bin/secret"}}`
)

// TestControl walks the control paths.
func TestControl(t *testing.T) {
	t.Parallel()
	endpoint, _, _ := start(t, "-boot-time", "0s", "-fault", "GET /accounts 503 times=1")
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
	do("POST /_emulator/faults", `{"match":"POST */vm_create","status":429,"retry_after":3,"times":1}`, 201, `"fault": "POST */vm_create 429 retry-after=3 times=1"`)
	do("POST /_emulator/faults", `DELETE * cut`, 201, `"id": 3`)
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

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}
