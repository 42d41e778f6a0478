package fleet_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

func TestCancelledCallerDoesNotFailTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		machines := s.add("default", 10)
		warm(t, f, machines[:2])
		// The third read asks for the listing; it gives up, the others do not.
		impatient, cancel := context.WithTimeout(t.Context(), latency/2)
		defer cancel()
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := f.Read(impatient, machines[2]); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the impatient caller got %v", err)
			}
		})
		synctest.Wait()
		together(machines[3:], 10, func(m fleet.Machine) { mustRead(t, f, m) })
		wg.Wait()
		s.wantCount(t, 2, 1)
		if s.cancels != 0 {
			t.Errorf("%d calls were cancelled", s.cancels)
		}
	})
}

func TestListingThatNobodyWaitsForIsCancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		machines := s.add("default", 10)
		warm(t, f, machines[:2])
		impatient, cancel := context.WithTimeout(t.Context(), latency/2)
		defer cancel()
		began := time.Now()
		together(machines[2:6], 4, func(m fleet.Machine) {
			if _, err := f.Read(impatient, m); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
		})
		if waited := time.Since(began); waited != latency/2 {
			t.Errorf("cancellation took %v", waited)
		}
		// Whoever comes at that very moment does not inherit the cancellation.
		together(machines[6:], 4, func(m fleet.Machine) { mustRead(t, f, m) })
		if s.cancels != 1 {
			t.Errorf("%d calls were cancelled, want the listing alone", s.cancels)
		}
	})
}

// A listing that fails says nothing about the machines: a body above the size
// limit, a timeout, or a server error.
func TestReadsByIDWhereTheListingFails(t *testing.T) {
	t.Parallel()
	for _, failure := range []error{
		status(http.StatusInternalServerError), status(http.StatusForbidden), status(http.StatusNotFound),
		&cloudserver.TransportError{Err: errors.New("the answer is larger than 64 MB")}, context.DeadlineExceeded,
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(latency)
			f := fleet.New(s)
			machines := s.add("default", 30)
			s.failing(nil, failure)
			together(machines, 10, func(m fleet.Machine) { mustRead(t, f, m) })
			s.wantCount(t, 30, 1)
		})
	}
}

func TestRefusedCredentialsReachEachReader(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		machines := s.add("default", 12)
		warm(t, f, machines[:2])
		s.failing(nil, status(http.StatusUnauthorized))
		together(machines[2:], 10, func(m fleet.Machine) {
			if _, err := f.Read(t.Context(), m); !cloudserver.IsUnauthorized(err) {
				t.Errorf("machine %d: got %v", m.ID, err)
			}
		})
		s.wantCount(t, 2, 1)
	})
}

func TestCallersMayChangeWhatTheyGot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		machines := s.add("default", 8)
		m := machines[7]
		warm(t, f, machines[:2])
		var both sync.WaitGroup
		got := make([]*cloudserver.VirtualMachine, 2)
		for i := range got {
			both.Go(func() { got[i] = mustRead(t, f, m) })
		}
		warm(t, f, machines[2:7])
		both.Wait()
		s.wantCount(t, 2, 1) // both are of one listing
		got[0].ID, got[0].Name, got[0].Discs = 0, "changed", nil
		if got[1].ID != m.ID || got[1].Name != "web8" || got[1].Discs == nil {
			t.Errorf("one caller's change has reached another: %+v", got[1])
		}
		if listed, err := f.List(t.Context(), "demo", "default"); err != nil || listed[7].Name != "web8" {
			t.Errorf("got %+v, %v", listed[7], err)
		}
	})
}
