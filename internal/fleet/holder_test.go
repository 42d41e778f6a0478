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

// wantHolder checks whether the machine with the id holds the name web<id> and
// is not tracked.
func wantHolder(t *testing.T, f *fleet.Fleet, group string, id int64, want bool) {
	t.Helper()
	got, err := f.Holder(t.Context(), "demo", group, fmt.Sprintf("web%d", id))
	if err != nil || (got != nil) != want || got != nil && got.ID != id {
		t.Errorf("web%d in %s: got %+v, %v, want a holder: %t", id, group, got, err, want)
	}
}

func TestNamesOfAGroupCostOneListing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		s.add("blue", 20)
		s.add("green", 20)
		for range 2 { // concurrently, and again
			var wg sync.WaitGroup
			for id := range int64(20) {
				for _, group := range []string{"blue", "green"} {
					wg.Go(func() {
						if holder, err := f.Holder(t.Context(), "demo", group, fmt.Sprintf("free%d", id)); holder != nil || err != nil {
							t.Errorf("got %v, %v", holder, err)
						}
					})
				}
			}
			wg.Wait()
		}
		s.wantCount(t, 0, 2)
	})
}

func TestHolderIsConfirmedByID(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(s *service, m *machine)
		want   bool
	}{
		"unchanged":    {func(*service, *machine) {}, true},
		"soft-deleted": {func(_ *service, m *machine) { m.deleted = true }, true},
		"undescribed":  {func(_ *service, m *machine) { m.describe = time.Now().Add(time.Hour) }, true},
		"renamed":      {func(_ *service, m *machine) { m.name = "db1" }, false},
		"moved":        {func(s *service, m *machine) { m.group = s.groupNamed("private") }, false},
		"purged":       {func(s *service, _ *machine) { delete(s.machines, 1) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				f := fleet.New(s)
				s.add("default", 1)
				if holder, err := f.Holder(t.Context(), "demo", "default", "other"); holder != nil || err != nil {
					t.Errorf("got %v, %v", holder, err)
				}
				s.change(1, func(m *machine) { c.change(s, m) })
				wantHolder(t, f, "default", 1, c.want)
				s.wantRequests(t, "names default", "get 1")
			})
		})
	}
}

func TestSoftDeletedMachineHoldsItsName(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		s.add("default", 1)
		s.change(1, func(m *machine) { m.deleted = true })
		wantHolder(t, fleet.New(s), "default", 1, true)
	})
}

func TestFailedConfirmationIsAnError(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		s.add("default", 1)
		s.failing(status(http.StatusBadGateway), nil)
		if _, err := fleet.New(s).Holder(t.Context(), "demo", "default", "web1"); cloudserver.StatusCode(err) != http.StatusBadGateway {
			t.Errorf("got %v", err)
		}
	})
}

func TestTrackedMachineIsNoHolder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		track func(*fleet.Fleet, fleet.Machine)
		want  bool
	}{
		"tracked":   {func(f *fleet.Fleet, m fleet.Machine) { f.Track(m.ID) }, false},
		"by a read": {func(f *fleet.Fleet, m fleet.Machine) { _, _ = f.Read(context.Background(), m) }, false},
		"another":   {func(f *fleet.Fleet, m fleet.Machine) { f.Track(m.ID + 1) }, true},
		"during the read": {func(f *fleet.Fleet, m fleet.Machine) {
			time.AfterFunc(latency*3/2, func() { f.Track(m.ID) })
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				f := fleet.New(s)
				m := s.add("default", 1)[0]
				c.track(f, m)
				wantHolder(t, f, "default", m.ID, c.want)
			})
		})
	}
}

// TestLooked: what is known of a name is what this process has seen of it.
func TestLooked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		m := s.add("default", 1)[0]
		f.Track(m.ID)
		if look := f.Looked("demo", "default", "free"); look != nil {
			t.Errorf("nobody has looked: %v", look)
		}
		for name, holder := range map[string]int64{"free": 0, fmt.Sprintf("web%d", m.ID): m.ID} {
			if _, err := f.Holder(t.Context(), "demo", "default", name); err != nil {
				t.Error(err)
			}
			if look := f.Looked("demo", "default", name); look == nil || look.Holder != holder {
				t.Errorf("%s: %v", name, look)
			}
		}
		if look := f.Looked("demo", "other", "free"); look != nil {
			t.Errorf("another group: %v", look)
		}
	})
}

func TestNamesOutlastACallerThatGivesUp(t *testing.T) {
	t.Parallel()
	for name, others := range map[string]int{"with others": 5, "alone": 0} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				f := fleet.New(s)
				machines := s.add("default", 6)
				for _, m := range machines {
					f.Track(m.ID)
				}
				ctx, cancel := context.WithTimeout(t.Context(), latency/2)
				defer cancel()
				var impatient sync.WaitGroup
				impatient.Go(func() {
					if _, err := f.Holder(ctx, "demo", "default", "web1"); !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("the impatient caller got %v", err)
					}
				})
				synctest.Wait()
				together(machines[:others], 6, func(m fleet.Machine) { wantHolder(t, f, "default", m.ID, false) })
				impatient.Wait()
				time.Sleep(latency)
				wantHolder(t, f, "default", 6, false) // whoever comes later is answered
				if others == 0 {
					s.wantRequests(t, "names default", "names default")
				} else {
					s.wantRequests(t, "names default")
				}
			})
		})
	}
}

func TestErrorOfTheNamesIsReturnedToAll(t *testing.T) {
	t.Parallel()
	for _, code := range []int{http.StatusBadGateway, http.StatusForbidden} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(latency)
			f := fleet.New(s)
			s.failing(nil, status(code))
			ask := func(m fleet.Machine) {
				if _, err := f.Holder(t.Context(), "demo", "default", "web1"); cloudserver.StatusCode(err) != code {
					t.Errorf("machine %d: got %v", m.ID, err)
				}
			}
			machines := s.add("default", 10)
			together(machines, 10, ask)
			s.failing(nil, nil)
			together(machines, 10, ask) // one error per run is enough
			s.wantRequests(t, "names default")
			if f.Looked("demo", "default", "web1") != nil {
				t.Error("there, and nobody could look")
			}
		})
	}
}

// TestGroupThatDoesNotExistIsAnError: only its caller knows whether the same plan creates the group.
func TestGroupThatDoesNotExistIsAnError(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		s.add("default", 1)
		holder, err := fleet.New(s).Holder(t.Context(), "demo", "staging", "web1")
		if holder != nil || !cloudserver.IsNotFound(err) {
			t.Errorf("got %v, %v", holder, err)
		}
		s.wantRequests(t, "names staging")
	})
}
