package fleet

import (
	"context"
	"sync"
	"time"
)

// keep is how long an answer is believed, and a failure answers further callers: a
// plan over a thousand machines asks a service that is out of reach once, not a
// thousand times. A thousand machines are refreshed in less than this.
const keep = time.Minute

// call is a request that several callers share. It runs apart from them, and ends
// within the client's limits on time and retries.
type call[V any] struct {
	asked time.Time

	done    chan struct{} // closed on arrival; what follows does not change after it
	arrived time.Time
	value   V
	err     error
}

// share requests.
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

// isOld reports whether the call has arrived, too long ago to be believed.
func (c *call[V]) isOld() bool { return c.isDone() && time.Since(c.arrived) >= keep }

// Memo fetches an answer once for many callers, and remembers it for each key for a
// minute. The zero value is empty and ready to use, and it is safe for concurrent use.
type Memo[V any] struct {
	// Forever is for answers, not failures, that hold as long as the process lives.
	Forever bool

	mu    sync.Mutex
	calls map[string]*call[V]
}

// Get returns the remembered answer for the key, or asks. The request goes on when
// the callers that wait for it are cancelled.
func (m *Memo[V]) Get(ctx context.Context, key string, ask func(context.Context) (V, error)) (V, error) {
	m.mu.Lock()
	c := m.calls[key]
	if c == nil || c.isOld() && (c.err != nil || !m.Forever) {
		if m.calls == nil {
			m.calls = map[string]*call[V]{}
		}
		c = share(ctx, ask)
		m.calls[key] = c
	}
	m.mu.Unlock()
	return c.await(ctx)
}

// Forget drops all answers, and those that are on their way: they may be from before
// the change that the caller knows of.
func (m *Memo[V]) Forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = nil
}
