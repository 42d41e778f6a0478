package tfkit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

func TestParseImportID(t *testing.T) {
	t.Parallel()
	machine, group := []string{"account", "group", "name"}, []string{"account", "name"}
	for _, test := range []struct {
		text  string
		parts []string
		want  string // "id names", or part of the error
	}{
		{"12", group, "12 map[]"},
		{"9223372036854775807", group, "9223372036854775807 map[]"},
		{"9223372036854775808", group, "is not a numeric ID"},
		{"0", group, "is not a numeric ID"},
		{"007", group, "is not a numeric ID"},
		{"+5", group, "0 map[name:+5]"},
		{"٣", group, "0 map[name:٣]"},
		{"-5", group, "0 map[name:-5]"},
		{"12x", group, "0 map[name:12x]"},
		{"web", group, "0 map[name:web]"},
		{"demo/web", group, "0 map[account:demo name:web]"},
		{"demo/12", group, "0 map[account:demo name:12]"}, // a name that is a number
		{"team.a/web 1", group, "0 map[account:team.a name:web 1]"},
		{"default/web1", machine, "0 map[group:default name:web1]"},
		{"demo/default/web1", machine, "0 map[account:demo group:default name:web1]"},
		{"a/b/c", group, `"a/b/c" has more than 2 parts`},
		{"a/b/c/d", machine, "has more than 3 parts"},
		{"", group, `the name in "" is empty`},
		{"demo/", group, `the name in "demo/" is empty`},
		{"/web", group, `the account in "/web" is empty`},
		{" web", group, "has leading or trailing whitespace"},
		{"demo/web\n", group, "has leading or trailing whitespace"},
	} {
		id, err := tfkit.ParseImportID(test.text, test.parts...)
		got := fmt.Sprint(id.ID, " ", id.Names)
		if err != nil {
			got = err.Error()
		}
		if got != test.want && (err == nil || !strings.Contains(got, test.want)) {
			t.Errorf("%q of %v: got %q, want %q", test.text, test.parts, got, test.want)
		}
	}
}

func FuzzParseImportID(f *testing.F) {
	for _, seed := range []string{"12", "demo/web", "", "/", "a/b/c", "0", " 1", "00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id, err := tfkit.ParseImportID(text, "account", "name")
		again := id.Names["name"]
		if account, ok := id.Names["account"]; ok {
			again = account + "/" + again
		}
		if id.ID != 0 {
			again = cloudserver.IDText(id.ID)
		}
		if err == nil && again != text {
			t.Errorf("%q is read as %+v", text, id)
		}
	})
}
