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

	// recovery is the time in which, with answers alone, a gap shrinks to about a
	// third.
	recovery = 30 * time.Second
)

// pacer keeps all requests of a client together below what the service takes.
// It knows nothing of a limit until the service answers 429; then nobody sends
// anything for as long as that answer asks, and after it there is a gap between
// requests, wider with each refusal of one that kept to it and narrower with
// each answer. Without it a run of many workers would only hammer, and some of
// their requests would be refused each time they try.
type pacer struct {
	line chan struct{} // holds an element while somebody is the next to send

	mu      sync.Mutex
	gap     time.Duration // 0: no limit has been met
	last    time.Time     // when the latest request went
	held    time.Time     // nobody sends before
	widened time.Time
	changed time.Time // widened or narrowed
}

func newPacer() *pacer { return &pacer{line: make(chan struct{}, 1)} }

// wait lets the request's turn come, and gives the time of it.
func (p *pacer) wait(ctx context.Context) (time.Time, error) {
	select {
	case p.line <- struct{}{}:
		defer func() { <-p.line }()
	case <-ctx.Done():
		return time.Time{}, ctx.Err()
	}
	for {
		now, wait := p.turn()
		if wait <= 0 {
			return now, nil
		}
		if err := pause(ctx, wait); err != nil {
			return time.Time{}, err
		}
	}
}

// turn is how long the next in line still has to wait; 0: it goes now.
func (p *pacer) turn() (now time.Time, wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now = time.Now()
	wait = max(p.held.Sub(now), p.last.Add(p.gap).Sub(now), 0)
	if wait == 0 {
		p.last = now
	}
	return now, wait
}

// learn takes the answer to a request into account that went at the given time.
func (p *pacer) learn(response *http.Response, sent time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if response.StatusCode != http.StatusTooManyRequests {
		since := min(now.Sub(p.changed), recovery)
		if p.gap -= time.Duration(p.gap.Seconds() / recovery.Seconds() * float64(since)); p.gap < leastGap {
			p.gap = 0
		}
		p.changed = now
		return
	}
	if sent.After(p.widened) { // else it went before the gap was what it is, and says nothing of it
		p.gap = min(max(p.gap*3/2, 4*leastGap), mostGap)
		p.widened, p.changed = now, now
	}
	hold := retryAfter(response)
	if hold < 0 {
		hold = firstWait
	}
	if until := now.Add(min(hold, maxRetryAfter)); until.After(p.held) {
		p.held = until
	}
}
