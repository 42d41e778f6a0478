package cloudserver

import (
	"context"
	"net/http"
	"sync"
	"time"
)

const (
	leastGap = 5 * time.Millisecond // less is none
	mostGap  = time.Second

	// widenEvery is how long a wider gap is tried before it is widened again:
	// refusals come in bursts, and those of one burst say one thing.
	widenEvery = 2 * time.Second
	// recovery is the time in which, with answers alone, a gap shrinks to about a
	// third.
	recovery = 30 * time.Second
)

// pacer keeps all requests of a client together below what the service takes.
// It knows nothing of a limit until the service answers 429; then it puts a gap
// between requests, wider with each further refusal and narrower with each
// answer. Without it a run of many workers would only hammer, and some of their
// requests would meet a refusal each time.
type pacer struct {
	mu      sync.Mutex
	gap     time.Duration // 0: no limit has been met
	next    time.Time     // when the next request may go
	widened time.Time
	changed time.Time // widened or narrowed
}

// wait lets the request's turn come.
func (p *pacer) wait(ctx context.Context) error {
	p.mu.Lock()
	now := time.Now()
	turn := now
	if p.gap > 0 {
		if p.next.After(turn) {
			turn = p.next
		}
		p.next = turn.Add(p.gap)
	}
	p.mu.Unlock()
	if turn.After(now) {
		return pause(ctx, turn.Sub(now))
	}
	return nil
}

// learn takes the answer to a request into account.
func (p *pacer) learn(status int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	switch {
	case status != http.StatusTooManyRequests:
		since := min(now.Sub(p.changed), recovery)
		if p.gap -= time.Duration(p.gap.Seconds() / recovery.Seconds() * float64(since)); p.gap < leastGap {
			p.gap = 0
		}
		p.changed = now
	case now.Sub(p.widened) >= widenEvery:
		p.gap = min(max(p.gap*3/2, 4*leastGap), mostGap)
		p.widened, p.changed = now, now
	}
}
