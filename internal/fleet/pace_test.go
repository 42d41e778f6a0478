package fleet

import (
	"math"
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	t.Parallel()
	p := startingPace()
	for i, want := range []float64{1.45, 3.4, 6.0, 9.4, 14.0, 19.0, 24.0, 29.0, 34.0, 39.0} {
		if got := p.next.Seconds(); math.Abs(got-want) > 0.06 {
			t.Errorf("look %d is at %.2f s, want %.1f", i+1, got, want)
		}
		p = p.looked(p.next + 50*time.Millisecond)
	}
}

func TestPaceIsJitteredByATenthOfTheGap(t *testing.T) {
	t.Parallel()
	p := pace{next: time.Minute, gap: 5 * time.Second}
	shortest, longest := time.Hour, time.Duration(0)
	for range 1000 {
		in := p.untilNext(55 * time.Second)
		shortest, longest = min(shortest, in), max(longest, in)
	}
	if shortest < 4500*time.Millisecond || shortest > 4600*time.Millisecond {
		t.Errorf("the shortest of a thousand was %v", shortest)
	}
	if longest > 5500*time.Millisecond || longest < 5400*time.Millisecond {
		t.Errorf("the longest of a thousand was %v", longest)
	}
}

func TestPaceAfterSomebodyElsesLook(t *testing.T) {
	t.Parallel()
	p := pace{next: time.Minute, gap: 5 * time.Second}
	for _, c := range []struct{ waited, next time.Duration }{
		{56 * time.Second, 60 * time.Second}, // a long way off still
		{58 * time.Second, 65 * time.Second}, // near enough to stand for it
		{61 * time.Second, 65 * time.Second},
		{90 * time.Second, 95 * time.Second}, // a slow answer is not made up for
	} {
		if got := p.looked(c.waited).next; got != c.next {
			t.Errorf("after a look at %v the next is at %v, want %v", c.waited, got, c.next)
		}
	}
}

func TestPaceLearns(t *testing.T) {
	t.Parallel()
	p := startingPace()
	for range 10 {
		p = p.learned(true)
	}
	if p != (pace{next: shortestGap, gap: shortestGap}) {
		t.Errorf("after ten waits that were over at once, waits start with %+v", p)
	}
	for range 10 {
		p = p.learned(false)
	}
	if p != startingPace() {
		t.Errorf("after ten waits that were not, waits start with %+v", p)
	}
}
