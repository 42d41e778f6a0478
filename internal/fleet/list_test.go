package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

const sameMoment = 5 * time.Millisecond // of the package

// A listing goes on while somebody waits for it, and is cancelled when the last
// gives up: whoever comes at that very moment does not inherit the cancellation.
func TestListingEndsWithItsLastCaller(t *testing.T) {
	t.Parallel()
	for name, othersCome := range map[string]time.Duration{"others wait": latency / 4, "nobody else waits": latency / 2} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				machines := s.add("default", 10)
				f := pastTheFirst(t, s)
				impatient, cancel := context.WithTimeout(t.Context(), latency/2)
				defer cancel()
				began := time.Now()
				var all sync.WaitGroup
				all.Go(func() {
					together(machines[:4], 4, func(m fleet.Machine) {
						if _, err := f.Read(impatient, m); !errors.Is(err, context.DeadlineExceeded) {
							t.Errorf("got %v", err)
						}
					})
					if waited := time.Since(began); waited != latency/2 {
						t.Errorf("cancellation took %v", waited)
					}
				})
				time.Sleep(othersCome)
				synctest.Wait()
				together(machines[4:], 6, func(m fleet.Machine) { mustRead(t, f, m) })
				all.Wait()
				cancelled := 0
				if othersCome == latency/2 {
					cancelled = 1
				}
				s.wantCount(t, 0, 1+cancelled)
				if s.cancels != cancelled {
					t.Errorf("%d calls were cancelled, want %d", s.cancels, cancelled)
				}
			})
		})
	}
}

// mustList returns the ids that a listing shows.
func mustList(t *testing.T, f *fleet.Fleet, group string) []int64 {
	t.Helper()
	machines, err := f.List(t.Context(), "demo", group)
	if err != nil {
		t.Errorf("listing %s: %v", group, err)
	}
	var ids []int64
	for _, m := range machines {
		ids = append(ids, m.ID)
	}
	return ids
}

func TestListIsSharedAndServesReads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		machines := s.add("default", 4)
		f := pastTheFirst(t, s)
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				if ids := mustList(t, f, "default"); !slices.Equal(ids, []int64{1, 2, 3, 4}) {
					t.Errorf("listed %v", ids)
				}
			})
		}
		wg.Wait()
		for _, m := range machines {
			mustRead(t, f, m)
		}
		s.wantCount(t, 0, 1)
	})
}

func TestListShowsWhatWasChangedBefore(t *testing.T) {
	t.Parallel()
	for name, list := range map[string]func(*testing.T, *fleet.Fleet, fleet.Machine){
		"a listing": func(t *testing.T, f *fleet.Fleet, _ fleet.Machine) { mustList(t, f, "default") },
		"a refresh": func(t *testing.T, f *fleet.Fleet, first fleet.Machine) { mustRead(t, f, first) },
	} {
		for _, ago := range []time.Duration{0, 1, sameMoment - 1, sameMoment, 2 * sameMoment, latency, time.Second} {
			t.Run(fmt.Sprintf("%v after %s", ago, name), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newService(latency)
					f, first := pastTheFirst(t, s), s.add("default", 1)[0]
					var wg sync.WaitGroup
					wg.Go(func() { list(t, f, first) })
					time.Sleep(ago)
					added := s.add("default", 1)[0] // by another provider
					if ids := mustList(t, f, "default"); !slices.Equal(ids, []int64{first.ID, added.ID}) {
						t.Errorf("listed %v", ids)
					}
					wg.Wait()
				})
			})
		}
	}
}

func TestListReturnsItsError(t *testing.T) {
	t.Parallel()
	for _, code := range []int{http.StatusNotFound, http.StatusForbidden, http.StatusInternalServerError} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(latency)
			f := fleet.New(s)
			s.failing(nil, status(code))
			if _, err := f.List(t.Context(), "demo", "default"); cloudserver.StatusCode(err) != code {
				t.Errorf("want %d, got %v", code, err)
			}
			s.failing(nil, nil)
			s.add("default", 1)
			if ids := mustList(t, f, "default"); len(ids) != 1 {
				t.Errorf("a failure was kept: %v", ids)
			}
		})
	}
}
