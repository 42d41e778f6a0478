package cloudserver_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// TestSuccessThatIsNotPromised: a 2xx that API.md §1 does not promise for a call does not count as success. It is an
// ambiguous failure, so the caller finds out what the request has done.
func TestSuccessThatIsNotPromised(t *testing.T) {
	t.Parallel()
	const text, refusal, html = "OK", `{"error":"not today"}`, "<html>"
	bodies := []string{"", "{}", wellAnswered, text, refusal, `{"errors":["not today"]}`, "[]", "null", "7", `{"id":7`, html}
	isObject := func(body string) bool { return body == "{}" || body == wellAnswered }
	for name, call := range calls() {
		method, _, _ := strings.Cut(call.sends, " ")
		if method == "" || strings.HasPrefix(name, "Create") && name != "CreateBackupSchedule" {
			continue // sessions and creations have their own tests
		}
		for _, status := range []int{200, 201, 202, 203, 204, 205, 206, 207, 226, 299} {
			for _, body := range bodies {
				var promised bool
				switch method {
				case http.MethodDelete:
					promised = status == 204
				case http.MethodGet: // other tests check the contents of answers
					promised = status == 200 || status == 202
				default:
					promised = status <= 202 && (body == "" || isObject(body)) || status == 204 && body == ""
				}
				if promised || status == 204 && body != "" { // a 204 has no body
					continue
				}
				t.Run(fmt.Sprintf("%s %d %s", name, status, body), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						service := serve(answer(status, body), answer(404, ""))
						err := call.do(t.Context(), newClient(t, service))
						if err == nil || !cloudserver.IsAmbiguous(err) || cloudserver.StatusCode(err) != 0 {
							t.Errorf("got %v", err)
						}
						for _, request := range service.methods()[1:] {
							if request != http.MethodGet {
								t.Errorf("requests %v", service.methods())
							}
						}
						if strings.HasPrefix(body, `{"error`) && (method == http.MethodPut || method == http.MethodPost) && !strings.Contains(err.Error(), "not today") {
							t.Errorf("the error does not quote the service: %v", err)
						}
					})
				})
			}
		}
	}
}

// TestChangeIsLookedAfter: if the answer to a change is not what is promised, the object is read. The change succeeded
// if the object is as requested.
func TestChangeIsLookedAfter(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		call, object string
		fails        bool
	}{
		"a machine that has changed": {
			call:   "UpdateVirtualMachine",
			object: `{"id":7,"name":"web2","power_on":false,"cdrom_url":null}`,
		},
		"a machine with its old name": {
			call:   "UpdateVirtualMachine",
			object: `{"id":7,"name":"web1","power_on":false,"cdrom_url":null}`,
			fails:  true,
		},
		"a machine that is on": {
			call:   "UpdateVirtualMachine",
			object: `{"id":7,"name":"web2","power_on":true,"cdrom_url":null}`,
			fails:  true,
		},
		"a machine with a CD": {
			call:   "UpdateVirtualMachine",
			object: `{"id":7,"name":"web2","power_on":false,"cdrom_url":"https://x.invalid"}`,
			fails:  true,
		},
		"a machine that is soft-deleted": {
			call:   "UpdateVirtualMachine",
			object: `{"id":7,"name":"web2","power_on":false,"deleted":true}`,
			fails:  true,
		},
		"a machine of unknown power": {
			call:   "UpdateVirtualMachine",
			object: `{"id":7,"name":"web2"}`,
			fails:  true,
		},
		"a machine that was moved": {call: "UpdateVirtualMachine moves", object: `{"id":7,"group_id":3}`},
		"a machine that was not moved": {
			call:   "UpdateVirtualMachine moves",
			object: `{"id":7,"group_id":4}`,
			fails:  true,
		},
		"a disc that has changed": {call: "UpdateDisc", object: `{"id":7,"size":6,"label":"data"}`},
		"a disc that has not grown": {
			call:   "UpdateDisc",
			object: `{"id":7,"size":5,"label":"data"}`,
			fails:  true,
		},
		"a disc with its old label": {call: "UpdateDisc", object: `{"id":7,"size":6,"label":"old"}`, fails: true},
		"a disc that was moved":     {call: "UpdateDisc moves", object: `{"id":7,"virtual_machine_id":8}`},
		"a disc that was not moved": {
			call:   "UpdateDisc moves",
			object: `{"id":7,"virtual_machine_id":7}`,
			fails:  true,
		},
		"a group that was renamed":     {call: "RenameGroup", object: `[{"id":7,"name":"dbs"}]`},
		"a group that was not renamed": {call: "RenameGroup", object: `[{"id":7,"name":"web"}]`, fails: true},
		"a reverse name that was set": {
			call:   "SetRDNS",
			object: `{"address":"192.0.2.1","rdns":"web1.example.com"}`,
		},
		"a reverse name that was not set": {
			call:   "SetRDNS",
			object: `{"address":"192.0.2.1","rdns":"web2.example.com"}`,
			fails:  true,
		},
	} {
		for _, body := range []string{"OK", `{"error":"not today"}`, `{"name":"half of it"`} {
			t.Run(name+" "+body, func(t *testing.T) {
				t.Parallel()
				service := serve(answer(200, body), answer(200, test.object))
				err := do(t.Context(), newClient(t, service), test.call)
				if (err != nil) != test.fails || err != nil && !cloudserver.IsAmbiguous(err) {
					t.Errorf("got %v", err)
				}
				if got := strings.Join(service.methods(), " "); got != "PUT GET" {
					t.Errorf("requests %s", got)
				}
			})
		}
	}
}
