// SPDX-License-Identifier: MPL-2.0

package emulator_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestDocumentedFields checks that each object has exactly the fields that API.md §3 to §5 and §8 document.
func TestDocumentedFields(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	documented := responseOf(t, "GET /virtual_machines/{id}?view=overview")
	documented["type"] = nil
	whole := fields(documented)
	delete(documented, "discs")
	delete(documented, "network_interfaces")
	machine := fields(documented)
	const disc = "backup_count backup_schedules backups_enabled id label size storage_grade storage_pool type virtual_machine_id"
	var overview map[string]json.RawMessage
	f.decode(t, "GET "+web+"?view=overview", "", &overview)
	for name, c := range map[string]struct{ call, body, want string }{
		"virtual_machine": {call: "GET " + web, want: machine},
		"disc":            {call: "GET " + web + "/discs/vda", want: disc},
		"group":           {call: "GET " + group, want: "account_id id name type"},
		"account":         {call: "GET /accounts/demo", want: "id name suspended type"},
		"address":         {call: "GET /ips/{web1-ip}", want: "address rdns"},
		"session":         {call: "GET /session/apikey.demo", want: "factors group_memberships username"},
		"vm_create":       {call: create, body: newMachine, want: "discs virtual_machine"},
		"reimage": {
			call: "POST " + off + "/reimage",
			body: `{"distribution":"noble","root_password":"correct horse"}`,
			want: "distribution root_password",
		},
	} {
		var object map[string]json.RawMessage
		f.decode(t, c.call, c.body, &object)
		if got := fields(object); got != c.want {
			t.Errorf("%s has\n%s, want\n%s", name, got, c.want)
		}
	}
	var faces []map[string]json.RawMessage
	if err := json.Unmarshal(overview["network_interfaces"], &faces); err != nil || len(faces) != 1 {
		t.Fatalf("%v in %s", err, overview["network_interfaces"])
	}
	if got := fields(faces[0]); got != "extra_ips id ips label mac virtual_machine_id vlan_num" {
		t.Errorf("an interface has %s", got)
	}
	if got := fields(overview); got != whole {
		t.Errorf("the overview has\n%s, want\n%s", got, whole)
	}
}

// responseOf returns the response to a call in API.md.
func responseOf(t *testing.T, call string) (response map[string]json.RawMessage) {
	t.Helper()
	text, err := os.ReadFile("../cloudserver/API.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n#### `"+call+"`\n")
	_, written, _ := strings.Cut(section, "```json\n")
	written, _, _ = strings.Cut(written, "```")
	if err := json.Unmarshal([]byte(written), &response); err != nil {
		t.Fatalf("API.md, %s: %v", call, err)
	}
	return response
}

// decode makes a call and decodes the answer.
func (f *fixture) decode(t *testing.T, call, body string, into any) {
	t.Helper()
	_, got := f.send(t, f.request(t, call, body))
	if err := json.Unmarshal([]byte(got), into); err != nil {
		t.Fatalf("%s: %v in %s", call, err, got)
	}
}

// fields lists the attributes of an object, sorted.
func fields(object map[string]json.RawMessage) string {
	return strings.Join(slices.Sorted(maps.Keys(object)), " ")
}
