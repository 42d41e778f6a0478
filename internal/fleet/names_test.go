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

// wantHolder checks whether a machine has the name web<id>.
func wantHolder(t *testing.T, f *fleet.Fleet, group string, id int64, want bool) {
	t.Helper()
	holder, err := f.Holder(t.Context(), "demo", group, fmt.Sprintf("web%d", id))
	got := holder.Machine
	if err != nil || (got != nil) != want || got != nil && got.ID != id || holder.IsFree() == want {
		t.Errorf("web%d in %s: got %+v, %v, want a holder: %t", id, group, holder, err, want)
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

// The first twenty names cost a GET each, the others one listing for each group. An answer is remembered for a minute.
func TestNamesCost(t *testing.T) {
	t.Parallel()
	for names, want := range map[int]string{1: "name 1", 20: "name 20", 21: "name 20, names 1", 1000: "name 20, names 1"} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(latency)
			f := fleet.New(s)
			s.add("default", 30)
			wanted := make([]fleet.Location, names)
			for i := range wanted {
				wanted[i].ID = int64(1000 + i)
			}
			for range 2 {
				together(wanted, 10, func(m fleet.Location) { wantHolder(t, f, "default", m.ID, false) })
			}
			s.want(t, want)
			time.Sleep(time.Minute)
			s.requests = nil
			wantHolder(t, f, "default", 1000, false)
			s.want(t, "name 1")
		})
	}
}

// A soft-deleted machine keeps its name. In a group that does not exist, each name is free.
func TestHolder(t *testing.T) {
	t.Parallel()
	alsoListed(t, func(t *testing.T, s *service, f *fleet.Fleet, _ bool) {
		s.change(1, func(m *machine) { m.deleted = true })
		wantHolder(t, f, "default", 1, true)
		wantHolder(t, f, "default", 2, false)
		wantHolder(t, f, "missing", 1, false)
	})
}

// The holder of a name may be a machine that this process has read from a state, at any time.
func TestTrackedHolder(t *testing.T) {
	t.Parallel()
	alsoListed(t, func(t *testing.T, _ *service, f *fleet.Fleet, _ bool) {
		for _, tracked := range []bool{false, true} {
			if tracked {
				f.Track(1)
			}
			holder, err := f.Holder(t.Context(), "demo", "default", "web1")
			if err != nil || holder.Tracked != tracked {
				t.Errorf("got %+v, %v", holder, err)
			}
		}
	})
}

func TestFailedLookAtANameIsAnError(t *testing.T) {
	t.Parallel()
	alsoListed(t, func(t *testing.T, s *service, f *fleet.Fleet, _ bool) {
		s.failing(status(http.StatusBadGateway), status(http.StatusForbidden))
		holder, err := f.Holder(t.Context(), "demo", "default", "web1")
		if holder.Known || cloudserver.StatusCode(err) != http.StatusBadGateway {
			t.Errorf("got %v, %v", holder, err)
		}
	})
}

// The name of a machine that cannot be described yet is not free. That is not remembered.
func TestHolderThatIsNotDescribed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		s.add("default", 1)
		f := fleet.New(s)
		s.failing(cloudserver.ErrNotDescribed, nil)
		holder, err := f.Holder(t.Context(), "demo", "default", "web1")
		if holder.Known || holder.IsFree() || err != nil {
			t.Errorf("got %v, %v", holder, err)
		}
		s.failing(nil, nil)
		wantHolder(t, f, "default", 1, true)
	})
}
