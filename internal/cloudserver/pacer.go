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

// pacer keeps the rate of all requests of a client below the service's limit. It
// knows no limit until the service answers 429. Then no request is sent for as
// long as that answer asks, and afterwards there is a gap between requests, which
// a further 429 widens and each other answer narrows. Without it some requests of
// a run with many workers would be refused each time that they are repeated.
type pacer struct {
	line chan struct{} // holds an element while a request is the next to be sent

	mu      sync.Mutex
	gap     time.Duration // 0: no limit has been met
	last    time.Time     // when the latest request was sent
	held    time.Time     // no request is sent before
	widened time.Time
	changed time.Time // widened or narrowed
}

func newPacer() *pacer { return &pacer{line: make(chan struct{}, 1)} }

// wait waits for the request's turn, and returns the time of it.
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
		if err := Pause(ctx, wait); err != nil {
			return time.Time{}, err
		}
	}
}

// turn returns how long the next request still has to wait; 0: it is sent now.
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

// learn takes into account the answer to a request that was sent at the given time.
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
	if sent.After(p.widened) { // otherwise it was sent before the gap was widened
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
