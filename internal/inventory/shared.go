// SPDX-License-Identifier: MPL-2.0

package inventory

import (
	"context"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// maxAge is how old an answer may be.
const maxAge = time.Minute

// shared is a request that several callers share. It does not end with their contexts. Unlike a call of x/sync/singleflight
// it knows when it began, and its answer is kept.
type shared[V any] struct {
	began time.Time

	failures cloudserver.Failures // of its attempts so far

	done  chan struct{} // closed at its end; the fields below do not change after that
	ended time.Time
	value V
	err   error
}

// begin starts a request at the given time.
func begin[V any](ctx context.Context, at time.Time, ask func(context.Context) (V, error)) *shared[V] {
	c := &shared[V]{began: at, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		c.value, c.err = ask(cloudserver.WithFailures(context.WithoutCancel(ctx), &c.failures))
		c.ended = time.Now()
	}()
	return c
}

// await waits until the call ends, or the caller gives up.
func (c *shared[V]) await(ctx context.Context) (value V, err error) {
	if !c.isDone() {
		select {
		case <-c.done:
		case <-ctx.Done():
			return value, c.failures.Interrupted(ctx.Err())
		}
	}
	return c.value, c.err
}

// isDone reports whether the call has ended.
func (c *shared[V]) isDone() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// counts reports whether the call began after the given time and within the last minute, and has not failed.
func (c *shared[V]) counts(after time.Time) bool {
	if c == nil || c.isDone() && c.err != nil {
		return false
	}
	return c.began.After(latest(after, time.Now().Add(-maxAge)))
}

// kept are the last calls with one kind of question, by key.
type kept[V any] map[string]*shared[V]

// get returns an answer that counts: a kept one, that of a call under way, or that of a new one. While a call is under way
// that does not count, the callers wait for it, so that all of them share the next one.
func get[V any](
	ctx context.Context, v *Inventory, calls kept[V], key string, after time.Time,
	ask func(context.Context) (V, error),
) (V, error) {
	for {
		v.mu.Lock()
		c := calls[key]
		isTooOld := !c.counts(after)
		if isTooOld && (c == nil || c.isDone()) {
			c, isTooOld = begin(ctx, v.now(), ask), false
			calls[key] = c
		}
		v.mu.Unlock()
		value, err := c.await(ctx)
		if !isTooOld || ctx.Err() != nil {
			return value, err
		}
	}
}

// now returns the time of an event, which is later than that of all events before. The caller holds the lock.
func (v *Inventory) now() time.Time {
	v.clock = latest(time.Now(), v.clock.Add(1))
	return v.clock
}

// latest returns the latest of the times.
func latest(times ...time.Time) (last time.Time) {
	for _, t := range times {
		if t.After(last) {
			last = t
		}
	}
	return last
}
