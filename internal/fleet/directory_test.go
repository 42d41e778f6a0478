package fleet_test

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
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// world is a service with accounts and groups, which records the requests.
type world struct {
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

func (w *world) AccountAlone(_ context.Context, account string) (*cloudserver.Account, error) {
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

func (w *world) GroupAlone(_ context.Context, account, group string) (*cloudserver.Group, error) {
	i := slices.IndexFunc(w.groups[account], func(g cloudserver.Group) bool { return g.Name == group })
	return &cloudserver.Group{Name: group}, w.answer("/accounts/"+account+"/groups/"+group, i >= 0)
}

// wantCalls compares all requests since the last look.
func (w *world) wantCalls(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(w.calls, want) {
		t.Errorf("requests:\n got %v\nwant %v", w.calls, want)
	}
	w.calls = nil
}

func TestVisibleAsksOncePerAccount(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		d := fleet.NewDirectory(w)
		var callers sync.WaitGroup
		for range 100 {
			callers.Go(func() {
				if err := d.Visible(t.Context(), "acme"); err != nil {
					t.Errorf("acme: %v", err)
				}
				if err := d.Visible(t.Context(), "nobody"); !cloudserver.IsNotFound(err) {
					t.Errorf("nobody: %v, want not found", err)
				}
			})
		}
		callers.Wait()
		slices.Sort(w.calls)
		w.wantCalls(t, "/accounts/acme", "/accounts/nobody")
	})
}

func TestVisibleWithoutAnAccount(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change  func(*world)
		visible bool
	}{
		"some":     {func(*world) {}, true},
		"none":     {func(w *world) { w.accounts = nil }, false},
		"404":      {func(w *world) { w.fail["/accounts"] = http.StatusNotFound }, false},
		"an error": {func(w *world) { w.fail["/accounts"] = http.StatusBadGateway }, false},
	} {
		w := newWorld()
		test.change(w)
		d := fleet.NewDirectory(w)
		for range 2 {
			if err := d.Visible(t.Context(), ""); (err == nil) != test.visible {
				t.Errorf("%s: got %v", name, err)
			}
		}
		w.wantCalls(t, "/accounts")
	}
}

func TestGroupByID(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		id     int64
		likely []string
		change func(*world)
		want   string // "account/name", "" for none, or part of the error
		calls  []string
	}{
		"in the likely account": {11, []string{"acme"}, nil, "acme/team.a", []string{"/accounts/acme/groups"}},
		"elsewhere": {
			20,
			[]string{"", "acme", "acme"},
			nil, "other/default",
			[]string{"/accounts/acme/groups", "/accounts", "/accounts/other/groups"},
		},
		"without a likely account": {20, nil, nil, "other/default", []string{"/accounts", "/accounts/acme/groups", "/accounts/other/groups"}},
		"nowhere": {
			99,
			[]string{"acme"},
			nil, "",
			[]string{"/accounts/acme/groups", "/accounts", "/accounts/other/groups", "/accounts/77/groups", "/accounts/hidden/groups"},
		},
		"the likely account is hidden": {
			20,
			[]string{"gone"},
			nil, "other/default",
			[]string{"/accounts/gone/groups", "/accounts", "/accounts/acme/groups", "/accounts/other/groups"},
		},
		"a listing fails": {
			20, nil, func(w *world) { w.fail["/accounts/acme/groups"] = http.StatusBadGateway }, "502",
			[]string{"/accounts", "/accounts/acme/groups"},
		},
		"a forbidden account": {
			20, nil, func(w *world) { w.fail["/accounts/acme/groups"] = http.StatusForbidden }, "other/default",
			[]string{"/accounts", "/accounts/acme/groups", "/accounts/other/groups"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			if test.change != nil {
				test.change(w)
			}
			group, err := fleet.NewDirectory(w).GroupByID(t.Context(), test.id, test.likely...)
			checkGroup(t, group, err, test.want)
			w.wantCalls(t, test.calls...)
		})
	}
}

func checkGroup(t *testing.T, group *fleet.Group, err error, want string) {
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

// What was read is believed for a minute, or until this process changes something.
func TestGroupNamed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		d := fleet.NewDirectory(w)
		find := func(name, want string) {
			t.Helper()
			group, err := d.GroupNamed(t.Context(), "acme", name)
			checkGroup(t, group, err, want)
		}
		find("default", "acme/default")
		find("11", "") // an id is no name
		w.groups["acme"] = append(w.groups["acme"], cloudserver.Group{ID: 12, Name: "new"})
		find("new", "")
		w.wantCalls(t, "/accounts/acme/groups")
		time.Sleep(time.Minute)
		find("new", "acme/new")
		if found, err := d.Find(t.Context(), "acme", 12); err != nil || found.Name != "new" {
			t.Errorf("got %+v, %v", found, err)
		}
		if found, err := d.Find(t.Context(), "acme", 20); err != nil || found != nil {
			t.Errorf("a group of another account: %+v, %v", found, err)
		}
		w.wantCalls(t, "/accounts/acme/groups")
		w.groups["acme"][0].Name = "renamed"
		d.Changed("acme")
		find("default", "")
		find("renamed", "acme/renamed")
		w.wantCalls(t, "/accounts/acme/groups")
		if _, err := d.GroupNamed(t.Context(), "nobody", "x"); !cloudserver.IsNotFound(err) {
			t.Errorf("a hidden account: %v", err)
		}
	})
}

// A group is asked for once, and again after this process has created one.
func TestExists(t *testing.T) {
	t.Parallel()
	w := newWorld()
	d := fleet.NewDirectory(w)
	for range 2 {
		if err := d.Exists(t.Context(), "acme", "default"); err != nil {
			t.Error(err)
		}
		if err := d.Exists(t.Context(), "acme", "new"); !cloudserver.IsNotFound(err) {
			t.Errorf("got %v", err)
		}
	}
	w.groups["acme"] = append(w.groups["acme"], cloudserver.Group{ID: 12, Name: "new"})
	d.Changed("acme")
	if err := d.Exists(t.Context(), "acme", "new"); err != nil {
		t.Error(err)
	}
	w.wantCalls(t, "/accounts/acme/groups/default", "/accounts/acme/groups/new", "/accounts/acme/groups/new")
}
