package fleet_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

const latency = 50 * time.Millisecond

// The first twenty go by ID, at once and always; after them a group is listed.
func TestRefreshCosts(t *testing.T) {
	t.Parallel()
	for _, parallelism := range []int{1, 10, 50} {
		for _, c := range []struct{ machines, lists int }{{1, 0}, {5, 0}, {20, 0}, {21, 1}, {200, 1}, {1000, 1}} {
			t.Run(fmt.Sprintf("%d machines, %d at a time", c.machines, parallelism), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newService(latency)
					f := fleet.New(s)
					machines, gets := s.add("default", c.machines), min(c.machines, 20)
					began := time.Now()
					together(machines[:gets], parallelism, func(m fleet.Machine) { mustRead(t, f, m) })
					if rounds := (gets + parallelism - 1) / parallelism; time.Since(began) != time.Duration(rounds)*latency {
						t.Errorf("the first %d took %v", gets, time.Since(began))
					}
					together(machines[gets:], parallelism, func(m fleet.Machine) { mustRead(t, f, m) })
					s.wantCount(t, gets, c.lists)
					mustRead(t, f, machines[0])
					s.wantCount(t, gets+1, c.lists)
				})
			})
		}
	}
}

// Twelve machines of 9,000: the listing takes too long to be waited for, but goes
// on, and answers those who come later.
func TestReadsDoNotWaitForASlowListing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		s.listLatency = 12 * time.Second
		machines := s.add("default", 9000)
		f := pastTheFirst(t, s)
		began := time.Now()
		together(machines[:12], 10, func(m fleet.Machine) { mustRead(t, f, m) })
		if took := time.Since(began); took > 3500*time.Millisecond {
			t.Errorf("took %v", took)
		}
		s.wantCount(t, 12, 1)
		time.Sleep(12 * time.Second)
		together(machines[12:200], 10, func(m fleet.Machine) { mustRead(t, f, m) })
		s.wantCount(t, 12, 1)
		together(machines[:12], 10, func(m fleet.Machine) { mustRead(t, f, m) }) // it was slow: not again at once
		s.wantCount(t, 24, 1)
	})
}

func TestSlowRefreshListsAgainOnlyWhenOld(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		machines := s.add("default", 180) // one a second: three minutes
		f := pastTheFirst(t, s)
		for _, m := range machines {
			mustRead(t, f, m)
			time.Sleep(time.Second)
		}
		s.wantCount(t, 0, 3)
	})
}

func TestReadingAgainAsksAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		machines := s.add("default", 50)
		for pass := range int64(3) {
			if pass == 1 {
				s.failing(nil, status(http.StatusBadGateway)) // by ID, and a listing in the next pass
			}
			together(machines, 10, func(m fleet.Machine) {
				if got := *mustRead(t, f, m).Cores; got != pass {
					t.Errorf("machine %d in pass %d is as of pass %d", m.ID, pass, got)
				}
			})
			s.failing(nil, nil)
			for _, m := range machines { // elsewhere, unknown to the fleet
				s.change(m.ID, func(m *machine) { m.version++ })
			}
		}
		if _, lists := s.count(); lists > 3 {
			t.Errorf("three refreshes of 50 machines took %d listings", lists)
		}
	})
}

// A listing of 2,000 machines for ten is used, but not repeated, however old it is.
func TestFarTooLargeListingIsNotRepeated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		machines := s.add("default", 2000)[:30]
		f := pastTheFirst(t, s)
		for range 10 {
			together(machines[:10], 10, func(m fleet.Machine) { mustRead(t, f, m) })
			time.Sleep(15 * time.Second)
		}
		s.wantCount(t, 9*10, 1)
		together(machines, 10, func(m fleet.Machine) { mustRead(t, f, m) }) // twenty are enough
		s.wantCount(t, 9*10+19, 2)
	})
}

func TestMachineThatIsNotListedIsReadByID(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		machines := s.add("default", 20)
		f := pastTheFirst(t, s)
		s.change(16, func(m *machine) { m.group = s.groupNamed("private") }) // moved elsewhere
		s.purge(15)
		together(machines, 10, func(m fleet.Machine) {
			if _, err := f.Read(t.Context(), m); cloudserver.IsNotFound(err) != (m.ID == 15) {
				t.Errorf("machine %d: %v", m.ID, err)
			}
		})
		s.wantCount(t, 2, 1)
	})
}

func TestMachineWithoutKnownGroupIsReadByID(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		machines := s.add("default", 5)
		f := pastTheFirst(t, s)
		together(machines, 10, func(m fleet.Machine) { mustRead(t, f, fleet.Machine{ID: m.ID}) })
		s.wantCount(t, 5, 0)
	})
}

// A listing that fails says nothing about the machines: the group was renamed or
// deleted, or may not be listed; the body is above the limit; the service is down.
func TestReadsByIDWhereTheListingFails(t *testing.T) {
	t.Parallel()
	for _, failure := range []error{
		status(http.StatusInternalServerError), status(http.StatusForbidden), status(http.StatusNotFound),
		&cloudserver.TransportError{Err: errors.New("the answer is larger than 64 MB")}, cloudserver.ErrNotDescribed,
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(latency)
			machines := s.add("default", 30)
			f := pastTheFirst(t, s)
			s.failing(nil, failure)
			together(machines, 10, func(m fleet.Machine) { mustRead(t, f, m) })
			s.wantCount(t, 30, 1)
			time.Sleep(time.Minute)
			s.failing(nil, nil)
			together(machines, 10, func(m fleet.Machine) { mustRead(t, f, m) })
			s.wantCount(t, 30, 3) // the second does not answer for those that went by ID
		})
	}
}

func TestRefusedCredentialsReachEachReader(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		machines := s.add("default", 10)
		f := pastTheFirst(t, s)
		s.failing(nil, status(http.StatusUnauthorized))
		together(machines, 10, func(m fleet.Machine) {
			if _, err := f.Read(t.Context(), m); !cloudserver.IsUnauthorized(err) {
				t.Errorf("machine %d: got %v", m.ID, err)
			}
		})
		s.wantCount(t, 0, 1)
	})
}

func TestCallersMayChangeWhatTheyGot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		m := s.add("default", 8)[7]
		f := pastTheFirst(t, s)
		got := make(chan *cloudserver.VirtualMachine, 2)
		together([]fleet.Machine{m, m}, 2, func(m fleet.Machine) { got <- mustRead(t, f, m) })
		s.wantCount(t, 0, 1) // both are of one listing
		one, other := <-got, <-got
		one.ID, one.Name, one.Discs = 0, "changed", nil
		if other.ID != m.ID || other.Name != "web8" || other.Discs == nil {
			t.Errorf("one caller's change has reached another: %+v", other)
		}
	})
}
