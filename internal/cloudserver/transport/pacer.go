package transport

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

const (
	leastGap = 5 * time.Millisecond // less is none
	mostGap  = time.Second
	longHold = 30 * time.Second // a single one is worth telling

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
	most int           // holds in a row, after which all that wait are refused

	mu      sync.Mutex
	gap     time.Duration // 0: no limit has been met
	last    time.Time     // when the latest request was sent
	held    time.Time     // no request is sent before
	widened time.Time     // when the latest hold began
	changed time.Time     // widened or narrowed
	inRow   int           // holds since a request was accepted
	status  Status        // of the answer that began the latest hold
	lasting bool          // the holds since a request was accepted are in the log
	untold  *Status       // what a person is to be told of; nil: nothing, or it was told
	told    bool
	rounds  int      // how often all that waited were refused
	refusal *refusal // what they were refused with
}

// refusal is an answer that many calls get.
type refusal struct {
	response *http.Response
	body     []byte
}

func newPacer(most int) *pacer { return &pacer{line: make(chan struct{}, 1), most: most} }

// round returns the number of the present round. A call that began in an earlier
// one is refused.
func (p *pacer) round() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rounds
}

// wait waits for the turn of a request of a call that began in the round. It
// returns the time of it, or what the call is refused with.
func (p *pacer) wait(ctx context.Context, round int) (time.Time, *refusal, error) {
	select {
	case p.line <- struct{}{}:
		defer func() { <-p.line }()
	case <-ctx.Done():
		return time.Time{}, nil, ctx.Err()
	}
	for {
		now, wait, refused := p.turn(round)
		if wait <= 0 || refused != nil {
			return now, refused, nil
		}
		if err := Pause(ctx, wait); err != nil {
			return now, nil, err
		}
	}
}

// turn returns how long the next request still has to wait; 0: it is sent now.
func (p *pacer) turn(round int) (now time.Time, wait time.Duration, refused *refusal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now = time.Now()
	if p.rounds != round {
		return now, 0, p.refusal
	}
	wait = max(p.held.Sub(now), p.last.Add(p.gap).Sub(now), 0)
	if wait == 0 {
		p.last = now
	}
	return now, wait, nil
}

// learn takes into account the answer to a request that was sent at the given
// time. It reports whether the service refuses all requests: after so many holds in
// a row, with no request accepted in between, all that wait are refused as well, or
// a run would last as long as the hold for each of its calls. Calls that start later wait
// one more hold: restoring a machine's power is worth it.
func (p *pacer) learn(ctx context.Context, response *http.Response, body []byte, sent time.Time) (hopeless bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if response.StatusCode != http.StatusTooManyRequests {
		since := min(now.Sub(p.changed), recovery)
		if p.gap -= time.Duration(p.gap.Seconds() / recovery.Seconds() * float64(since)); p.gap < leastGap {
			p.gap = 0
		}
		p.changed, p.inRow, p.lasting = now, 0, false
		return false
	}
	hold := RetryAfter(response)
	if hold < 0 {
		hold = firstWait
	}
	hold = min(hold, maxRetryAfter)
	if sent.After(p.widened) { // otherwise it was sent before the gap was widened
		p.gap = min(max(p.gap*3/2, 4*leastGap), mostGap)
		p.widened, p.changed = now, now
		p.inRow++
	}
	p.status = *busy(response)
	if !p.lasting && (p.inRow > 1 || hold >= longHold) {
		p.lasting = true
		if !p.told {
			p.untold, p.told = busy(response), true
		}
		tflog.Warn(ctx, "The service asks to wait, and all requests of this process do", map[string]any{"status": response.StatusCode, "seconds": hold.Seconds()})
	}
	if until := now.Add(hold); until.After(p.held) {
		p.held = until
	}
	if p.inRow <= p.most {
		return false
	}
	p.rounds++
	p.refusal = &refusal{response, body}
	return true
}

// holding returns the status because of which all requests are held, or were held last
// if none was accepted since; nil otherwise.
func (p *pacer) holding() *Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.inRow == 0 && !time.Now().Before(p.held) { // a request was accepted since
		return nil
	}
	status := p.status
	return &status
}

// take returns the status that began the first lasting hold, once; nil otherwise.
func (p *pacer) take() *Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	status := p.untold
	p.untold = nil
	return status
}
