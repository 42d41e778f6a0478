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

// wantHolder checks whether the machine with the ID has the name web<id>, and that it is not tracked.
func wantHolder(t *testing.T, f *fleet.Fleet, group string, id int64, want bool) {
	t.Helper()
	holder, err := f.Holder(t.Context(), "demo", group, fmt.Sprintf("web%d", id))
	got, look := holder.Stranger, holder.Look()
	if err != nil || (got != nil) != want || got != nil && (got.ID != id || look.Holder != id) {
		t.Errorf("web%d in %s: got %+v, %v, want a holder: %t", id, group, got, err, want)
	}
}

// alsoListed runs a test with the first name that a fleet asks for, and with one that
// it looks for in a listing. The requests before that are not counted.
func alsoListed(t *testing.T, test func(t *testing.T, s *service, f *fleet.Fleet, listed bool)) {
	t.Helper()
	for _, listed := range []bool{false, true} {
		t.Run(fmt.Sprintf("listed: %t", listed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				s.add("default", 1)
				f := fleet.New(s)
				for n := int64(1000); listed && n < 1020; n++ {
					wantHolder(t, f, "default", n, false)
				}
				s.requests = nil
				test(t, s, f, listed)
			})
		})
	}
}

// The first twenty names cost a GET each, and one for each group; the others one
// listing for each group.
func TestNamesCost(t *testing.T) {
	t.Parallel()
	for names, want := range map[int]string{1: "group 1, name 1", 20: "group 1, name 20", 21: "group 1, name 20, names 1", 1000: "group 1, name 20, names 1"} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(latency)
			f := fleet.New(s)
			s.add("default", 30)
			wanted := make([]fleet.Machine, names)
			for i := range wanted {
				wanted[i].ID = int64(1000 + i)
			}
			for range 2 {
				together(wanted, 10, func(m fleet.Machine) { wantHolder(t, f, "default", m.ID, false) })
			}
			s.want(t, want)
			time.Sleep(time.Minute) // then it may have changed
			s.requests = nil
			wantHolder(t, f, "default", 1000, false)
			s.want(t, "group 1, name 1")
		})
	}
}

// A listing shows that a name is free. A machine that has a name in it is read.
func TestHolder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change   func(s *service, f *fleet.Fleet, m *machine)
		want     bool
		isListed bool // the listing answers
	}{
		"held":         {change: func(*service, *fleet.Fleet, *machine) {}, want: true},
		"soft-deleted": {change: func(_ *service, _ *fleet.Fleet, m *machine) { m.deleted = true }, want: true},
		"undescribed": {
			change: func(_ *service, _ *fleet.Fleet, m *machine) { m.describe = time.Now().Add(time.Hour) },
		},
		"renamed": {change: func(_ *service, _ *fleet.Fleet, m *machine) { m.name = "db1" }},
		"moved":   {change: func(s *service, _ *fleet.Fleet, m *machine) { m.group = s.groupNamed("private") }},
		"purged":  {change: func(s *service, _ *fleet.Fleet, _ *machine) { delete(s.machines, 1) }},
		"tracked": {change: func(_ *service, f *fleet.Fleet, _ *machine) { f.Track(1) }, isListed: true},
		"written to": {
			change:   func(_ *service, f *fleet.Fleet, _ *machine) { f.Wrote(fleet.Machine{ID: 1}) },
			isListed: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			alsoListed(t, func(t *testing.T, s *service, f *fleet.Fleet, listed bool) {
				if listed {
					wantHolder(t, f, "default", 77, false)
				}
				s.requests = nil
				c.change(s, f, s.machines[1])
				wantHolder(t, f, "default", 1, c.want)
				if (len(s.requests) == 0) != (listed && c.isListed) {
					t.Errorf("requests %q", s.requests)
				}
			})
		})
	}
}

// Of a name that is free, or held by a machine of this run, the look is kept.
func TestLooks(t *testing.T) {
	t.Parallel()
	alsoListed(t, func(t *testing.T, _ *service, f *fleet.Fleet, _ bool) {
		f.Track(1)
		for _, id := range []int64{1, 2, 1, 2} {
			holder, err := f.Holder(t.Context(), "demo", "default", fmt.Sprintf("web%d", id))
			look := holder.Look()
			if err != nil || look == nil || look.Holder != id%2 {
				t.Errorf("web%d: %v, %v", id, look, err)
			}
		}
	})
}

func TestFailedLookAtANameIsAnError(t *testing.T) {
	t.Parallel()
	alsoListed(t, func(t *testing.T, s *service, f *fleet.Fleet, _ bool) {
		s.failing(status(http.StatusBadGateway), status(http.StatusForbidden))
		if holder, err := f.Holder(t.Context(), "demo", "default", "web1"); holder.Look() != nil || cloudserver.StatusCode(err) != http.StatusBadGateway {
			t.Errorf("got %v, %v", holder, err)
		}
	})
}

// TestHolderThatIsNotDescribed: the name is taken, and nothing else is known. That is not remembered.
func TestHolderThatIsNotDescribed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		s.add("default", 1)
		f := fleet.New(s)
		s.failing(cloudserver.ErrNotDescribed, nil)
		if holder, err := f.Holder(t.Context(), "demo", "default", "web1"); holder != (fleet.NameHolder{}) || err != nil {
			t.Errorf("got %v, %v", holder, err)
		}
		s.failing(nil, nil)
		wantHolder(t, f, "default", 1, true)
	})
}

// Only its caller knows whether the same plan creates the group.
func TestGroupThatDoesNotExistIsAnError(t *testing.T) {
	t.Parallel()
	alsoListed(t, func(t *testing.T, s *service, f *fleet.Fleet, listed bool) {
		for _, name := range []string{"web1", "web2", "web3"} {
			if holder, err := f.Holder(t.Context(), "demo", "staging", name); holder != (fleet.NameHolder{}) || !cloudserver.IsNotFound(err) {
				t.Errorf("got %v, %v", holder, err)
			}
		}
		s.want(t, map[bool]string{false: "group 1, name 3", true: "group 1, names 1"}[listed])
		s.add("staging", 0) // by this process
		f.Directory.Changed()
		wantHolder(t, f, "staging", 1, false)
	})
}

// A name is read by itself if a listing shows it for two machines, or shows its machine twice with two names.
func TestNameThatIsListedTwiceIsAskedFor(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		again  func(*cloudserver.VirtualMachine) // machine 2, which is web2
		holder map[string]int64                  // by name
	}{
		"of two machines": {func(vm *cloudserver.VirtualMachine) { vm.ID = 9 }, map[string]int64{"web2": 2, "web3": 3, "free": 0}},
		"renamed":         {func(vm *cloudserver.VirtualMachine) { vm.Name = "old" }, map[string]int64{"web2": 2, "old": 0, "web3": 3}},
	} {
		t.Run(name, func(t *testing.T) {
			alsoListed(t, func(t *testing.T, s *service, f *fleet.Fleet, _ bool) {
				s.add("default", 2)
				s.twice = map[int64]func(*cloudserver.VirtualMachine){2: test.again}
				f.Track(9) // and not 2
				for name, want := range test.holder {
					holder, err := f.Holder(t.Context(), "demo", "default", name)
					got, look := holder.Stranger, holder.Look()
					if err != nil || look == nil || look.Holder != want || (got != nil) != (want != 0) {
						t.Errorf("%s: %+v, %+v, %v", name, got, look, err)
					}
				}
			})
		})
	}
}
