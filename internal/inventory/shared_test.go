// SPDX-License-Identifier: MPL-2.0

package inventory

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Callers share a request, and may give up. An answer is kept for a minute, and counts if its request began late enough.
// A failure is for those who wait for it.
func TestGet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v, calls := New(nil), kept[int]{}
		errDown := errors.New("out of reach")
		var asked int
		var down error
		ask := func(ctx context.Context) (int, error) {
			asked++
			call := asked
			if err := cloudserver.Pause(ctx, time.Second); err != nil {
				return 0, err
			}
			return call, down
		}
		var anyTime time.Time
		want := func(key string, after time.Time, value int, failure error) {
			t.Helper()
			var callers sync.WaitGroup
			for range 100 {
				callers.Go(func() {
					if got, err := get(t.Context(), v, calls, key, after, ask); got != value || !errors.Is(err, failure) {
						t.Errorf("got %d, %v; want %d, %v", got, err, value, failure)
					}
				})
			}
			callers.Wait()
		}
		impatient, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := get(impatient, v, calls, "x", anyTime, ask); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the impatient caller got %v", err)
		}
		want("x", anyTime, 1, nil)
		want("y", anyTime, 2, nil)
		want("x", v.currentTime(), 3, nil)
		want("x", anyTime, 3, nil)
		time.Sleep(time.Minute)
		down = errDown
		want("x", anyTime, 4, errDown)
		down = nil
		want("x", anyTime, 5, nil)
		var early sync.WaitGroup
		early.Go(func() { want("y", anyTime, 6, nil) })
		synctest.Wait()
		want("y", v.currentTime(), 7, nil) // the call under way may be older than a change
		early.Wait()
		want("y", anyTime, 7, nil)
	})
}

// Of two events, one is always the earlier one.
func TestTimeOfEvents(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := New(nil)
		first, second := v.currentTime(), v.currentTime()
		if !second.After(first) || second.Sub(first) > time.Microsecond {
			t.Errorf("%v, then %v", first, second)
		}
		time.Sleep(time.Second)
		if third := v.currentTime(); third.Sub(first) != time.Second {
			t.Errorf("a second after %v: %v", first, third)
		}
	})
}
