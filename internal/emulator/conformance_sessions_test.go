// SPDX-License-Identifier: MPL-2.0

package emulator_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestConventions checks API.md §1, row by row.
func TestConventions(t *testing.T) {
	t.Parallel()
	const web = "/accounts/demo/groups/default/virtual_machines/web1"
	for _, c := range []conformance{
		{"body: JSON object", []step{
			do("PUT "+web, `{"name":`, 400, "not a JSON object"),
			do("PUT "+web, `["name"]`, 400, "not a JSON object"),
			do("PUT "+web, `null`, 400, "not a JSON object"),
		}},
		{"body: another content type is refused", []step{func(t *testing.T, f *fixture) {
			r := f.request(t, "PUT "+web, `{}`)
			r.Header.Set("Content-Type", "text/plain")
			if answer, _ := f.send(t, r); answer.StatusCode != 415 {
				t.Errorf("answered %d", answer.StatusCode)
			}
		}}},
		{"body: another wanted type is refused", []step{func(t *testing.T, f *fixture) {
			r := f.request(t, "PUT "+web, `{}`)
			r.Header.Set("Accept", "text/html")
			if answer, _ := f.send(t, r); answer.StatusCode != 406 {
				t.Errorf("answered %d", answer.StatusCode)
			}
		}}},
		{"response type: media type with vendor and kind", []step{
			func(t *testing.T, f *fixture) {
				answer, body := f.send(t, f.request(t, "GET "+web+"?view=overview", ""))
				if got := answer.Header.Get("Content-Type"); got != "application/vnd.example.virtual-machine+json" {
					t.Errorf("content type %q", got)
				}
				expect(t, "GET", `{"type":"application/vnd.example.virtual-machine","discs":[
					{"type":"application/vnd.example.disc"},{"type":"application/vnd.example.disc"}]}`, body)
			},
		}},
		{"path ids: names and numeric ids, escaped", []step{
			do("GET "+web, "", 200, `{"id":{web1}}`),
			do("GET /accounts/demo/groups/{default}/virtual_machines/{web1}", "", 200, `{"name":"web1"}`),
			do("GET "+web+"/discs/{vda}", "", 200, `{"label":"vda"}`),
			do("GET "+web+"/discs/vda", "", 200, `{"id":{vda}}`),
			do("POST "+web+"/discs", `{"label":"a/b c","size":50}`, 201, `{"label":"a/b c"}`),
			do("GET "+web+"/discs/a%2Fb%20c", "", 200, `{"label":"a/b c"}`),
			do("GET /accounts/a%2F..%2Fdemo/groups", "", 404, "no such account"),
			do("GET /accounts//groups", "", 404, "not found"),
		}},
		{"path ids: names win over numeric ids", []step{
			do("PUT "+off, `{"name":"{web1}"}`, 200, `{"name":"{web1}"}`),
			do("GET "+group+"/virtual_machines/{web1}", "", 200, `{"id":{off1}}`),
			do("GET /virtual_machines/{web1}", "", 200, `{"id":{web1}}`),
			do("POST "+web+"/discs", `{"label":"{vda}","size":50}`, 201, `{}`),
			do("GET "+web+"/discs/{vda}", "", 200, `{"size":50}`),
		}},
		{"path ids: of another group", []step{
			do("GET /accounts/demo/groups/private/virtual_machines/{web1}", "", 404, "no such virtual machine"),
			do("GET /accounts/demo/groups/private/virtual_machines/web1", "", 404, "no such virtual machine"),
		}},
		{"PUT: partial", []step{
			do("PUT "+web, `{"keymap":"de"}`, 200, `{"keymap":"de","cores":2,"memory":2048,"name":"web1","power_on":true}`),
			do("PUT "+web, `{}`, 200, `{"keymap":"de","cores":2}`),
		}},
		{"unknown attributes: dropped", []step{
			do("PUT "+web, `{"flavour":"red","id":1,"hostname":"x","zone_name":"nowhere"}`, 200, `{"id":{web1},"zone_name":"york"}`),
			lacks("GET "+web, "flavour"),
		}},
		{"null: nullable fields", []step{
			do("GET "+web, "", 200, `{"cdrom_url":null,"keymap":null,"last_imaged_with":null}`),
			do("PUT "+web, `{"cores":null,"name":null}`, 400, `{"name":["can't be blank"]}`),
		}},
		{"authentication: on everything else", []step{
			useToken(""),
			do("GET "+web, "", 401, "no valid session"),
			do("GET /virtual_machines", "", 401, "no valid session"),
			do("POST /accounts/demo/groups", `{"name":"x"}`, 401, "no valid session"),
			useToken("wrong"),
			do("GET /accounts", "", 401, "no valid session"),
		}},
		{"authentication: users see their accounts only", []step{
			useBackDoor(func(e *emulator.Emulator) {
				e.AddAccount("other", false)
				e.AddUser(emulator.User{Name: "guest", Password: "guest", Accounts: []string{"other"}})
				e.AddAPIKey(emulator.APIKey{Key: "apikey.guest", User: "guest"})
			}),
			do("GET /accounts", "", 200, `[{"name":"demo"},{"name":"other"}]`), useToken("apikey.guest"),
			do("GET /accounts", "", 200, `[{"name":"other"}]`), do("GET /accounts/demo", "", 404, "no such account"),
			do("GET /virtual_machines", "", 200, `[]`), do("GET /virtual_machines/{web1}", "", 404, "no such virtual machine"),
			do("GET /discs/{vda}", "", 404, "no such disc"), do("GET /ips/{web1-ip}", "", 404, "no such address"),
			do("GET "+web, "", 404, "no such account"), do(create, newMachine, 404, "no such account"),
			do("POST /accounts/other/groups/default/vm_create", newMachine, 202, `{}`),
			do("PUT /accounts/other/groups/default/virtual_machines/new1", `{"group_id":{default}}`, 400, `{"group_id":["is not included in the list"]}`),
		}},
		{"status codes: 403 readable but not allowed", []step{
			useBackDoor(func(e *emulator.Emulator) { e.AddAccount("idle", true) }),
			do("GET /accounts/idle", "", 200, `{"suspended":true}`),
			do("GET /accounts/idle/groups/default", "", 200, `{"name":"default"}`),
			do("POST /accounts/idle/groups", `{"name":"more"}`, 403, "suspended"),
			do("POST /accounts/idle/groups/default/vm_create", `{}`, 403, "suspended"),
		}},
		{"status codes: 404 unknown", []step{
			do("GET /nothing", "", 404, "not found"),
			do("GET /", "", 404, "not found"),
			do("GET /accounts/nobody/groups/default", "", 404, "no such account"),
			do("GET /accounts/demo/groups/nothing", "", 404, "no such group"),
			do("GET "+web+"/discs/vdz", "", 404, "no such disc"),
			do("GET /virtual_machines/999999", "", 404, "no such virtual machine"),
			do("GET /virtual_machines/web1", "", 404, "no such virtual machine"),
		}},
		{"status codes: 405 wrong method", []step{
			do("PUT /accounts/demo/groups/default/vm_create", `{}`, 405, "Method Not Allowed"),
			do("DELETE /definitions", "", 405, "Method Not Allowed"),
		}},
		{"400 body: attribute to problems, of wrong types", []step{
			do("PUT "+web, `{"cores":"4","memory":1.5,"power_on":"yes","name":7,"group_id":[]}`, 400,
				`{"cores":["is not a number"],"memory":["must be an integer"],"power_on":["is not included in the list"],
				"name":["is not a string"],"group_id":["is not a number"]}`),
			do("PUT "+web, `{"cores":0,"memory":true}`, 400,
				`{"cores":["must be greater than or equal to 1"],"memory":["is not a number"]}`),
			do("PUT "+web, `{"cores":1e99}`, 400, `{"cores":["must be an integer"]}`),
		}},
	} {
		c.run(t)
	}
}

// logIn requests a session.
func logIn(body string) step {
	return func(t *testing.T, f *fixture) {
		t.Helper()
		answer, id := f.send(t, f.request(t, "POST /session", body))
		if answer.StatusCode != 200 || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/plain") || id == "" {
			t.Fatalf("%d %s %q", answer.StatusCode, answer.Header.Get("Content-Type"), id)
		}
		f.session = id
	}
}

// TestSessions checks API.md §2, row by row.
func TestSessions(t *testing.T) {
	t.Parallel()
	signIn := logIn(`{"username":"demo","password":"demo"}`)
	yubikey := "cccccc" + strings.Repeat("bdefghijkl", 3) + "nrtuvcbd"
	for _, c := range []conformance{
		{"POST /session: a session that works", []step{
			useToken(""), signIn, useToken("session"),
			do("GET /accounts", "", 200, `[{"name":"demo"}]`),
		}},
		{"POST /session: Bad login credentials", []step{
			useToken(""),
			do("POST /session", `{"username":"demo","password":"wrong"}`, 403, "Bad login credentials"),
			do("POST /session", `{"username":"nobody","password":"demo"}`, 403, "Bad login credentials"),
		}},
		{"POST /session: bad request", []step{
			useToken(""),
			do("POST /session", `{"username":"demo"}`, 400, "Badly-formed parameters"),
			do("POST /session", `{"username":"demo","password":"demo","validity":3600}`, 400, "Badly-formed parameters"),
			do("POST /session", `{"username":"demo","password":"demo","validity":"soon"}`, 400, "Badly-formed parameters"),
			do("POST /session", `demo`, 400, "Badly-formed parameters"),
		}},
		{"POST /session: a second factor, each code once", []step{
			useToken(""),
			useBackDoor(func(e *emulator.Emulator) {
				e.AddUser(emulator.User{Name: "careful", Password: "secret", SecondFactor: true, Codes: []string{yubikey, "123456"}})
			}),
			do("POST /session", `{"username":"careful","password":"secret"}`, 403, "Missing 2FA"),
			do("POST /session", `{"username":"careful","password":"wrong","2fa":"123456"}`, 403, "Bad login credentials"),
			do("POST /session", `{"username":"careful","password":"secret","2fa":"654321"}`, 403, "Authentication failed"),
			logIn(`{"username":"careful","password":"secret","yubikey":"` + yubikey + `"}`),
			do("GET /session/{session}", "", 200, `{"username":"careful","factors":["password","yubikey"],"group_memberships":[]}`),
			do("POST /session", `{"username":"careful","password":"secret","yubikey":"`+yubikey+`"}`, 403, "Authentication failed"),
			logIn(`{"username":"careful","password":"secret","2fa":"123456"}`),
			do("GET /session/{session}", "", 200, `{"factors":["password","2fa"]}`),
			do("POST /session", `{"username":"careful","password":"secret","2fa":"123456"}`, 403, "Authentication failed"),
		}},
		{"validity: in seconds, capped, and not extended", []step{
			useToken(""), logIn(`{"username":"demo","password":"demo","validity":"600"}`), useToken("session"),
			pass(9 * time.Minute), do("GET /accounts", "", 200, `[{}]`),
			pass(time.Minute), do("GET /accounts", "", 401, "no valid session"),
			useToken(""), logIn(`{"username":"demo","password":"demo","validity":"86400"}`), useToken("session"),
			pass(time.Hour - time.Second), do("GET /accounts", "", 200, `[{}]`),
			pass(time.Second), do("GET /accounts", "", 401, "no valid session"),
		}},
		{"GET /session/{id}: unknown and expired", []step{
			useToken(""), signIn,
			do("GET /session/unknown", "", 404, "Invalid token"),
			do("GET /session/{session}", "", 200, `{"username":"demo","factors":["password"]}`),
			pass(5 * time.Minute),
			do("GET /session/{session}", "", 404, "Invalid token"),
		}},
		{"lifetime: five minutes from issue", []step{
			signIn, useToken("session"),
			pass(5*time.Minute - time.Second),
			do("GET /accounts", "", 200, `[{}]`),
			pass(5 * time.Minute),
			do("GET /accounts", "", 401, "no valid session"),
		}},
		{"lifetime: extended by calls and by GET /session", []step{
			signIn, useToken("session"),
			pass(4 * time.Minute), do("GET /accounts", "", 200, `[{}]`),
			pass(4 * time.Minute), do("GET /session/{session}", "", 200, `{}`),
			pass(4 * time.Minute), do("GET /accounts", "", 200, `[{}]`),
		}},
		{"API key: used as it is, does not expire by the clock", []step{
			pass(1000 * time.Hour),
			do("GET /accounts", "", 200, `[{}]`),
			do("GET /session/apikey.demo", "", 200, `{"username":"demo","factors":["apikey"]}`),
		}},
		{"API key: with an expiry date of its own", []step{
			useBackDoor(func(e *emulator.Emulator) {
				e.AddAPIKey(emulator.APIKey{Key: emulator.DemoAPIKey, User: emulator.DemoUser, ExpiresAt: time.Now().Add(time.Hour)})
			}),
			pass(time.Hour - time.Second), do("GET /accounts", "", 200, `[{}]`), do("GET /session/apikey.demo", "", 200, `{}`),
			pass(time.Second), do("GET /accounts", "", 401, "no valid session"), do("GET /session/apikey.demo", "", 404, "Invalid token"),
		}},
		{"revoked: 401 on any call", []step{
			signIn, useToken("session"),
			useBackDoor((*emulator.Emulator).ExpireSessions),
			do("GET /accounts", "", 401, "no valid session"),
			useToken(emulator.DemoAPIKey),
			do("GET /accounts", "", 200, `[{}]`),
		}},
	} {
		c.run(t)
	}
}
