package emulator_test

import (
	"encoding/json"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestShownBody checks which parts of a body are shown: the values of known attributes, and no other text.
func TestShownBody(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, body, want string }{
		{
			name: "a creation",
			body: `{"virtual_machine":{"name":"web1","cores":2},"discs":[{"label":"vda","size":50}]}`,
			want: `{"discs":[{"label":"vda","size":50}],"virtual_machine":{"cores":2,"name":"web1"}}`,
		},
		{
			name: "secrets",
			body: `{"reimage":{"distribution":"noble","root_password":"SECRET","firstboot_script":"SECRET"}}`,
			want: `{"reimage":{"distribution":"noble","firstboot_script":"…","root_password":"…"}}`,
		},
		{name: "a secret that is a number", body: `{"root_password":123456}`, want: `{"root_password":"…"}`},
		{
			name: "an unknown attribute",
			body: `{"token":"SECRET","extra":{"name":"SECRET"}}`,
			want: `{"extra":"…","token":"…"}`,
		},
		{
			name: "text in place of an object",
			body: `{"virtual_machine":"SECRET","reimage":"SECRET","ips":"SECRET"}`,
			want: `{"ips":"…","reimage":"…","virtual_machine":"…"}`,
		},
		{
			name: "text in place of a list",
			body: `{"discs":"SECRET","backup_schedules":"SECRET"}`,
			want: `{"backup_schedules":"…","discs":"…"}`,
		},
		{
			name: "text in a list",
			body: `{"discs":["SECRET",["SECRET"],{"label":["SECRET"]}]}`,
			want: `{"discs":["…","…",{"label":"…"}]}`,
		},
		{
			name: "an object in place of text",
			body: `{"name":{"name":"SECRET"},"label":{"SECRET":1}}`,
			want: `{"label":"…","name":"…"}`,
		},
		{name: "a name that is a secret", body: `{"SECRET":1}`, want: `{"…":"…"}`},
		{
			name: "null and booleans",
			body: `{"cdrom_url":null,"power_on":true,"virtual_machine":null}`,
			want: `{"cdrom_url":null,"power_on":true,"virtual_machine":null}`,
		},
		{
			name: "a URL with credentials",
			body: `{"cdrom_url":"https://me:SECRET@cd.example/a.iso?key=SECRET"}`,
			want: `{"cdrom_url":"https://cd.example/a.iso…"}`,
		},
		{name: "no URL", body: `{"cdrom_url":":SECRET"}`, want: `{"cdrom_url":"…"}`},
		{name: "no object", body: `["SECRET"]`, want: `"…"`},
		{name: "text", body: `"SECRET"`, want: `"…"`},
		{name: "no JSON", body: `SECRET`, want: `null`},
		{name: "nothing", want: `null`},
	} {
		got, err := json.Marshal(emulator.Request{Body: []byte(test.body)}.ShownBody())
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %s, %v, want %s", test.name, got, err, test.want)
		}
	}
}

// TestShownQuery checks that only those parameters of a query are shown that the service knows.
func TestShownQuery(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"":                            "",
		"view=overview":               "view=overview",
		"purge=true&SECRET":           "purge=true&…",
		"account_id=1&token=SECRET":   "account_id=1&…",
		"group_id=7&include_deleted":  "group_id=7&include_deleted",
		"SECRET=SECRET&view=overview": "…&view=overview",
		"vie%77=SECRET":               "…", // not as a client of the service writes it
		"view=SECRET":                 "view=…",
		"view=overview;SECRET":        "view=…",
		"account_id=my%20SECRET":      "account_id=…",
	} {
		if got := (emulator.Request{Query: query}).ShownQuery(); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
}
