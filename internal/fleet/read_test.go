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

const latency = 50 * time.Millisecond

func TestRefreshCosts(t *testing.T) {
	t.Parallel()
	for _, parallelism := range []int{1, 10, 50} {
		for _, c := range []struct{ machines, gets, lists int }{
			{1, 1, 0}, {2, 2, 0}, {3, 2, 1}, {10, 2, 1}, {200, 2, 1}, {1000, 2, 1},
		} {
			t.Run(fmt.Sprintf("%d machines, %d at a time", c.machines, parallelism), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newService(latency)
					f := fleet.New(s)
					together(s.add("default", c.machines), parallelism, func(m fleet.Machine) { mustRead(t, f, m) })
					s.wantCount(t, c.gets, c.lists)
				})
			})
		}
	}
}

func TestRefreshOfSeveralGroups(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		var machines []fleet.Machine
		for range 20 { // interleaved, as a configuration may be
			for _, group := range []string{"default", "private", "staging"} {
				machines = append(machines, s.add(group, 1)...)
			}
		}
		together(machines, 10, func(m fleet.Machine) { mustRead(t, f, m) })
		s.wantCount(t, 3*2, 3)
	})
}

func TestSlowRefreshListsAgainOnlyWhenOld(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		for _, m := range s.add("default", 180) { // one a second: three minutes
			mustRead(t, f, m)
			time.Sleep(time.Second)
		}
		s.wantCount(t, 2, 3)
	})
}

func TestReadingAgainAsksAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		machines := s.add("default", 20)
		for pass := range int64(3) {
			together(machines, 10, func(m fleet.Machine) {
				if got := *mustRead(t, f, m).Cores; got != pass {
					t.Errorf("machine %d in pass %d is as of pass %d", m.ID, pass, got)
				}
			})
			for _, m := range machines { // elsewhere, so the fleet is not told
				s.change(m.ID, func(m *machine) { m.version++ })
			}
		}
		if _, lists := s.count(); lists > 3 {
			t.Errorf("three refreshes of 20 machines took %d listings", lists)
		}
	})
}

func TestFarLargerGroupIsNotListedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		machines := s.add("default", 2000)[:5]
		for range 10 {
			together(machines, 10, func(m fleet.Machine) { mustRead(t, f, m) })
		}
		s.wantCount(t, 2+9*5, 1)
	})
}

func TestMachineMovedElsewhereIsFound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		machines := s.add("default", 20)
		s.change(machines[15].ID, func(m *machine) { m.group = s.groupNamed("private") })
		together(machines, 10, func(m fleet.Machine) { mustRead(t, f, m) })
		s.wantCount(t, 2+1, 1)
	})
}

func TestMachineGoneIsNotFound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		machines := s.add("default", 20)
		s.purge(15)
		together(machines, 10, func(m fleet.Machine) {
			if _, err := f.Read(t.Context(), m); cloudserver.IsNotFound(err) != (m.ID == 15) {
				t.Errorf("machine %d: %v", m.ID, err)
			}
		})
	})
}

func TestMachineWithoutKnownGroupIsReadByID(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		together(s.add("default", 5), 10, func(m fleet.Machine) { mustRead(t, f, fleet.Machine{ID: m.ID}) })
		s.wantCount(t, 5, 0)
	})
}

// A group that was renamed, deleted, or may not be listed says nothing about
// its machines.
func TestGroupThatCannotBeListed(t *testing.T) {
	t.Parallel()
	for _, err := range []error{status(http.StatusNotFound), status(http.StatusForbidden), cloudserver.ErrNotDescribed} {
		t.Run(err.Error(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				s.failing(nil, err)
				f := fleet.New(s)
				together(s.add("default", 30), 10, func(m fleet.Machine) { mustRead(t, f, m) })
				s.wantCount(t, 30, 1)
			})
		})
	}
}
