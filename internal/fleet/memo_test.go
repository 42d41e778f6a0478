package fleet_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// asker counts requests, each of which takes a second.
type asker struct {
	mu    sync.Mutex
	calls int
	fails int // the first so many fail
}

var errDown = errors.New("out of reach")

func (a *asker) ask(ctx context.Context) (int, error) {
	a.mu.Lock()
	a.calls++
	call := a.calls
	a.mu.Unlock()
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(time.Second):
	}
	if call <= a.fails {
		return 0, errDown
	}
	return call, nil
}

// want fails the test unless the key has the value, and so many requests were made.
func (a *asker) want(t *testing.T, m *fleet.Memo[int], value, calls int) {
	t.Helper()
	if got, err := m.Get(t.Context(), "x", a.ask); err != nil || got != value {
		t.Errorf("Get: %d, %v; want %d", got, err, value)
	}
	if a.calls != calls {
		t.Errorf("%d requests, want %d", a.calls, calls)
	}
}

func TestMemoAsksOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var m fleet.Memo[int]
		var a asker
		var callers sync.WaitGroup
		for range 1000 {
			callers.Go(func() {
				if got, err := m.Get(t.Context(), "x", a.ask); err != nil || got != 1 {
					t.Errorf("Get: %d, %v", got, err)
				}
			})
		}
		callers.Wait()
		time.Sleep(time.Hour)
		a.want(t, &m, 1, 1)
		if other, err := m.Get(t.Context(), "y", a.ask); err != nil || other != 2 {
			t.Errorf("another key: %d, %v", other, err)
		}
	})
}

func TestMemoOutlastsACancelledCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := fleet.Memo[int]{Keep: time.Minute}
		var a asker
		impatient, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := m.Get(impatient, "x", a.ask); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the impatient caller got %v", err)
		}
		a.want(t, &m, 1, 1)
		time.Sleep(time.Minute)
		a.want(t, &m, 2, 2)
	})
}

func TestMemoKeepsAFailureForAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var m fleet.Memo[int]
		a := asker{fails: 1}
		for range 10 {
			if _, err := m.Get(t.Context(), "x", a.ask); !errors.Is(err, errDown) {
				t.Errorf("Get: %v, want the failure", err)
			}
		}
		if a.calls != 1 {
			t.Errorf("asked %d times within the minute, want once", a.calls)
		}
		time.Sleep(time.Minute)
		a.want(t, &m, 2, 2)
	})
}

// An answer that was on its way when the object changed is not remembered, and
// not given to those who ask after the change.
func TestMemoForgets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var m fleet.Memo[int]
		var a asker
		var early sync.WaitGroup
		early.Go(func() {
			if got, err := m.Get(t.Context(), "x", a.ask); err != nil || got != 1 {
				t.Errorf("the early caller got %d, %v", got, err)
			}
		})
		synctest.Wait()
		m.Forget("x")
		a.want(t, &m, 2, 2)
		early.Wait()
		a.want(t, &m, 2, 2)
		m.Forget("x")
		a.want(t, &m, 3, 3)
	})
}
