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

// A memo asks once for all, who may give up, and remembers an answer for as long as
// it is told, and a failure for a minute. An answer that was on its way when the
// object changed is not remembered, nor given to those who ask after the change.
func TestMemo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		forever, aMinute := fleet.Memo[int]{}, fleet.Memo[int]{Keep: time.Minute}
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
		want := func(m *fleet.Memo[int], key string, value int, failure error) {
			t.Helper()
			var callers sync.WaitGroup
			for range 100 {
				callers.Go(func() {
					if got, err := m.Get(t.Context(), key, ask); got != value || !errors.Is(err, failure) {
						t.Errorf("Get: %d, %v; want %d, %v", got, err, value, failure)
					}
				})
			}
			callers.Wait()
		}
		want(&forever, "x", 1, nil)
		want(&forever, "y", 2, nil)
		time.Sleep(time.Hour)
		want(&forever, "x", 1, nil)

		impatient, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := aMinute.Get(impatient, "x", ask); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the impatient caller got %v", err)
		}
		want(&aMinute, "x", 3, nil)
		time.Sleep(time.Minute)
		want(&aMinute, "x", 4, nil)

		forever.Forget()
		down = errDown
		want(&forever, "x", 5, errDown)
		down = nil
		want(&forever, "x", 5, errDown)
		time.Sleep(time.Minute)
		var early sync.WaitGroup
		early.Go(func() { want(&forever, "x", 6, nil) })
		synctest.Wait()
		forever.Forget()
		want(&forever, "x", 7, nil)
		early.Wait()
		want(&forever, "x", 7, nil)
	})
}

// A listing goes on while somebody waits for it, and is cancelled when the last
// gives up: whoever comes at that very moment does not inherit the cancellation.
func TestListingEndsWithItsLastCaller(t *testing.T) {
	t.Parallel()
	for cancelled, othersCome := range map[int]time.Duration{0: latency / 4, 1: latency / 2} {
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
			s.want(t, []string{"list 1", "list 2"}[cancelled])
			if s.cancels != cancelled {
				t.Errorf("%d calls were cancelled, want %d", s.cancels, cancelled)
			}
		})
	}
}
