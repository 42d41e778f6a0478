// SPDX-License-Identifier: MPL-2.0

package rollout_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/rollout"
)

// operations runs operations that take ten seconds each, and counts them.
type operations struct {
	*rollout.Rollout
	mu                sync.Mutex
	down, most, began int
	errs              []error
}

func (r *operations) run(ctx context.Context, machines int, fails func(begun int) error) time.Duration {
	start := time.Now()
	var all sync.WaitGroup
	for i := range machines {
		all.Go(func() {
			slot, err := r.Take(ctx, fmt.Sprintf("machine %d", i))
			r.mu.Lock()
			if err != nil {
				r.errs = append(r.errs, err)
				r.mu.Unlock()
				return
			}
			r.down++
			r.began++
			r.most = max(r.most, r.down)
			failure := fails(r.began)
			r.mu.Unlock()
			time.Sleep(10 * time.Second)
			r.mu.Lock()
			if failure == nil {
				r.down--
			}
			r.mu.Unlock()
			if failure != nil {
				r.Stop(fmt.Sprintf("machine %d", i), failure)
			} else {
				slot.End()
			}
		})
	}
	all.Wait()
	return time.Since(start)
}

func never(int) error { return nil }

// Two hundred machines, a few at a time, without a pause between them.
func TestRollout(t *testing.T) {
	t.Parallel()
	for slots, waves := range map[int]int{0: 1, 1: 200, 3: 67, 200: 1} {
		synctest.Test(t, func(t *testing.T) {
			r := operations{Rollout: rollout.New(slots)}
			took := r.run(t.Context(), 200, never)
			if r.most != cmp.Or(slots, 200) || took != time.Duration(waves)*10*time.Second || len(r.errs) > 0 {
				t.Errorf("%d slots: %d were down at once, took %s, errors %v", slots, r.most, took, r.errs)
			}
		})
	}
}

// After the first failure no operation begins, and one that comes later fails at once.
func TestRolloutEndsWithItsFirstFailure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := operations{Rollout: rollout.New(3)}
		broken := errors.New("the guest does not answer")
		took := r.run(t.Context(), 200, func(begun int) error {
			if begun == 5 {
				return broken
			}
			return nil
		})
		if r.began < 5 || r.began > 8 || len(r.errs) != 200-r.began || took != 20*time.Second && took != 30*time.Second {
			t.Errorf("%d began, %d ended with an error, after %s", r.began, len(r.errs), took)
		}
		_, late := r.Take(t.Context(), "late")
		for _, err := range append(r.errs, late) {
			var over *rollout.Error
			if !errors.As(err, &over) || !errors.Is(err, broken) || !strings.Contains(err.Error(), over.Machine) {
				t.Errorf("%v", err)
			}
		}
	})
}

// Operations on several machines take a slot for each, or all, and never wait for each other's. One that ends while it
// waits returns what it has taken.
func TestRolloutOfSeveral(t *testing.T) {
	t.Parallel()
	for slots, took := range map[int]time.Duration{1: 60, 2: 60, 3: 60, 4: 30} {
		synctest.Test(t, func(t *testing.T) {
			r := rollout.New(slots)
			began := time.Now()
			var all sync.WaitGroup
			for i := range 6 {
				all.Go(func() {
					slot, err := r.Take(t.Context(), fmt.Sprint("from ", i), fmt.Sprint("to ", i))
					if err != nil {
						t.Error(err)
						return
					}
					time.Sleep(10 * time.Second)
					slot.End()
				})
			}
			all.Go(func() {
				ctx, interrupt := context.WithTimeout(t.Context(), 5*time.Second)
				defer interrupt()
				time.Sleep(time.Second)
				if _, err := r.Take(ctx, "from", "to"); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v", err)
				}
			})
			all.Wait()
			if since := time.Since(began); since != took*time.Second {
				t.Errorf("%d slots: took %s", slots, since)
			}
			for range slots {
				if _, err := r.Take(t.Context(), "after all"); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// A wait ends at once with its context, and takes no slot.
func TestRolloutEndsWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := operations{Rollout: rollout.New(1)}
		ctx, interrupt := context.WithTimeout(t.Context(), 5*time.Second)
		defer interrupt()
		if took := r.run(ctx, 8, never); took != 10*time.Second || len(r.errs) != 7 {
			t.Errorf("took %s, errors %v", took, r.errs)
		}
		if took := r.run(t.Context(), 1, never); took != 10*time.Second {
			t.Errorf("a slot is lost: took %s, errors %v", took, r.errs)
		}
	})
}
