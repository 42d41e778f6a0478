package fleet_test

import (
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

// wantListed checks the ids that a listing of the group default shows.
func wantListed(t *testing.T, f *fleet.Fleet, want ...int64) {
	t.Helper()
	machines, err := f.List(t.Context(), "demo", "default")
	var ids []int64
	for _, m := range machines {
		ids = append(ids, m.ID)
	}
	if err != nil || !slices.Equal(ids, want) {
		t.Errorf("listed %v, %v, want %v", ids, err, want)
	}
}

func TestListIsSharedAndServesReads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		machines := s.add("default", 4)
		f := pastTheFirst(t, s)
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() { wantListed(t, f, 1, 2, 3, 4) })
		}
		wg.Wait()
		for _, m := range machines {
			mustRead(t, f, m)
		}
		s.want(t, "list 1")
	})
}

func TestListShowsWhatWasChangedBefore(t *testing.T) {
	t.Parallel()
	for name, list := range map[string]func(*testing.T, *fleet.Fleet, fleet.Machine){
		"a listing": func(t *testing.T, f *fleet.Fleet, _ fleet.Machine) { _, _ = f.List(t.Context(), "demo", "default") },
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
					wantListed(t, f, first.ID, added.ID)
					wg.Wait()
				})
			})
		}
	}
}

func TestListReturnsItsError(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		s.failing(nil, status(http.StatusForbidden))
		if _, err := f.List(t.Context(), "demo", "default"); cloudserver.StatusCode(err) != http.StatusForbidden {
			t.Errorf("got %v", err)
		}
		s.failing(nil, nil)
		s.add("default", 1)
		wantListed(t, f, 1) // the failure is not kept
	})
}
