package fleet_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// warm makes the fleet hold a listing of the group that was asked for just now.
func warm(t *testing.T, f *fleet.Fleet, machines []fleet.Machine) {
	t.Helper()
	together(machines, len(machines), func(m fleet.Machine) { mustRead(t, f, m) })
}

// write changes a machine through this process.
func write(s *service, f *fleet.Fleet, m fleet.Machine, groups ...string) {
	s.change(m.ID, func(m *machine) { m.version++ })
	f.Wrote(m, groups...)
}

func TestReadSeesOwnWrite(t *testing.T) {
	t.Parallel()
	inGroup := func(m fleet.Machine, group string) fleet.Machine { m.Group = group; return m }
	for name, wrote := range map[string]func(*service, *fleet.Fleet, fleet.Machine){
		"to the machine":            func(s *service, f *fleet.Fleet, m fleet.Machine) { write(s, f, m) },
		"under the group's id":      func(s *service, f *fleet.Fleet, m fleet.Machine) { write(s, f, inGroup(m, "7")) },
		"moving it into this group": func(s *service, f *fleet.Fleet, m fleet.Machine) { write(s, f, inGroup(m, "old"), m.Group) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				f := fleet.New(s)
				machines := s.add("default", 40)
				warm(t, f, machines[:20])
				for _, m := range machines[20:] { // none of them read before
					wrote(s, f, m)
					if got := *mustRead(t, f, m).Cores; got != 1 {
						t.Errorf("machine %d is older than the write", m.ID)
					}
				}
			})
		})
	}
}

func TestReadSeesWriteToItsNeighbour(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		machines := s.add("default", 40)
		warm(t, f, machines[:20])
		s.change(30, func(m *machine) { m.version++ }) // a consequence of the write
		write(s, f, machines[25])
		if got := *mustRead(t, f, machines[29]).Cores; got != 1 {
			t.Error("a listing from before the write answered")
		}
	})
}

func TestListingInFlightDuringWriteIsNotShared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		machines := s.add("default", 40)
		var early sync.WaitGroup
		early.Go(func() { warm(t, f, machines[:20]) })
		time.Sleep(latency / 2)
		for _, m := range machines[20:] {
			write(s, f, m)
		}
		together(machines[20:], 20, func(m fleet.Machine) {
			if got := *mustRead(t, f, m).Cores; got != 1 {
				t.Errorf("machine %d is older than the write", m.ID)
			}
		})
		early.Wait()
		s.wantCount(t, 2+5, 1+1)
	})
}

func TestUpdatesOfAThousandDoNotListEachTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		together(s.add("default", 1000), 10, func(m fleet.Machine) {
			write(s, f, m)
			if got := *mustRead(t, f, m).Cores; got != 1 {
				t.Errorf("machine %d is older than the write", m.ID)
			}
		})
		if gets, lists := s.count(); gets > 1000 || lists > 20 {
			t.Errorf("1,000 updates took %d reads by id and %d listings of up to 1,000 machines", gets, lists)
		}
	})
}
