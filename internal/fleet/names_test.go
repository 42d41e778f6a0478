package fleet_test

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// wantHolder checks whether the machine with the id holds the name web<id> and
// is not tracked.
func wantHolder(t *testing.T, f *fleet.Fleet, group string, id int64, want bool) {
	t.Helper()
	got, err := f.Holder(t.Context(), "demo", group, fmt.Sprintf("web%d", id))
	if err != nil || (got != nil) != want || got != nil && got.ID != id {
		t.Errorf("web%d in %s: got %+v, %v, want a holder: %t", id, group, got, err, want)
	}
}

// pastTheFirstNames returns a fleet that has asked for its first twenty names. The
// requests of that are not counted.
func pastTheFirstNames(t *testing.T, s *service) *fleet.Fleet {
	t.Helper()
	f := fleet.New(s)
	s.add("first", 0)
	for n := range 20 {
		if holder, err := f.Holder(t.Context(), "demo", "first", fmt.Sprintf("free%d", n)); holder != nil || err != nil {
			t.Errorf("got %+v, %v", holder, err)
		}
	}
	s.requests = nil
	return f
}

// The first twenty names cost a GET each, and one for each group; the others one
// listing for each group.
func TestNamesCost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ names, gets, lists int }{{1, 1, 0}, {20, 20, 0}, {21, 20, 1}, {1000, 20, 1}} {
		t.Run(fmt.Sprint(c.names), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				f := fleet.New(s)
				s.add("default", 30)
				names := make([]fleet.Machine, c.names)
				for i := range names {
					names[i].ID = int64(1000 + i)
				}
				for range 2 {
					together(names, 10, func(m fleet.Machine) { wantHolder(t, f, "default", m.ID, false) })
				}
				s.wantKinds(t, map[string]int{"name": c.gets, "group": 1, "names": c.lists})
				time.Sleep(time.Minute) // then it may have changed
				wantHolder(t, f, "default", 1000, false)
				s.wantKinds(t, map[string]int{"name": c.gets + 1, "group": 1, "names": c.lists})
			})
		})
	}
}

// A listing shows that a name is free; who holds the others is asked.
func TestHolder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change   func(s *service, f *fleet.Fleet, m *machine)
		want     bool
		isListed bool // the listing answers
	}{
		"held":         {func(*service, *fleet.Fleet, *machine) {}, true, false},
		"soft-deleted": {func(_ *service, _ *fleet.Fleet, m *machine) { m.deleted = true }, true, false},
		"undescribed":  {func(_ *service, _ *fleet.Fleet, m *machine) { m.describe = time.Now().Add(time.Hour) }, false, false},
		"renamed":      {func(_ *service, _ *fleet.Fleet, m *machine) { m.name = "db1" }, false, false},
		"moved":        {func(s *service, _ *fleet.Fleet, m *machine) { m.group = s.groupNamed("private") }, false, false},
		"purged":       {func(s *service, _ *fleet.Fleet, _ *machine) { delete(s.machines, 1) }, false, false},
		"tracked":      {func(_ *service, f *fleet.Fleet, _ *machine) { f.Track(1) }, false, true},
		"written to":   {func(_ *service, f *fleet.Fleet, _ *machine) { f.Wrote(fleet.Machine{ID: 1}) }, false, true},
	} {
		for _, listed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, listed: %t", name, listed), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newService(latency)
					s.add("default", 1)
					f := fleet.New(s)
					if listed {
						f = pastTheFirstNames(t, s)
						wantHolder(t, f, "default", 77, false)
						s.wantRequests(t, "names default")
					}
					c.change(s, f, s.machines[1])
					wantHolder(t, f, "default", 1, c.want)
					if got := s.kinds()["name"]; (got == 0) != (listed && c.isListed) {
						t.Errorf("%d reads by name", got)
					}
				})
			})
		}
	}
}

// What is known of a name is what this process has seen of it.
func TestLooked(t *testing.T) {
	t.Parallel()
	for _, listed := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(latency)
			m := s.add("default", 1)[0]
			f := fleet.New(s)
			if listed {
				f = pastTheFirstNames(t, s)
			}
			f.Track(m.ID)
			for id, holder := range map[int64]int64{m.ID: m.ID, 2: 0} {
				name := fmt.Sprintf("web%d", id)
				if look := f.Looked("demo", "default", name); look != nil {
					t.Errorf("%s: nobody has looked: %v", name, look)
				}
				wantHolder(t, f, "default", id, false)
				if look := f.Looked("demo", "default", name); look == nil || look.Holder != holder {
					t.Errorf("%s: %v", name, look)
				}
				if look := f.Looked("demo", "other", name); look != nil {
					t.Errorf("another group: %v", look)
				}
			}
		})
	}
}

func TestFailedLookAtANameIsAnError(t *testing.T) {
	t.Parallel()
	for _, listed := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(latency)
			f := fleet.New(s)
			if listed {
				f = pastTheFirstNames(t, s)
			}
			s.failing(status(http.StatusBadGateway), status(http.StatusForbidden))
			if _, err := f.Holder(t.Context(), "demo", "default", "web1"); cloudserver.StatusCode(err) != http.StatusBadGateway {
				t.Errorf("got %v", err)
			}
			if f.Looked("demo", "default", "web1") != nil {
				t.Error("looked, and nobody could")
			}
		})
	}
}

// Only its caller knows whether the same plan creates the group.
func TestGroupThatDoesNotExistIsAnError(t *testing.T) {
	t.Parallel()
	for _, listed := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(latency)
			s.add("default", 1)
			f, want := fleet.New(s), map[string]int{"name": 3, "group": 1}
			if listed {
				f, want = pastTheFirstNames(t, s), map[string]int{"names": 1, "group": 1}
			}
			for _, name := range []string{"web1", "web2", "web3"} {
				if holder, err := f.Holder(t.Context(), "demo", "staging", name); holder != nil || !cloudserver.IsNotFound(err) {
					t.Errorf("got %v, %v", holder, err)
				}
			}
			s.wantKinds(t, want)
			s.add("staging", 0) // by this process
			f.Directory.Changed("demo")
			if holder, err := f.Holder(t.Context(), "demo", "staging", "web1"); holder != nil || err != nil {
				t.Errorf("got %v, %v", holder, err)
			}
		})
	}
}
