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
	*cloudserver.Client // nil: machines are never requested

	mu       sync.Mutex
	calls    []string
	accounts []cloudserver.Account
	groups   map[string][]cloudserver.Group
	fail     map[string]int               // status of a call instead of its answer
	now      map[string]cloudserver.Group // what a group's own path answers; not there: what the list has
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

func (w *world) Group(_ context.Context, account, group string) (*cloudserver.Group, error) {
	if now, ok := w.now[group]; ok {
		return &now, w.answer("/accounts/"+account+"/groups/"+group, true)
	}
	i := slices.IndexFunc(w.groups[account], func(g cloudserver.Group) bool { return g.Name == group })
	return &cloudserver.Group{Name: group}, w.answer("/accounts/"+account+"/groups/"+group, i >= 0)
}

// wantCalls compares all requests since its last call.
func (w *world) wantCalls(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(w.calls, want) {
		t.Errorf("requests:\n got %v\nwant %v", w.calls, want)
	}
	w.calls = nil
}

func TestVisible(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		account string
		change  func(*world)
		visible bool
	}{
		"one":      {account: "acme", change: func(*world) {}, visible: true},
		"nobody's": {account: "nobody", change: func(*world) {}},
		"any":      {change: func(*world) {}, visible: true},
		"none":     {change: func(w *world) { w.accounts = nil }},
		"404":      {change: func(w *world) { w.fail["/accounts"] = http.StatusNotFound }},
		"an error": {change: func(w *world) { w.fail["/accounts"] = http.StatusBadGateway }},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			test.change(w)
			d := fleet.New(w).Directory
			var callers sync.WaitGroup
			for range 100 {
				callers.Go(func() {
					err := d.Visible(t.Context(), test.account, "")
					if (err == nil) != test.visible || err != nil && name != "an error" && !cloudserver.IsNotFound(err) {
						t.Errorf("%s: got %v", name, err)
					}
				})
			}
			callers.Wait()
			w.wantCalls(t, strings.TrimSuffix("/accounts/"+test.account, "/"))
		})
	}
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
		"nowhere":                      {id: 99, likely: []string{"acme"}, calls: "acme all other 77 hidden"},
		"the likely account is hidden": {id: 20, likely: []string{"gone"}, want: "other/default", calls: "gone all acme other"},
		"a listing fails":              {id: 20, change: failing(http.StatusBadGateway), want: "502", calls: "all acme"},
		"a forbidden account":          {id: 20, change: failing(http.StatusForbidden), want: "other/default", calls: "all acme other"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			if test.change != nil {
				test.change(w)
			}
			group, err := fleet.New(w).Directory.GroupByID(t.Context(), test.id, test.likely...)
			checkGroup(t, group, err, test.want)
			var calls []string
			for _, account := range strings.Fields(test.calls) {
				calls = append(calls, strings.Replace("/accounts/"+account+"/groups", "/all/groups", "", 1))
			}
			w.wantCalls(t, calls...)
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

// TestGroupThatIsListedTwice: the group is read at its own path, by the name or ID that was asked for.
func TestGroupThatIsListedTwice(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		listed  []cloudserver.Group
		id      int64
		name    string
		now     map[string]cloudserver.Group // by the element of its path
		want    cloudserver.Group
		asked   string
		unknown bool // it cannot be told
	}{
		"by ID, renamed": {
			listed: []cloudserver.Group{{ID: 10, Name: "old"}, {ID: 10, Name: "new"}}, id: 10,
			now: map[string]cloudserver.Group{"10": {ID: 10, Name: "new"}}, want: cloudserver.Group{ID: 10, Name: "new"}, asked: "10",
		},
		"by name, created anew": {
			listed: []cloudserver.Group{{ID: 10, Name: "db"}, {ID: 11, Name: "db"}}, name: "db",
			now: map[string]cloudserver.Group{"db": {ID: 11, Name: "db"}}, want: cloudserver.Group{ID: 11, Name: "db"}, asked: "db",
		},
		"by ID, and the path leads to another": {
			listed: []cloudserver.Group{{ID: 10, Name: "old"}, {ID: 10, Name: "new"}}, id: 10,
			now: map[string]cloudserver.Group{"10": {ID: 12, Name: "10"}}, asked: "10", unknown: true,
		},
		"gone": {
			listed: []cloudserver.Group{{ID: 10, Name: "old"}, {ID: 10, Name: "new"}}, id: 10, asked: "10", unknown: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			w.groups["acme"], w.now = append(test.listed, cloudserver.Group{ID: 20, Name: "else"}), test.now
			directory := fleet.New(w).Directory
			got, err := directory.GroupNamed(t.Context(), "acme", test.name)
			if test.id != 0 {
				got, err = directory.GroupWithID(t.Context(), "acme", test.id)
			}
			if (err != nil) != test.unknown || err == nil && (got == nil || got.ID != test.want.ID || got.Name != test.want.Name) {
				t.Errorf("got %+v, %v", got, err)
			}
			w.wantCalls(t, "/accounts/acme/groups", "/accounts/acme/groups/"+test.asked)
		})
	}
}

// Accounts and groups are remembered for a minute, or until this process changes one.
func TestGroupsAreRemembered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		d := fleet.New(w).Directory
		find := func(name, want string) {
			t.Helper()
			group, err := d.GroupNamed(t.Context(), "acme", name)
			checkGroup(t, group, err, want)
		}
		exists := func(want bool) {
			t.Helper()
			if err := d.Visible(t.Context(), "acme", "new"); (err == nil) != want || err != nil && !cloudserver.IsNotFound(err) {
				t.Errorf("got %v", err)
			}
		}
		find("default", "acme/default")
		find("11", "") // an id is no name
		exists(false)
		w.groups["acme"] = append(w.groups["acme"], cloudserver.Group{ID: 12, Name: "new"})
		find("new", "")
		exists(false)
		w.wantCalls(t, "/accounts/acme/groups", "/accounts/acme/groups/new")
		time.Sleep(time.Minute)
		find("new", "acme/new")
		for id, want := range map[int64]string{12: "acme/new", 20: ""} { // a group of another account
			group, err := d.GroupWithID(t.Context(), "acme", id)
			checkGroup(t, group, err, want)
		}
		w.wantCalls(t, "/accounts/acme/groups")
		w.groups["acme"][0].Name = "renamed"
		d.Changed()
		find("default", "")
		find("renamed", "acme/renamed")
		exists(true)
		w.wantCalls(t, "/accounts/acme/groups", "/accounts/acme/groups/new")
		if _, err := d.GroupNamed(t.Context(), "nobody", "x"); !cloudserver.IsNotFound(err) {
			t.Errorf("a hidden account: %v", err)
		}
	})
}
