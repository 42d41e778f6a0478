package fleet_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// A memo requests once for all callers, who may give up, and keeps an answer or a failure for a minute. An answer that
// was under way when the object changed is neither kept nor given to later callers.
func TestMemo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var memo fleet.Memo[int]
		errDown := errors.New("out of reach")
		var calls int
		var down error
		ask := func(ctx context.Context) (int, error) {
			calls++
			call := calls
			if err := cloudserver.Pause(ctx, time.Second); err != nil {
				return 0, err
			}
			return call, down
		}
		want := func(key string, value int, failure error) {
			t.Helper()
			var callers sync.WaitGroup
			for range 100 {
				callers.Go(func() {
					if got, err := memo.Get(t.Context(), key, ask); got != value || !errors.Is(err, failure) {
						t.Errorf("Get: %d, %v; want %d, %v", got, err, value, failure)
					}
				})
			}
			callers.Wait()
		}
		impatient, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := memo.Get(impatient, "x", ask); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the impatient caller got %v", err)
		}
		want("x", 1, nil)
		want("y", 2, nil)
		time.Sleep(time.Minute)
		down = errDown
		want("x", 3, errDown)
		down = nil
		want("x", 3, errDown)
		time.Sleep(time.Minute)
		var early sync.WaitGroup
		early.Go(func() { want("x", 4, nil) })
		synctest.Wait()
		memo.Forget()
		want("x", 5, nil)
		early.Wait()
		want("x", 5, nil)
	})
}

// A caller that gives up returns at once, and does not cancel the listing of others.
func TestListingOutlivesItsCallers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		machines := s.add("default", 10)
		f := pastTheFirst(t, s)
		impatient, cancel := context.WithTimeout(t.Context(), latency/2)
		defer cancel()
		began := time.Now()
		together(machines[:4], 4, func(m fleet.Location) {
			if _, err := f.Read(impatient, m); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
		})
		if waited := time.Since(began); waited != latency/2 {
			t.Errorf("cancellation took %v", waited)
		}
		together(machines[4:], 6, func(m fleet.Location) { mustRead(t, f, m) })
		s.want(t, "list 1")
	})
}
