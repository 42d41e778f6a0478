package fleet_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// waitGone waits until the machine is gone.
func waitGone(t *testing.T, f *fleet.Fleet, m fleet.Machine) {
	t.Helper()
	f.Wrote(m)
	if err := f.WaitGone(t.Context(), m); err != nil {
		t.Errorf("waiting until machine %d is gone: %v", m.ID, err)
	}
}

func TestDestroyCosts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ machines, most int }{{1, 1}, {2, 2}, {10, 1}, {200, 20}, {1000, 100}} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(latency)
			f := fleet.New(s)
			began := time.Now()
			together(s.add("default", c.machines), 10, func(m fleet.Machine) {
				s.purge(m.ID)
				waitGone(t, f, m)
			})
			if gets, lists := s.count(); gets+lists > c.most {
				t.Errorf("%d machines took %d reads by id and %d listings", c.machines, gets, lists)
			}
			if took, most := time.Since(began), time.Duration(max(1, c.machines/10))*200*time.Millisecond; took > most {
				t.Errorf("%d machines took %v", c.machines, took)
			}
		})
	}
}

func TestWaitGoneWaits(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(*service, int64){
		"purged":       func(s *service, id int64) { s.purge(id) },
		"soft-deleted": func(s *service, id int64) { s.change(id, func(m *machine) { m.deleted = true }) },
	} {
		for _, n := range []int{1, 10} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newService(latency)
					f := fleet.New(s)
					machines := s.add("default", n)
					began := time.Now()
					for _, m := range machines {
						time.AfterFunc(5*time.Second, func() { leave(s, m.ID) })
					}
					together(machines, n, func(m fleet.Machine) { waitGone(t, f, m) })
					if took := time.Since(began); took < 5*time.Second || took > 8*time.Second {
						t.Errorf("took %v", took)
					}
				})
			})
		}
	}
}

func TestWaitGoneDoesNotBelieveAHiddenGroup(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		s.failing(nil, status(http.StatusNotFound))
		f := fleet.New(s)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		together(s.add("default", 5), 5, func(m fleet.Machine) {
			if err := f.WaitGone(ctx, m); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("machine %d is there, got %v", m.ID, err)
			}
		})
	})
}
