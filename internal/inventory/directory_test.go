// SPDX-License-Identifier: MPL-2.0

package inventory_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
)

// Endpoint plays the client's method.
func (w *world) Endpoint() string { return "https://api.example.com" }

// world is a service with accounts and groups, which records the requests.
type world struct {
	*cloudserver.Client // nil: machines are never requested

	mu       sync.Mutex
	calls    []string
	accounts []cloudserver.Account
	groups   map[string][]cloudserver.Group
	fail     map[string]int // status of a call instead of its answer
}

func newWorld() *world {
	return &world{
		accounts: []cloudserver.Account{{ID: 1, Name: "acme"}, {ID: 2, Name: "other"}, {ID: 3, Name: "77"}, {ID: 88, Name: "hidden"}},
		groups: map[string][]cloudserver.Group{
			"acme":  {{ID: 10, Name: "default"}, {ID: 11, Name: "team.a"}},
			"other": {{ID: 20, Name: "default"}},
			"77":    {},
		},
		fail: map[string]int{},
	}
}

func (w *world) answer(call string, known bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls = append(w.calls, call)
	status := w.fail[call]
	if status == 0 && !known {
		status = http.StatusNotFound
	}
	if status == 0 {
		return nil
	}
	return &cloudserver.Error{Method: http.MethodGet, Path: call, StatusCode: status}
}

func (w *world) Account(_ context.Context, account string) (*cloudserver.Account, error) {
	i := slices.IndexFunc(w.accounts, func(a cloudserver.Account) bool { return a.Name == account })
	if err := w.answer("/accounts/"+account, i >= 0); err != nil {
		return nil, err
	}
	return &w.accounts[i], nil
}

func (w *world) Accounts(context.Context) ([]cloudserver.Account, error) {
	return w.accounts, w.answer("/accounts", true)
}

func (w *world) Groups(_ context.Context, account string) ([]cloudserver.Group, error) {
	groups, ok := w.groups[account]
	return slices.Clone(groups), w.answer("/accounts/"+account+"/groups", ok)
}

// wantCalls compares all requests since its last call.
func (w *world) wantCalls(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(w.calls, want) {
		t.Errorf("requests:\n got %v\nwant %v", w.calls, want)
	}
	w.calls = nil
}

func TestGroupByID(t *testing.T) {
	t.Parallel()
	failing := func(status int) func(*world) {
		return func(w *world) { w.fail["/accounts/acme/groups"] = status }
	}
	for name, test := range map[string]struct {
		id     int64
		likely []string
		change func(*world)
		want   string // "account/name", "" for none, or part of the error
		calls  string // the accounts whose groups are listed; "all" where the accounts are
	}{
		"in the likely account":        {id: 11, likely: []string{"acme"}, want: "acme/team.a", calls: "acme"},
		"elsewhere":                    {id: 20, likely: []string{"", "acme", "acme"}, want: "other/default", calls: "acme all other"},
		"without a likely account":     {id: 20, want: "other/default", calls: "all acme other"},
		"nowhere":                      {id: 99, likely: []string{"acme"}, calls: "acme all other 77 hidden hidden"},
		"the likely account is hidden": {id: 20, likely: []string{"gone"}, want: "other/default", calls: "gone all acme other"},
		"a listing fails":              {id: 20, change: failing(http.StatusBadGateway), want: "502", calls: "all acme"},
		"a forbidden account":          {id: 20, change: failing(http.StatusForbidden), want: "other/default", calls: "all acme other"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			if test.change != nil {
				test.change(w)
			}
			group, err := inventory.New(w).GroupByID(t.Context(), test.id, test.likely...)
			checkGroup(t, group, err, test.want)
			var calls []string
			for _, account := range strings.Fields(test.calls) {
				calls = append(calls, strings.Replace("/accounts/"+account+"/groups", "/all/groups", "", 1))
			}
			w.wantCalls(t, calls...)
		})
	}
}

// TestGroupByIDOfAnotherProcess finds a group that was created after the lists were read. Many machines of a group that no
// list has do not read the lists again and again.
func TestGroupByIDOfAnotherProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		v := inventory.New(w)
		group, err := v.GroupByID(t.Context(), 10, "acme")
		checkGroup(t, group, err, "acme/default")
		w.groups["acme"] = append(w.groups["acme"], cloudserver.Group{ID: 12, Name: "fresh"})
		time.Sleep(10 * time.Second)
		group, err = v.GroupByID(t.Context(), 12, "acme")
		checkGroup(t, group, err, "acme/fresh")
		w.wantCalls(t, "/accounts/acme/groups", "/accounts", "/accounts/other/groups", "/accounts/77/groups", "/accounts/hidden/groups", "/accounts/acme/groups")
		for range 3 {
			group, err = v.GroupByID(t.Context(), 99, "acme")
			checkGroup(t, group, err, "")
		}
		if count := slices.Index(w.calls, "/accounts/acme/groups"); count >= 0 {
			t.Errorf("requests: %v", w.calls)
		}
	})
}

func checkGroup(t *testing.T, group *inventory.Group, err error, want string) {
	t.Helper()
	got := ""
	switch {
	case err != nil:
		got = err.Error()
	case group != nil:
		got = group.Account + "/" + group.Name
	}
	if got != want && (err == nil || !strings.Contains(got, want)) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Groups are remembered for a minute, or until this process changes one. A group that the kept list lacks is looked for
// again. A name of digits is no ID.
func TestGroupNamed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		d := inventory.New(w)
		const missing = "no group has the name"
		find := func(name, want string) {
			t.Helper()
			group, err := d.GroupNamed(t.Context(), "acme", name)
			checkGroup(t, group, err, want)
			if (want == missing) != cloudserver.IsNotFound(err) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		find("default", "acme/default")
		find("default", "acme/default")
		w.wantCalls(t, "/accounts/acme/groups")
		find("11", missing)
		w.wantCalls(t, "/accounts/acme/groups") // another process may have created it
		w.groups["acme"] = append(w.groups["acme"], cloudserver.Group{ID: 12, Name: "new"}, cloudserver.Group{ID: 13, Name: "11"})
		find("new", "acme/new")
		w.groups["acme"][0].Name = "other"
		find("default", "acme/default")
		time.Sleep(time.Minute + time.Second)
		find("default", missing)
		find("other", "acme/other")
		find("11", "acme/11")
		w.groups["acme"][0].Name = "renamed"
		d.GroupsChanged()
		find("default", missing)
		find("renamed", "acme/renamed")
	})
}

// The plan of a group tells the machines of the same process what becomes of it.
func TestPlannedGroups(t *testing.T) {
	t.Parallel()
	d := inventory.New(newWorld())
	if _, ok := d.PlannedGroup("acme", "default"); ok {
		t.Error("a group is planned before its plan")
	}
	d.PlanGroup(inventory.PlannedGroup{Account: "acme", Name: "web", ID: 10})
	if planned, ok := d.PlannedGroup("acme", "web"); !ok || planned.ID != 10 {
		t.Errorf("got %+v, %t", planned, ok)
	}
	if _, ok := d.PlannedGroup("other", "web"); ok {
		t.Error("a group is planned in another account")
	}
}

// A found object counts for one delete.
func TestFoundObjects(t *testing.T) {
	t.Parallel()
	found := inventory.New(newWorld())
	for _, want := range []bool{false, true, false} {
		if want {
			found.Adopt("rdns 192.0.2.1")
		}
		if got := found.TakeAdopted("rdns 192.0.2.1"); got != want {
			t.Errorf("got %t, want %t", got, want)
		}
	}
}

// A 404 means that an object is gone while its account is visible and has the ID of the state.
func TestCheckGone(t *testing.T) {
	t.Parallel()
	denial := &cloudserver.Error{Method: http.MethodGet, Path: "/virtual_machines/7", StatusCode: http.StatusNotFound}
	for name, test := range map[string]struct {
		account   string
		accountID int64
		change    func(*world)
		gone      bool
		want      string // part of the error
		calls     string
	}{
		"visible":         {account: "acme", accountID: 1, gone: true, want: "404", calls: "/accounts/acme"},
		"ID unknown":      {account: "acme", gone: true, want: "404", calls: "/accounts/acme"},
		"any account":     {gone: true, want: "404", calls: "/accounts"},
		"hidden":          {account: "gone", accountID: 1, want: `cannot see account "gone"`, calls: "/accounts/gone"},
		"none of its ID":  {accountID: 9, want: "can see no account", calls: "/accounts"},
		"no account":      {change: func(w *world) { w.accounts = nil }, want: "can see no account", calls: "/accounts"},
		"forbidden":       {account: "acme", change: failing(http.StatusForbidden), want: `cannot see account "acme"`, calls: "/accounts/acme"},
		"another service": {account: "acme", accountID: 9, want: "this is another service", calls: "/accounts/acme"},
		"a failure":       {account: "acme", change: failing(http.StatusBadGateway), want: "502", calls: "/accounts/acme"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			if test.change != nil {
				test.change(w)
			}
			f := inventory.New(w)
			for range 2 { // an answer from before the 404 proves nothing
				err := f.CheckGone(t.Context(), test.account, test.accountID, denial)
				if inventory.IsGone(err) != test.gone || cloudserver.IsNotFound(err) != test.gone || !strings.Contains(err.Error(), test.want) {
					t.Errorf("got %v", err)
				}
			}
			w.wantCalls(t, test.calls, test.calls)
		})
	}
}

func failing(status int) func(*world) {
	return func(w *world) { w.fail["/accounts/acme"] = status }
}
