package transport

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// TestPacerWidensOncePerBurst: of requests that were sent together, the second
// refusal says nothing new about the rate.
func TestPacerWidensOncePerBurst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPacer(9)
		refused := &http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{}}
		for _, want := range []time.Duration{4 * leastGap, 6 * leastGap, 9 * leastGap} {
			time.Sleep(time.Second)
			sent := time.Now()
			time.Sleep(time.Second)
			for range 5 {
				if p.learn(t.Context(), refused, nil, sent); p.gap != want {
					t.Errorf("the gap is %s, want %s", p.gap, want)
				}
			}
		}
	})
}

// TestPacerHoldsEveryRequest for as long as a refusal asks, or a second.
func TestPacerHoldsEveryRequest(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]time.Duration{"7": 7 * time.Second, "": firstWait, "3600": maxRetryAfter} {
		synctest.Test(t, func(t *testing.T) {
			p := newPacer(9)
			p.learn(t.Context(), &http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {asked}}}, nil, time.Now())
			if _, wait := p.turn(); wait != want {
				t.Errorf("%q: the next request waits %s, want %s", asked, wait, want)
			}
		})
	}
}
