package emulator_test

import (
	"encoding/json"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestShownBody checks what is shown of a body: text of attributes that are known and are leaves, and no other text.
func TestShownBody(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, body, want string }{
		{
			"a creation", `{"virtual_machine":{"name":"web1","cores":2},"discs":[{"label":"vda","size":50}]}`,
			`{"discs":[{"label":"vda","size":50}],"virtual_machine":{"cores":2,"name":"web1"}}`,
		},
		{
			"secrets", `{"reimage":{"distribution":"noble","root_password":"SECRET","firstboot_script":"SECRET"}}`,
			`{"reimage":{"distribution":"noble","firstboot_script":"…","root_password":"…"}}`,
		},
		{"a secret that is a number", `{"root_password":123456}`, `{"root_password":"…"}`},
		{"an unknown attribute", `{"token":"SECRET","extra":{"name":"SECRET"}}`, `{"extra":"…","token":"…"}`},
		{"text in place of an object", `{"virtual_machine":"SECRET","reimage":"SECRET","ips":"SECRET"}`, `{"ips":"…","reimage":"…","virtual_machine":"…"}`},
		{"text in place of a list", `{"discs":"SECRET","backup_schedules":"SECRET"}`, `{"backup_schedules":"…","discs":"…"}`},
		{"text in a list", `{"discs":["SECRET",["SECRET"],{"label":["SECRET"]}]}`, `{"discs":["…","…",{"label":"…"}]}`},
		{"an object in place of text", `{"name":{"name":"SECRET"},"label":{"SECRET":1}}`, `{"label":"…","name":"…"}`},
		{"a name that is a secret", `{"SECRET":1}`, `{"…":"…"}`},
		{"null and booleans", `{"cdrom_url":null,"power_on":true,"virtual_machine":null}`, `{"cdrom_url":null,"power_on":true,"virtual_machine":null}`},
		{"a URL with credentials", `{"cdrom_url":"https://me:SECRET@cd.example/a.iso?key=SECRET"}`, `{"cdrom_url":"https://cd.example/a.iso…"}`},
		{"no URL", `{"cdrom_url":":SECRET"}`, `{"cdrom_url":"…"}`},
		{"no object", `["SECRET"]`, `"…"`},
		{"text", `"SECRET"`, `"…"`},
		{"no JSON", `SECRET`, `null`},
		{"nothing", ``, `null`},
	} {
		got, err := json.Marshal(emulator.Request{Body: []byte(test.body)}.ShownBody())
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %s, %v, want %s", test.name, got, err, test.want)
		}
	}
}

// TestShownQuery checks that of a query only parameters that the service knows are shown.
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
