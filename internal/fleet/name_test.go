package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// named is the service with names in its listings: machine 7 is "web7".
type named struct{ *service }

func (n named) VirtualMachines(ctx context.Context, account, group string, _ ...cloudserver.ReadOption) ([]cloudserver.VirtualMachine, error) {
	machines, err := n.service.VirtualMachines(ctx, account, group)
	for i := range machines {
		machines[i].Name = fmt.Sprintf("web%d", machines[i].ID)
	}
	return machines, err
}

func newNamed() (named, *fleet.Fleet) {
	n := named{newService(latency)}
	return n, fleet.New(n)
}

// wantStranger wants the machine with the id to hold the name web<id> as a
// stranger, or nobody to.
func wantStranger(t *testing.T, f *fleet.Fleet, group string, id int64, want bool) {
	t.Helper()
	got, err := f.Stranger(t.Context(), "demo", group, fmt.Sprintf("web%d", id))
	if err != nil || (got != nil) != want || got != nil && got.ID != id {
		t.Errorf("web%d in %s: got %+v, %v, want a stranger: %t", id, group, got, err, want)
	}
}

func TestNamesOfAGroupCostOneRequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, f := newNamed()
		blue, green := s.add("blue", 20), s.add("green", 20)
		for range 2 { // at once, and again
			together(append(blue, green...), 40, func(m fleet.Machine) { wantStranger(t, f, m.Group, m.ID, true) })
		}
		wantStranger(t, f, "blue", green[0].ID, false)
		s.wantCount(t, 0, 2)
	})
}

func TestNamesComeWithARefresh(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, f := newNamed()
		machines := s.add("default", 10)
		together(machines[:8], 8, func(m fleet.Machine) { mustRead(t, f, m) })
		s.wantCount(t, 2, 1)
		for i, m := range machines { // those that were read are in a state
			wantStranger(t, f, "default", m.ID, i >= 8)
		}
		s.wantCount(t, 2, 1)
	})
}

func TestTrackedMachineIsNoStranger(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, f := newNamed()
		m := s.add("default", 1)[0]
		wantStranger(t, f, "default", m.ID, true)
		f.Track(m.ID)
		wantStranger(t, f, "default", m.ID, false)
		s.wantCount(t, 0, 1)
	})
}

func TestMachineThatCameLaterIsNoStrangerAndWasNotThere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, f := newNamed()
		early := s.add("default", 1)[0]
		if f.WasThere("demo", "default", early.ID) {
			t.Error("there, and nobody has looked")
		}
		var looking sync.WaitGroup
		looking.Go(func() { wantStranger(t, f, "default", early.ID, true) })
		synctest.Wait()
		if f.WasThere("demo", "default", early.ID) {
			t.Error("there, and the look is under way")
		}
		looking.Wait()
		late := s.add("default", 1)[0]
		f.Wrote(late)
		wantStranger(t, f, "default", late.ID, false)
		if !f.WasThere("demo", "default", early.ID) || f.WasThere("demo", "default", late.ID) || f.WasThere("demo", "other", early.ID) {
			t.Error("want the early machine, and it alone, to have been there")
		}
		// What is read of the group afterwards changes nothing about that.
		if _, err := f.List(t.Context(), "demo", "default"); err != nil {
			t.Error(err)
		}
		if f.WasThere("demo", "default", late.ID) {
			t.Error("a later listing has made the late machine an early one")
		}
	})
}

func TestNamesOutlastACallerThatGivesUp(t *testing.T) {
	t.Parallel()
	for name, others := range map[string]int{"with others": 5, "alone": 0} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f := newNamed()
				machines := s.add("default", 6)
				ctx, cancel := context.WithTimeout(t.Context(), latency/2)
				defer cancel()
				var impatient sync.WaitGroup
				impatient.Go(func() {
					if _, err := f.Stranger(ctx, "demo", "default", "web1"); !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("the impatient caller got %v", err)
					}
				})
				synctest.Wait()
				together(machines[:others], 6, func(m fleet.Machine) { wantStranger(t, f, "default", m.ID, true) })
				impatient.Wait()
				time.Sleep(latency)
				wantStranger(t, f, "default", 6, true) // whoever comes later is answered
				if others == 0 {
					s.wantCount(t, 0, 2)
				} else {
					s.wantCount(t, 0, 1)
				}
			})
		})
	}
}

func TestErrorOfTheNamesAnswersEverybody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, f := newNamed()
		s.failing(nil, status(http.StatusBadGateway))
		ask := func(m fleet.Machine) {
			if _, err := f.Stranger(t.Context(), "demo", "default", "web1"); cloudserver.StatusCode(err) != http.StatusBadGateway {
				t.Errorf("machine %d: got %v", m.ID, err)
			}
		}
		machines := s.add("default", 10)
		together(machines, 10, ask)
		s.failing(nil, nil)
		together(machines, 10, ask) // one error a run is enough
		s.wantCount(t, 0, 1)
		if f.WasThere("demo", "default", machines[0].ID) {
			t.Error("there, and nobody could look")
		}
	})
}

func TestGroupThatCannotBeSeenHasNoStrangers(t *testing.T) {
	t.Parallel()
	for _, code := range []int{http.StatusNotFound, http.StatusForbidden} {
		synctest.Test(t, func(t *testing.T) {
			s, f := newNamed()
			m := s.add("default", 1)[0]
			s.failing(nil, status(code))
			wantStranger(t, f, "default", m.ID, false)
			if f.WasThere("demo", "default", m.ID) {
				t.Error("there, and nobody could look")
			}
		})
	}
}
