package memo_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/memo"
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
func (a *asker) want(t *testing.T, m *memo.Memo[int], value, calls int) {
	t.Helper()
	if got, err := m.Get(t.Context(), "x", a.ask); err != nil || got != value {
		t.Errorf("Get: %d, %v; want %d", got, err, value)
	}
	if a.calls != calls {
		t.Errorf("%d requests, want %d", a.calls, calls)
	}
}

func TestGetAsksOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var m memo.Memo[int]
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

func TestCancelledCallerDoesNotFailTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var m memo.Memo[int]
		var a asker
		impatient, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := m.Get(impatient, "x", a.ask); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the impatient caller got %v", err)
		}
		a.want(t, &m, 1, 1)
	})
}

func TestFailureIsKeptForAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var m memo.Memo[int]
		a := asker{fails: 1}
		for range 10 {
			if _, err := m.Get(t.Context(), "x", a.ask); !errors.Is(err, errDown) {
				t.Errorf("Get: %v, want the failure", err)
			}
		}
		if a.calls != 1 {
			t.Errorf("asked %d times within the minute, want once", a.calls)
		}
		time.Sleep(memo.KeepFailure)
		a.want(t, &m, 2, 2)
	})
}

func TestGetWithinAsksAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var m memo.Memo[int]
		var a asker
		a.want(t, &m, 1, 1)
		for _, want := range []int{1, 1, 2, 2} { // too old only the third time
			if got, err := m.GetWithin(t.Context(), 10*time.Second, "x", a.ask); err != nil || got != want {
				t.Errorf("GetWithin: %d, %v; want %d", got, err, want)
			}
			time.Sleep(6 * time.Second)
		}
	})
}

// An answer that was on its way when the object changed is not remembered, and
// not given to those who ask after the change.
func TestForget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var m memo.Memo[int]
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
