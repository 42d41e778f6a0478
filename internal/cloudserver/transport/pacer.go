package transport

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

const (
	longHold  = 30 * time.Second // a single hold of this length is worth reporting
	longHolds = 5 * time.Second  // several in a row are if they take as long

	// Patience is how long a call has to be refused before it is given up, while others are accepted: other processes may
	// share the limit, and one call may be the unlucky one.
	Patience = 2 * time.Minute

	// late is how much later than its turn a request may be sent without delaying the turns after it. On a busy machine
	// most are some milliseconds late, and without this a process would not reach its rate.
	late = 200 * time.Millisecond

	// outage is how long everything has to be refused before all waiting calls are given up.
	outage = 30 * time.Second
)

// pacer keeps the rate of a client's requests below the service's limit. It knows no limit until the service answers
// 429. Then no request is sent for as long as that answer asks, and afterwards there is a gap between requests (pace).
// Without it, in a run with many workers, some requests would be refused at every repetition.
type pacer struct {
	line chan struct{} // holds an element while one request is the next to be sent
	most int           // maximum number of holds in a row, after which all waiting calls are refused

	mu         sync.Mutex
	pace       pace
	last       time.Time // when the latest request was sent
	next       time.Time // when the pace lets the next one be sent
	held       time.Time // no request is sent before this time
	began      time.Time // when the latest hold began
	first      time.Time // when the first of the holds in a row began
	inRow      int       // number of holds since a request was accepted
	status     Status    // of the answer that began the latest hold
	lasting    bool      // the holds since a request was accepted have been logged
	unreported *Status   // to be reported to the user; nil: nothing, or it was reported
	reported   bool
	rounds     int      // how often all waiting calls were refused
	refusal    *refusal // that they were refused with
}

// refusal is an answer that is returned to many calls.
type refusal struct {
	response *http.Response
	body     []byte
}

func newPacer(most int) *pacer { return &pacer{line: make(chan struct{}, 1), most: most} }

// round returns the current round. A call that began in an earlier round is refused.
func (p *pacer) round() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rounds
}

// wait waits until a request of a call that began in this round may be sent. It returns the time, or the refusal of the
// call.
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

// turn returns how long the next request has to wait; 0: it is sent now.
func (p *pacer) turn(round int) (now time.Time, wait time.Duration, refused *refusal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now = time.Now()
	if p.rounds != round {
		return now, 0, p.refusal
	}
	wait = max(p.held.Sub(now), p.next.Sub(now), 0)
	if wait == 0 {
		p.pace.resume(now, min(now.Sub(p.last), now.Sub(p.held)))
		p.last = now
		if earliest := now.Add(-late); p.next.Before(earliest) {
			p.pace.pause(earliest.Sub(p.next))
			p.next = earliest
		}
		p.next = p.next.Add(p.pace.gap())
	}
	return now, wait, nil
}

// learn records the answer to a request that was sent at the given time. It returns true if the service refuses
// everything: after the maximum number of holds in a row and half a minute, with no request accepted in between, all
// waiting calls are refused as well. Otherwise a run would wait that long for each of its calls. Calls that start later
// wait one more hold, because restoring a machine's power is worth it.
func (p *pacer) learn(ctx context.Context, response *http.Response, body []byte, sent time.Time) (hopeless bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if response.StatusCode != http.StatusTooManyRequests {
		p.pace.grow(now)
		p.inRow, p.lasting = 0, false
		return false
	}
	hold := RetryAfter(response)
	if hold < 0 {
		hold = firstWait
	}
	if sent.After(p.began) || p.began.IsZero() { // otherwise it was sent before that hold
		if p.began = now; p.inRow == 0 {
			p.first = now
		}
		if p.inRow++; p.inRow > 1 { // whole seconds lead to the same part of a window, which others may always fill
			hold = max(hold, time.Duration(p.inRow-1)*firstWait) + rand.N(firstWait)
		}
		p.pace.shrink(now, now.Add(min(hold, maxRetryAfter)))
	}
	hold = min(hold, maxRetryAfter)
	p.status = *busy(response)
	if !p.lasting && (now.Sub(p.first) >= longHolds || hold >= longHold) {
		p.lasting = true
		if !p.reported {
			p.unreported, p.reported = busy(response), true
		}
		tflog.Warn(ctx, "The service asks to wait, and all requests of this process do", map[string]any{"status": response.StatusCode, "seconds": hold.Seconds()})
	}
	if until := now.Add(hold); until.After(p.held) {
		p.held, p.next = until, until
	}
	if p.inRow <= p.most || now.Sub(p.first) < outage {
		return false
	}
	p.rounds++
	p.refusal = &refusal{response, body}
	return true
}

// holding returns the status that holds up all requests, or held them up last if no request was accepted since.
// Otherwise it returns nil.
func (p *pacer) holding() *Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.inRow == 0 && !time.Now().Before(p.held) { // a request was accepted since
		return nil
	}
	status := p.status
	return &status
}

// take returns the status that began the first lasting hold, but only once. Otherwise it returns nil.
func (p *pacer) take() *Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	status := p.unreported
	p.unreported = nil
	return status
}
