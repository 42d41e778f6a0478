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

// spread puts machines into groups, and returns them interleaved, as a
// configuration may have them.
func spread(s *service, groups, each int) []fleet.Machine {
	var machines []fleet.Machine
	for range each {
		for g := range groups {
			machines = append(machines, s.add(fmt.Sprintf("group%d", g), 1)...)
		}
	}
	return machines
}

func TestRefreshOfSeveralGroups(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ groups, each, gets, others int }{
		{50, 20, 2, 2},
		{50, 1, 2, 2},
		{3, 20, 2, 2},
		{3, 1, 3, 0},
		{5, 1, 5, 0},
		{1, 20, 2, 1},
		{2, 20, 10, 2}, // each group has five wanted before it is worth a listing
	} {
		t.Run(fmt.Sprintf("%d groups of %d", c.groups, c.each), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				f := fleet.New(s)
				together(spread(s, c.groups, c.each), 10, func(m fleet.Machine) { mustRead(t, f, m) })
				s.wantCount(t, c.gets, c.others)
			})
		})
	}
}

// Where the service does not list an account, its groups are listed, and the
// account is not tried again.
func TestAccountThatCannotBeListed(t *testing.T) {
	t.Parallel()
	for _, failure := range []error{
		status(http.StatusNotFound), status(http.StatusBadRequest), status(http.StatusInternalServerError),
		&cloudserver.TransportError{Err: errors.New("too large")},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(latency)
			s.allErr = failure
			f := fleet.New(s)
			began := time.Now()
			together(spread(s, 50, 20), 10, func(m fleet.Machine) { mustRead(t, f, m) })
			if took := time.Since(began); took > 3*time.Second {
				t.Errorf("took %v", took)
			}
			gets, others := s.count()
			if gets > 10+2*50 || others != 2+50 {
				t.Errorf("%v: %d reads by id and %d others", failure, gets, others)
			}
		})
	}
}

func TestListingOfTheAccountIsStaleAfterAWrite(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		machines := spread(s, 10, 4)
		together(machines[:20], 10, func(m fleet.Machine) { mustRead(t, f, m) })
		for _, m := range machines[20:30] { // none of them read before
			write(s, f, m)
			if got := *mustRead(t, f, m).Cores; got != 1 {
				t.Errorf("machine %d is older than the write", m.ID)
			}
		}
		s.change(35, func(m *machine) { m.version++ }) // in a group that was written to
		if got := *mustRead(t, f, machines[34]).Cores; got != 1 {
			t.Error("a listing from before the write answered")
		}
	})
}

func TestReadingAcrossGroupsAgainAsksAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		machines := spread(s, 10, 4)
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
	})
}

// The account is listed once: what is read again after that is a part of it.
func TestAccountIsListedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		machines := spread(s, 10, 4)
		for range 2 {
			together(machines, 10, func(m fleet.Machine) { mustRead(t, f, m) })
		}
		s.wantCount(t, 2+40, 2)
	})
}

// A service that ignores view=overview lists no discs: a state may not lose them.
func TestListingOfTheAccountWithoutDiscsIsNotUsed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		s.bare = true
		f := fleet.New(s)
		together(spread(s, 10, 4), 10, func(m fleet.Machine) {
			if got := mustRead(t, f, m); got.Discs == nil {
				t.Errorf("machine %d has lost its discs", m.ID)
			}
		})
	})
}
