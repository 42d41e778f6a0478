package fleet

import (
	"context"
	"errors"
	"sync"
	"time"
)

// errSlow is a call that takes longer than its caller waits for it.
var errSlow = errors.New("the answer takes too long")

// call is a request that several callers share, requested or arrived.
type call[V any] struct {
	mu        sync.Locker // its owner's, for what follows
	callers   int         // who waits for it
	abandoned bool        // cancelled, because nobody waited any more

	asked  time.Time
	cancel context.CancelFunc

	done    chan struct{} // closed on arrival; what follows does not change after it
	arrived time.Time
	value   V
	err     error
}

// share requests, apart from the callers. The caller holds the owner's lock, joins
// and awaits.
func share[V any](ctx context.Context, mu sync.Locker, ask func(context.Context) (V, error)) *call[V] {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	c := &call[V]{mu: mu, asked: time.Now(), cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		defer cancel()
		c.value, c.err = ask(ctx)
		c.arrived = time.Now()
	}()
	return c
}

// await waits until the call arrives, or slow does. The call is cancelled when the
// last caller gives up.
func (c *call[V]) await(ctx context.Context, slow <-chan time.Time) (value V, err error) {
	if !c.isDone() {
		select {
		case <-c.done:
		case <-slow:
			return value, errSlow
		case <-ctx.Done():
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.callers--; c.callers == 0 && !c.isDone() {
				c.abandoned = true
				c.cancel()
			}
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

// isFresh reports whether the call arrived less than so long ago.
func (c *call[V]) isFresh(keep time.Duration) bool {
	return c.isDone() && time.Since(c.arrived) < keep
}

// keepFailure is how long a failure answers further callers: a plan over a
// thousand machines asks a service that is out of reach once, not a thousand times.
const keepFailure = time.Minute

// Memo fetches an answer once for many callers, and remembers it for each key. The
// zero value is empty and ready to use, and it is safe for concurrent use.
type Memo[V any] struct {
	// Keep is how long an answer is remembered; 0: as long as the process lives.
	Keep time.Duration

	mu    sync.Mutex
	calls map[string]*call[V]
}

// Get returns the remembered answer for the key, or asks. The request goes on when
// the callers that wait for it are cancelled.
func (m *Memo[V]) Get(ctx context.Context, key string, ask func(context.Context) (V, error)) (V, error) {
	m.mu.Lock()
	c := m.calls[key]
	if c == nil || c.isDone() && !m.serves(c) {
		if m.calls == nil {
			m.calls = map[string]*call[V]{}
		}
		c = share(ctx, &m.mu, ask)
		c.callers = 1 // the memo itself, which never gives up
		m.calls[key] = c
	}
	c.callers++
	m.mu.Unlock()
	return c.await(ctx, nil)
}

// Forget drops all answers, and those that are on their way: they may be from before
// the change that the caller knows of.
func (m *Memo[V]) Forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = nil
}

// serves reports whether an answer that has arrived is recent enough.
func (m *Memo[V]) serves(c *call[V]) bool {
	if c.err != nil {
		return c.isFresh(keepFailure)
	}
	return m.Keep == 0 || c.isFresh(m.Keep)
}
