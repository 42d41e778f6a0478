package fleet_test

import (
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

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

// A listing shows what is there when it is asked for, also while a refresh is under
// way, and serves reads afterwards.
func TestListIsNewAndServesReads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		machines := s.add("default", 4)
		f := pastTheFirst(t, s)
		var early sync.WaitGroup
		early.Go(func() { mustRead(t, f, machines[0]) })
		time.Sleep(latency / 2)
		machines = append(machines, s.add("default", 1)...) // by another provider
		wantListed(t, f, 1, 2, 3, 4, machines[4].ID)
		early.Wait()
		for _, m := range machines[1:] {
			mustRead(t, f, m)
		}
		s.want(t, "list 2")
	})
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
