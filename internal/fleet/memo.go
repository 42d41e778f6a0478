package fleet

import (
	"context"
	"sync"
	"time"
)

// keepFailure is how long a failure answers further callers: a plan over a
// thousand machines asks a service that is out of reach once, not a thousand times.
const keepFailure = time.Minute

// Memo fetches an answer once for many callers, and remembers it for each key. The
// zero value is empty and ready to use, and it is safe for concurrent use.
type Memo[V any] struct {
	// Keep is how long an answer is remembered; 0: as long as the process lives.
	Keep time.Duration

	mu      sync.Mutex
	answers map[string]*answer[V]
}

type answer[V any] struct {
	done  chan struct{} // closed on arrival; what follows does not change after it
	value V
	err   error
	at    time.Time
}

// Get returns the remembered answer for the key, or asks. The request goes on when
// one of the callers that wait for it is cancelled.
func (m *Memo[V]) Get(ctx context.Context, key string, ask func(context.Context) (V, error)) (V, error) {
	a := m.answer(ctx, key, ask)
	select {
	case <-a.done:
		return a.value, a.err
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	}
}

// Forget drops the answer for the key, and the one that is on its way: it may be
// from before the change that the caller knows of.
func (m *Memo[V]) Forget(key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.answers, key)
}

// answer returns the answer for the key, on its way or arrived.
func (m *Memo[V]) answer(ctx context.Context, key string, ask func(context.Context) (V, error)) *answer[V] {
	m.mu.Lock()
	defer m.mu.Unlock()
	if a, ok := m.answers[key]; ok && m.serves(a) {
		return a
	}
	a := &answer[V]{done: make(chan struct{})}
	if m.answers == nil {
		m.answers = map[string]*answer[V]{}
	}
	m.answers[key] = a
	go func() {
		defer close(a.done)
		a.value, a.err = ask(context.WithoutCancel(ctx))
		a.at = time.Now()
	}()
	return a
}

// serves reports whether the answer is on its way, or recent enough.
func (m *Memo[V]) serves(a *answer[V]) bool {
	select {
	case <-a.done:
	default:
		return true
	}
	keep := m.Keep
	if a.err != nil {
		keep = keepFailure
	}
	return keep == 0 || time.Since(a.at) < keep
}
