package fleet

import (
	"context"
	"sync"
	"time"
)

// keep is how long an answer or a failure is returned to further callers: a plan over a thousand machines asks an
// unreachable service once, not a thousand times.
const keep = time.Minute

// call is a request that several callers share. It is independent of their contexts, and ends within the client's
// limits on time and retries.
type call[V any] struct {
	asked time.Time

	done    chan struct{} // closed on arrival; the fields below do not change after that
	arrived time.Time
	value   V
	err     error
}

// share starts a request.
func share[V any](ctx context.Context, ask func(context.Context) (V, error)) *call[V] {
	c := &call[V]{asked: time.Now(), done: make(chan struct{})}
	go func() {
		defer close(c.done)
		c.value, c.err = ask(context.WithoutCancel(ctx))
		c.arrived = time.Now()
	}()
	return c
}

// await waits until the call arrives, or the caller gives up.
func (c *call[V]) await(ctx context.Context) (value V, err error) {
	if !c.isDone() {
		select {
		case <-c.done:
		case <-ctx.Done():
			return value, ctx.Err()
		}
	}
	return c.value, c.err
}

// isDone reports whether the call has arrived.
func (c *call[V]) isDone() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// isOld reports whether the call arrived too long ago to be used.
func (c *call[V]) isOld() bool { return c.isDone() && time.Since(c.arrived) >= keep }

// Memo requests an answer once for many callers, and keeps it for each key for a minute. The zero value is empty and
// ready for use. It is safe for concurrent use.
type Memo[V any] struct {
	mu    sync.Mutex
	calls map[string]*call[V]
}

// Get returns the answer for the key from memory, or requests it. The request continues if the callers that wait for it
// are cancelled.
func (m *Memo[V]) Get(ctx context.Context, key string, ask func(context.Context) (V, error)) (V, error) {
	m.mu.Lock()
	c := m.calls[key]
	if c == nil || c.isOld() {
		if m.calls == nil {
			m.calls = map[string]*call[V]{}
		}
		c = share(ctx, ask)
		m.calls[key] = c
	}
	m.mu.Unlock()
	return c.await(ctx)
}

// Forget discards all answers, and those under way: they may be older than a change.
func (m *Memo[V]) Forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = nil
}
