package fleet_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// write changes a machine through this process.
func write(s *service, f *fleet.Fleet, m fleet.Machine) {
	s.change(m.ID, func(m *machine) { m.version++ })
	f.Wrote(m)
}

// mustReadWritten reads a machine that was written to once.
func mustReadWritten(t *testing.T, f *fleet.Fleet, m fleet.Machine) {
	t.Helper()
	if got := *mustRead(t, f, m).Cores; got != 1 {
		t.Errorf("machine %d is older than the write", m.ID)
	}
}

func TestReadSeesOwnWrite(t *testing.T) {
	t.Parallel()
	for name, group := range map[string]string{"under the group's name": "default", "under its id": "101", "moving it here": "old"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				machines := s.add("default", 40)
				f := pastTheFirst(t, s)
				together(machines[:20], 20, func(m fleet.Machine) { mustRead(t, f, m) })
				for _, m := range machines[20:] { // none of them read before
					written := m
					written.Group = group
					write(s, f, written)
					mustReadWritten(t, f, m)
				}
				s.wantCount(t, 20, 1)
			})
		})
	}
}

func TestListingUnderWayDuringAWriteDoesNotAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		machines := s.add("default", 40)
		f := pastTheFirst(t, s)
		var early sync.WaitGroup
		early.Go(func() { together(machines[:20], 20, func(m fleet.Machine) { mustRead(t, f, m) }) })
		time.Sleep(latency / 2)
		for _, m := range machines[20:] {
			write(s, f, m)
		}
		together(machines[20:], 20, func(m fleet.Machine) { mustReadWritten(t, f, m) })
		early.Wait()
		s.wantCount(t, 20, 1)
	})
}

// A thousand updates, each with a read before and one after: the listing serves
// those before, and those after go by ID.
func TestUpdatesOfAThousandDoNotListEachTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		machines := s.add("default", 1000)
		f := pastTheFirst(t, s)
		together(machines, 10, func(m fleet.Machine) {
			mustRead(t, f, m)
			write(s, f, m)
			mustReadWritten(t, f, m)
		})
		s.wantCount(t, 1000, 1)
	})
}
