package emulator_test

import (
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestOptions checks each freedom of API.md for which there is an option.
func TestOptions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		options emulator.Options
		conformance
	}{
		{emulator.Options{}, conformance{"names win over ids", []step{
			do("PUT "+off, `{"name":"{web1}"}`, 200, `{"name":"{web1}"}`),
			do("GET "+group+"/virtual_machines/{web1}", "", 200, `{"id":{off1}}`),
			do("GET /virtual_machines/{web1}", "", 200, `{"id":{web1}}`),
			do("POST "+web+"/discs", `{"label":"{vda}","size":50}`, 201, `{}`),
			do("GET "+web+"/discs/{vda}", "", 200, `{"size":50}`),
		}}},
		{emulator.Options{}, conformance{"groups: no dots", []step{
			do("POST /accounts/demo/groups", `{"name":"team.a"}`, 400, `{"name":["is invalid"]}`),
		}}},
		{emulator.Options{IgnorePowerdown: true}, conformance{"guests that ignore powerdown", []step{
			do("POST "+web+"/signal", `{"signal":"powerdown"}`, 200, `{}`), do("GET "+web, "", 200, `{"power_on":true}`),
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
		{emulator.Options{}, conformance{"users see their accounts only", []step{
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
		}}},
	} {
		c.runWith(t, c.options)
	}
}
