package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

const (
	latency   = 50 * time.Millisecond
	gatherFor = 25 * time.Millisecond // of the package
)

func TestRefreshCosts(t *testing.T) {
	t.Parallel()
	for parallelism, gets := range map[int]int{1: 5, 10: 2, 50: 2} {
		for _, c := range []struct{ machines, gets, lists int }{
			{1, 1, 0}, {2, 2, 0}, {3, 3, 0}, {5, 5, 0}, {6, gets, 1}, {10, gets, 1}, {200, gets, 1}, {1000, gets, 1},
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

// A read waits for others only as long as it takes to know how many there are.
func TestFewReadsWaitBriefly(t *testing.T) {
	t.Parallel()
	for machines, most := range map[int]time.Duration{1: latency, 2: latency, 3: latency + gatherFor, 5: latency + gatherFor, 6: latency} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(latency)
			f := fleet.New(s)
			began := time.Now()
			together(s.add("default", machines), 10, func(m fleet.Machine) { mustRead(t, f, m) })
			if took := time.Since(began); took != most {
				t.Errorf("%d machines took %v, want %v", machines, took, most)
			}
		})
	}
}

func TestReadThatGathersGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		machines := s.add("default", 3)
		warm(t, f, machines[:2])
		ctx, cancel := context.WithTimeout(t.Context(), gatherFor/5)
		defer cancel()
		if _, err := f.Read(ctx, machines[2]); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		time.Sleep(time.Second)
		s.wantCount(t, 2, 0)
	})
}

func TestFewMachinesOfALargeGroupAreReadByID(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		together(s.add("default", 9000)[:5], 10, func(m fleet.Machine) { mustRead(t, f, m) })
		s.wantCount(t, 5, 0)
	})
}

// Twelve machines of 9,000: the listing takes too long to be waited for.
func TestReadsDoNotWaitForASlowListing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		s.listLatency = 12 * time.Second
		f := fleet.New(s)
		machines := s.add("default", 9000)
		began := time.Now()
		together(machines[:12], 10, func(m fleet.Machine) { mustRead(t, f, m) })
		if took := time.Since(began); took > 3500*time.Millisecond {
			t.Errorf("took %v", took)
		}
		s.wantCount(t, 12, 1)
		time.Sleep(12 * time.Second) // it goes on, and answers those who come later
		together(machines[12:200], 10, func(m fleet.Machine) { mustRead(t, f, m) })
		s.wantCount(t, 12, 1)
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
		s.wantCount(t, 5, 3)
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
			for _, m := range machines { // elsewhere, unknown to the fleet
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
		machines := s.add("default", 2000)[:10]
		for range 10 {
			together(machines, 10, func(m fleet.Machine) { mustRead(t, f, m) })
		}
		s.wantCount(t, 2+9*10, 1)
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
