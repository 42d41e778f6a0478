package transport

import (
	"math"
	"time"
)

const (
	slower    = 0.8  // of the rate at which the limit was met is the rate after it
	steepness = 0.05 // of the growth, in requests a second per second cubed
	firstRate = 20   // requests a second after the first 429, at least
	leastRate = 1
	mostRate  = 500 // a higher rate is no limit

	// oblivion is how long after the latest request its limit is forgotten.
	oblivion = 30 * time.Second
)

// pace is how many requests a second a process sends. Several processes may share one limit, each of which knows only
// its own answers. So the rate grows as CUBIC has it (RFC 9438): after a 429 back to almost the rate of before, slowly
// past it, and faster the longer no further 429 comes. A process with a smaller rate catches up with the others, and
// takes over what one leaves that has ended.
type pace struct {
	rate     float64   // 0: no limit is known
	top      float64   // the rate at which the limit was met
	since    time.Time // the end of the latest hold, or the first request
	accepted int       // requests since then
}

// gap returns the time between two requests.
func (p *pace) gap() time.Duration {
	if p.rate == 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / p.rate)
}

// resume notes that a request is sent after a pause since the latest one, or since a hold.
func (p *pace) resume(now time.Time, paused time.Duration) {
	if p.since.IsZero() || paused >= oblivion {
		*p = pace{since: now}
	}
}

// pause notes that nothing was sent for so long although the rate allowed it. The rate does not grow for that time.
func (p *pace) pause(unused time.Duration) {
	if p.rate != 0 {
		p.since = p.since.Add(unused)
	}
}

// grow notes an accepted request.
func (p *pace) grow(now time.Time) {
	p.accepted++
	if p.rate == 0 {
		return
	}
	back := math.Cbrt(p.top * (1 - slower) / steepness) // the seconds after which the rate is that of before
	p.rate = max(p.rate, p.top+steepness*math.Pow(now.Sub(p.since).Seconds()-back, 3))
	if p.rate > mostRate {
		p.rate = 0
	}
}

// shrink notes a 429 after which nothing is sent until the given time. The first shows how many requests the service
// accepts; a later one that the rate is too high.
func (p *pace) shrink(now, until time.Time) {
	before := p.top
	switch {
	case p.accepted == 0:
		p.top = min(p.rate, firstRate/slower) * slower * slower
		if p.rate == 0 {
			p.top = firstRate / slower
		}
	case p.rate == 0:
		delivered := float64(p.accepted) / max(now.Sub(p.since).Seconds(), 1)
		p.top = max(delivered, firstRate/slower)
	default:
		p.top = p.rate
	}
	p.rate = max(p.top*slower, leastRate)
	if p.top < before { // leave some to the others, who may have less
		p.top *= (1 + slower) / 2
	}
	p.since, p.accepted = until, 0
}
