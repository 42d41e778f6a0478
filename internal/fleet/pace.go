package fleet

import (
	"math/rand/v2"
	"time"
)

const (
	// firstGap and longestGap bound the time between two looks of a wait. With
	// them, looks fall at 1.4, 3.4, 6.0, 9.4, 14.0, 19.0 s and every five seconds
	// from there: nine of them in the 34 s that a machine with an image typically
	// takes, and the ninth just after it is on.
	firstGap   = 1450 * time.Millisecond
	longestGap = 5 * time.Second

	// growth is the part of the time waited so far by which the gap grows.
	growth = 3

	// jitter is the part of a gap by which a look comes earlier or later, so
	// that processes started together do not look together for ever.
	jitter = 0.1

	// shortestGap is the time before a first look that is expected to be the
	// last: long enough for those that begin together to share it.
	shortestGap = 20 * time.Millisecond
)

// pace says when a wait looks next.
type pace struct {
	next time.Duration // since the wait began
	gap  time.Duration // to the look before
}

// startingPace returns the pace of a wait about which nothing is known.
func startingPace() pace { return pace{next: firstGap, gap: firstGap} }

// untilNext returns the time from waited, the time waited so far, to the next look.
// Each look is jittered on its own: the pace as a whole does not drift.
func (p pace) untilNext(waited time.Duration) time.Duration {
	shift := (2*rand.Float64() - 1) * jitter * float64(p.gap)
	return max(0, p.next+time.Duration(shift)-waited)
}

// looked returns the pace after a look. The next one is at least half a gap away,
// because the last may have been somebody else's.
func (p pace) looked(waited time.Duration) pace {
	for p.next < waited+p.following()/2 {
		p = pace{next: p.next + p.following(), gap: p.following()}
	}
	return p
}

// following returns the gap after the next look.
func (p pace) following() time.Duration {
	return min(firstGap+p.next/growth, longestGap)
}

// learned returns the pace that the next wait starts with, after one whose first
// look was, or was not, the last. Machines of a group resemble each other: where
// they are ready at once, a second of waiting for each would be most of an apply.
func (p pace) learned(over bool) pace {
	first := min(2*p.next, firstGap)
	if over {
		first = max(p.next/2, shortestGap)
	}
	return pace{next: first, gap: first}
}
