// SPDX-License-Identifier: MPL-2.0

package emulator_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// FuzzRequests checks that the emulator answers every request, with a body of bounded size, and that its data stays
// consistent.
func FuzzRequests(f *testing.F) {
	for _, seed := range [][2]string{
		{"POST " + create, `{"virtual_machine":{"name":"new1","cores":2},"discs":[{"label":"vda","size":25600}],"reimage":{"distribution":"bookworm"}}`},
		{"POST " + create, `{"virtual_machine":[],"discs":{"a":1},"ips":{"ipv4":7}}`},
		{"PUT " + web, `{"name":"web2","cores":"many","group_id":-1,"cdrom_url":null}`},
		{"POST " + web + "/discs", `{"label":"vdc","size":1e99}`},
		{"POST " + web + "/signal", `{"signal":"sendkey","data":"ctrl-alt-delete"}`},
		{"POST /session", `{"username":"demo","password":"demo"}`},
		{"PUT /ips/198.51.100.1", `{"rdns":"a.example"}`},
		{"GET /virtual_machines?group_id=x&include_deleted=true", ``},
		{"GET /accounts/a%2F..%2Fb/groups/%00", ``},
	} {
		f.Add(strings.Fields(seed[0])[0], strings.Fields(seed[0])[len(strings.Fields(seed[0]))-1], seed[1])
	}
	f.Fuzz(func(t *testing.T, method, path, body string) {
		service := newFixture(t)
		request, err := http.NewRequestWithContext(t.Context(), method, "http://emulator/", strings.NewReader(body))
		if err != nil {
			return // no client would send it
		}
		if request.URL, err = request.URL.Parse(path); err != nil || request.URL.Host != "emulator" {
			return
		}
		request.Header.Set("Accept", "application/json, text/plain")
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer "+service.token)
		answer, err := service.client.Transport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		read, err := io.ReadAll(answer.Body)
		if err != nil || len(read) > 1<<20 || answer.StatusCode < 200 || answer.StatusCode == http.StatusInternalServerError && !strings.Contains(path, "/discs/") && !strings.Contains(body, "cdrom_url") {
			t.Errorf("%d, %d bytes, %v", answer.StatusCode, len(read), err)
		}
		if strings.Contains(answer.Header.Get("Content-Type"), "json") && !json.Valid(read) {
			t.Errorf("no JSON: %s", read)
		}
		names := map[string]bool{}
		for _, machine := range service.Machines() {
			if key := machine.Account + "/" + machine.Group + "/" + machine.Name; names[key] || machine.Name == "" || len(machine.Discs) > 8 {
				t.Errorf("out of order: %+v", machine)
			} else {
				names[key] = true
			}
		}
	})
}
