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

	mu      sync.Mutex
	pace    pace
	last    time.Time // when the latest request was sent
	next    time.Time // when the pace lets the next one be sent
	held    holds
	rounds  int      // how often all waiting calls were refused
	refusal *refusal // that they were refused with
	report  report
}

// holds are the times in which no request is sent, because the service answered 429.
type holds struct {
	until  time.Time // no request is sent before this time
	began  time.Time // when the latest hold began
	first  time.Time // when the first of the holds in a row began
	inRow  int       // number of holds since a request was accepted
	status Status    // of the answer that began the latest hold
}

// report keeps track of what was reported about holds.
type report struct {
	logged     bool    // the holds since a request was accepted have been logged
	reported   bool    // unreported was set
	unreported *Status // to be reported to the user; nil: nothing, or it was reported
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
	wait = max(p.held.until.Sub(now), p.next.Sub(now), 0)
	if wait == 0 {
		p.pace.resume(now, min(now.Sub(p.last), now.Sub(p.held.until)))
		p.last = now
		if earliest := now.Add(-late); p.next.Before(earliest) {
			p.pace.pause(earliest.Sub(p.next))
			p.next = earliest
		}
		p.next = p.next.Add(p.pace.gap())
	}
	return now, wait, nil
}

// learn records the answer to a request that was sent at the given time. It reports whether the service refuses
// everything, and all waiting calls with it.
func (p *pacer) learn(ctx context.Context, response *http.Response, body []byte, sent time.Time) (hopeless bool) {
	if response.StatusCode != http.StatusTooManyRequests {
		p.accept()
		return false
	}
	if hold, isNews := p.hold(busy(response), RetryAfter(response), sent); isNews {
		tflog.Warn(ctx, "The service asks to wait, and all requests of this process do", map[string]any{"status": response.StatusCode, "seconds": hold.Seconds()})
	}
	return p.giveUp(&refusal{response, body})
}

// accept records that the service has accepted a request, which ends the holds in a row.
func (p *pacer) accept() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pace.grow(time.Now())
	p.held.inRow, p.report.logged = 0, false
}

// hold holds all requests because of a 429, and returns for how long. It reports whether that is to be logged.
func (p *pacer) hold(status *Status, asked time.Duration, sent time.Time) (hold time.Duration, isNews bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	hold, isNext := p.held.add(now, sent, asked)
	p.held.status = *status
	if isNext {
		p.pace.shrink(now, now.Add(hold))
	}
	if until := now.Add(hold); until.After(p.held.until) {
		p.held.until, p.next = until, until
	}
	return hold, p.report.add(status, now.Sub(p.held.first) >= longHolds || hold >= longHold)
}

// add returns how long a 429 holds requests that asks for this time, or for none if it is negative. The answer to a
// request that was sent before the latest hold is not the next one of the holds in a row.
func (h *holds) add(now, sent time.Time, asked time.Duration) (hold time.Duration, isNext bool) {
	if hold = asked; hold < 0 {
		hold = firstWait
	}
	if isNext = sent.After(h.began) || h.began.IsZero(); isNext {
		if h.began = now; h.inRow == 0 {
			h.first = now
		}
		if h.inRow++; h.inRow > 1 { // whole seconds lead to the same part of a window, which others may always fill
			hold = max(hold, time.Duration(h.inRow-1)*firstWait) + rand.N(firstWait)
		}
	}
	return min(hold, maxRetryAfter), isNext
}

// add notes a hold. It reports whether it is the first lasting one since a request was accepted. The first one of all is
// reported to the user.
func (r *report) add(status *Status, isLasting bool) (isNews bool) {
	if !isLasting || r.logged {
		return false
	}
	r.logged = true
	if !r.reported {
		r.unreported, r.reported = status, true
	}
	return true
}

// giveUp refuses all waiting calls if the service refuses everything: after the maximum number of holds in a row and half
// a minute, with no request accepted in between. Otherwise a run would wait that long for each of its calls. Calls that
// start later wait one more hold, because restoring a machine's power is worth it.
func (p *pacer) giveUp(with *refusal) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held.inRow <= p.most || time.Since(p.held.first) < outage {
		return false
	}
	p.rounds++
	p.refusal = with
	return true
}

// holding returns the status that holds up all requests, or held them up last if no request was accepted since.
// Otherwise it returns nil.
func (p *pacer) holding() *Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held.inRow == 0 && !time.Now().Before(p.held.until) { // a request was accepted since
		return nil
	}
	status := p.held.status
	return &status
}

// take returns the status that began the first lasting hold, but only once. Otherwise it returns nil.
func (p *pacer) take() *Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	status := p.report.unreported
	p.report.unreported = nil
	return status
}
