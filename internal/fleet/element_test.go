package fleet_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

func TestElement(t *testing.T) {
	t.Parallel()
	groups := []cloudserver.Group{
		{ID: 10, Name: "default"}, {ID: 11, Name: "12"}, {ID: 12, Name: "13"}, {ID: 13, Name: "web"}, {ID: 14, Name: "14"}, {ID: 15, Name: "900"},
	}
	const listing = "/accounts/acme/groups"
	for _, test := range []struct {
		group string
		id    int64
		want  string // the element, or part of the error
		calls []string
	}{
		{"default", 10, "default", nil},
		{"default", 0, "default", nil},
		{"unknown", 0, "unknown", nil}, // the service says so itself
		{"", 10, "10", []string{listing}},
		{"", 13, "web", []string{listing}},  // another group is named 13
		{"12", 0, "11", []string{listing}},  // by its id, which is nobody's name
		{"12", 11, "11", []string{listing}}, // the same with both known
		{"14", 0, "14", []string{listing}},  // named as its own id
		{"900", 15, "15", []string{listing}},
		{"", 99, "99", []string{listing}}, // gone: nothing else answers to it
		{"", 12, `the group with id 12 of account "acme" cannot be distinguished from the group named "12" (id 11)`, []string{listing}},
		{"13", 0, "cannot be distinguished from", []string{listing}},
		{"55", 0, `no group has the name "55"`, []string{listing}},
	} {
		w := newWorld()
		w.groups["acme"] = groups
		got, err := fleet.NewDirectory(w).Element(t.Context(), "acme", test.group, test.id)
		if err != nil {
			got = err.Error()
		}
		if got != test.want && (err == nil || !strings.Contains(got, test.want)) {
			t.Errorf("Element(%q, %d): got %q, want %q", test.group, test.id, got, test.want)
		}
		w.wantCalls(t, test.calls...)
	}
	w := newWorld()
	w.fail[listing] = http.StatusBadGateway
	if got, err := fleet.NewDirectory(w).Element(t.Context(), "acme", "", 10); got != "" || cloudserver.StatusCode(err) != http.StatusBadGateway {
		t.Errorf("without a listing: got %q, %v", got, err)
	}
}

func TestCheckAccount(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"acme": "", "nobody": "", // a name that is no number needs no check
		"77": "", // the name of account 3
		"88": `no account is named "88"; the account with that ID is named "hidden"`,
		"99": `no account is named "99"`,
		"2":  `the account named "2" cannot be distinguished from the account "other", which has that id`,
	} {
		w := newWorld()
		if name == "2" {
			w.accounts = append(w.accounts, cloudserver.Account{ID: 5, Name: "2"})
		}
		err := fleet.NewDirectory(w).CheckAccount(t.Context(), name)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("CheckAccount(%q): got %v, want %q", name, err, want)
		}
		if digits := cloudserver.IsDigits(name); digits != (len(w.calls) == 1) {
			t.Errorf("CheckAccount(%q): %v", name, w.calls)
		}
	}
}
