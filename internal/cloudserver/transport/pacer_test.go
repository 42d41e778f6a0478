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
