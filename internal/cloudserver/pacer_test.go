package cloudserver_test

import (
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestPace has forty callers at a service that takes ten requests a second: the
// client learns to stay below it, and forgets when the limit is gone.
func TestPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limit := &limited{perSecond: 10}
		client := newClient(t, limit, withRetries(8))
		rush := func() {
			var all sync.WaitGroup
			for range 40 {
				all.Go(func() {
					for range 10 {
						if _, err := client.VirtualMachine(t.Context(), 7); err != nil {
							t.Error(err)
						}
					}
				})
			}
			all.Wait()
		}
		rush() // the client learns
		limit.taken, limit.refused = 0, 0
		rush()
		if limit.refused > limit.taken/20 {
			t.Errorf("%d refused for %d taken", limit.refused, limit.taken)
		}
		limit.perSecond = 1 << 20
		time.Sleep(time.Minute)
		rush() // the first answer after a while narrows the gap to nothing
		began := time.Now()
		rush()
		if took := time.Since(began); took > time.Second {
			t.Errorf("without a limit it took %s", took)
		}
	})
}

// TestPaceLosesNobody: with the retries that a client has by default, nobody of
// a rush is refused for good, round after round with other luck.
func TestPaceLosesNobody(t *testing.T) {
	t.Parallel()
	for range 100 {
		synctest.Test(t, func(t *testing.T) {
			limit := &limited{perSecond: 10}
			client := newClient(t, limit)
			var all sync.WaitGroup
			for range 50 {
				all.Go(func() {
					for range 4 {
						if _, err := client.VirtualMachine(t.Context(), 7); err != nil {
							t.Error(err)
						}
					}
				})
			}
			all.Wait()
			if limit.refused > limit.taken/2 { // the first burst is 40 of them
				t.Errorf("%d refused for %d taken", limit.refused, limit.taken)
			}
		})
	}
}

// TestPaceLeavesTheUnlimitedAlone: no refusal, no gap.
func TestPaceLeavesTheUnlimitedAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := newClient(t, serve(healthy))
		began := time.Now()
		everybody(t, client, 50)
		if took := time.Since(began); took != 0 {
			t.Errorf("it took %s", took)
		}
	})
}

// limited takes so many requests in each second.
type limited struct {
	perSecond int

	mu                       sync.Mutex
	second                   int64
	inSecond, taken, refused int
}

// RoundTrip implements http.RoundTripper.
func (l *limited) RoundTrip(r *http.Request) (*http.Response, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now().Unix(); now != l.second {
		l.second, l.inSecond = now, 0
	}
	if l.inSecond++; l.inSecond > l.perSecond {
		l.refused++
		return answer(429, "", "Retry-After", "1")(r)
	}
	l.taken++
	return healthy(r)
}
