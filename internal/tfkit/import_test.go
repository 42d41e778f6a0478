// SPDX-License-Identifier: MPL-2.0

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
		{text: "12", parts: group, want: "12 map[]"},
		{text: "9223372036854775807", parts: group, want: "9223372036854775807 map[]"},
		{text: "9223372036854775808", parts: group, want: "is not a numeric ID"},
		{text: "0", parts: group, want: "is not a numeric ID"},
		{text: "007", parts: group, want: "is not a numeric ID"},
		{text: "+5", parts: group, want: "0 map[name:+5]"},
		{text: "٣", parts: group, want: "0 map[name:٣]"},
		{text: "-5", parts: group, want: "0 map[name:-5]"},
		{text: "12x", parts: group, want: "0 map[name:12x]"},
		{text: "web", parts: group, want: "0 map[name:web]"},
		{text: "demo/web", parts: group, want: "0 map[account:demo name:web]"},
		{text: "demo/12", parts: group, want: "0 map[account:demo name:12]"}, // a name that is a number
		{text: "team.a/web 1", parts: group, want: "0 map[account:team.a name:web 1]"},
		{text: "default/web1", parts: machine, want: "0 map[group:default name:web1]"},
		{text: "demo/default/web1", parts: machine, want: "0 map[account:demo group:default name:web1]"},
		{text: "a/b/c", parts: group, want: `"a/b/c" has more than 2 parts`},
		{text: "a/b/c/d", parts: machine, want: "has more than 3 parts"},
		{parts: group, want: `the name in "" is empty`},
		{text: "demo/", parts: group, want: `the name in "demo/" is empty`},
		{text: "/web", parts: group, want: `the account in "/web" is empty`},
		{text: " web", parts: group, want: "has leading or trailing whitespace"},
		{text: "demo/web\n", parts: group, want: "has leading or trailing whitespace"},
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
