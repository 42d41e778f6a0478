package fleet

import (
	"context"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// keepFailure is how long a failure answers further callers: a plan over a
// thousand machines asks a service that is out of reach once, not a thousand times.
const keepFailure = time.Minute

// Memo fetches an answer once for many callers, and remembers it for each key. The
// zero value is empty and ready to use, and it is safe for concurrent use.
type Memo[V any] struct {
	// Keep is how long an answer is remembered; 0: as long as the process lives.
	Keep time.Duration

	flight  singleflight.Group
	mu      sync.Mutex
	answers map[string]answer[V]
	changes map[string]int // how often a key was forgotten
}

type answer[V any] struct {
	value V
	err   error
	at    time.Time
}

// Get returns the remembered answer for the key, or asks. The request goes on when
// one of the callers that wait for it is cancelled.
func (m *Memo[V]) Get(ctx context.Context, key string, ask func(context.Context) (V, error)) (V, error) {
	known, change, ok := m.remembered(key)
	if ok {
		return known.value, known.err
	}
	asked := m.flight.DoChan(key+"#"+strconv.Itoa(change), func() (any, error) {
		if known, _, ok := m.remembered(key); ok {
			return known, nil
		}
		value, err := ask(context.WithoutCancel(ctx))
		fresh := answer[V]{value, err, time.Now()}
		m.remember(key, change, fresh)
		return fresh, nil
	})
	var none V
	select {
	case <-ctx.Done():
		return none, ctx.Err()
	case result := <-asked:
		if fresh, ok := result.Val.(answer[V]); ok {
			return fresh.value, fresh.err
		}
		return none, result.Err
	}
}

// Forget drops the answer for the key, and the one that is on its way: it may be
// from before the change that the caller knows of.
func (m *Memo[V]) Forget(key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.changes == nil {
		m.changes = map[string]int{}
	}
	m.changes[key]++
	delete(m.answers, key)
}

func (m *Memo[V]) remembered(key string) (known answer[V], change int, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known, ok = m.answers[key]
	keep := m.Keep
	if known.err != nil {
		keep = keepFailure
	}
	return known, m.changes[key], ok && (keep == 0 || time.Since(known.at) < keep)
}

func (m *Memo[V]) remember(key string, change int, fresh answer[V]) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.changes[key] != change {
		return
	}
	if m.answers == nil {
		m.answers = map[string]answer[V]{}
	}
	m.answers[key] = fresh
}
