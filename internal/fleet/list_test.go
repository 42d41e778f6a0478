package fleet_test

import (
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// mustList gives the ids that a listing shows.
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
		f := fleet.New(s)
		machines := s.add("default", 4)
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

func TestListIsOfNow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		first := s.add("default", 1)[0]
		var wg sync.WaitGroup
		wg.Go(func() { mustList(t, f, "default") })
		synctest.Wait() // the first listing is under way, and knows nothing of what follows
		added := s.add("default", 1)[0]
		f.Wrote(added)
		if ids := mustList(t, f, "default"); !slices.Equal(ids, []int64{first.ID, added.ID}) {
			t.Errorf("after a write: %v", ids)
		}
		wg.Wait()
		s.purge(first.ID) // elsewhere
		if ids := mustList(t, f, "default"); !slices.Equal(ids, []int64{added.ID}) {
			t.Errorf("after a purge elsewhere: %v", ids)
		}
		s.wantCount(t, 0, 3)
	})
}

func TestListTellsWhyNot(t *testing.T) {
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
