package cloudserver_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// TestPaceOfSeveral: ten processes with ten workers each share a limit, of which each knows only its own answers, as in
// a destroy of ten states of 1,000 machines. None of their calls fails, they use up most of the limit, and none is left
// behind, whether they begin together or one after the other, and whatever the limit counts by. A window of a second
// refuses several of them at its end, each of which then sends nothing for the second that Retry-After asks for. That
// is what is lost there.
func TestPaceOfSeveral(t *testing.T) {
	t.Parallel()
	const clients, workers, seconds, rounds = 10, 10, 105, 2
	window := func(n int) http.RoundTripper { return &limited{perSecond: n} }
	ofTokens := func(n int) http.RoundTripper { return &bucket{perSecond: float64(n)} }
	for _, test := range []struct {
		kind         string
		limit        func(perSecond int) http.RoundTripper
		perSecond    int
		apart        time.Duration
		used, behind float64 // of the time that the limit sets, and of the mean, at most
	}{
		{"window", window, 20, 0, 1.25, 1.3},
		{"window", window, 20, 700 * time.Millisecond, 1.3, 1.35},
		{"window", window, 200, 0, 1.25, 1.3},
		{"window", window, 200, 700 * time.Millisecond, 1.4, 1.35},
		{"bucket", ofTokens, 20, 0, 1.2, 1.35},
		{"bucket", ofTokens, 20, 700 * time.Millisecond, 1.2, 1.35},
		{"bucket", ofTokens, 200, 0, 1.2, 1.35},
		{"bucket", ofTokens, 200, 700 * time.Millisecond, 1.2, 1.35},
	} {
		t.Run(fmt.Sprintf("%s of %d, %s apart", test.kind, test.perSecond, test.apart), func(t *testing.T) {
			t.Parallel()
			var used, behind float64
			for range rounds {
				synctest.Test(t, func(t *testing.T) {
					calls := test.perSecond * seconds / clients / workers
					ends := share(t, slowly{test.limit(test.perSecond)}, clients, workers, calls, test.apart)
					mean := 0.0
					for _, end := range ends {
						mean += end.Seconds() / clients
					}
					used += slices.Max(ends).Seconds() / seconds / rounds
					behind += slices.Max(ends).Seconds() / mean / rounds
				})
			}
			if used > test.used || behind > test.behind {
				t.Errorf("%.2f of the time that the limit sets, and the last client ends at %.2f of the mean", used, behind)
			}
		})
	}
}

// TestPaceWhileOthersTakeAll: a call does not fail because others take the whole limit for a while, nor because it
// alone is refused for a while. It does after half a minute in which everything is refused, or two minutes in which it
// alone is.
func TestPaceWhileOthersTakeAll(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		refused time.Duration
		only    bool // this call, and not another one
		fails   bool
	}{
		{refused: 20 * time.Second},
		{refused: 20 * time.Second, only: true},
		{refused: time.Hour, fails: true},
		{refused: time.Hour, only: true, fails: true},
	} {
		t.Run(fmt.Sprintf("%+v", test), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				client := newClient(t, serve(func(r *http.Request) (*http.Response, error) {
					if time.Since(began) < test.refused && (!test.only || strings.HasSuffix(r.URL.Path, "/7")) {
						return answer(429, "", "Retry-After", "1")(r)
					}
					return healthy(r)
				}))
				ended := make(chan struct{})
				var other sync.WaitGroup
				other.Go(func() {
					for {
						select {
						case <-ended:
							return
						case <-time.After(time.Second):
						}
						if _, err := client.Definitions(t.Context()); test.only && cloudserver.StatusCode(err) != 0 {
							t.Errorf("the other call: %v", err)
						}
					}
				})
				_, err := client.VirtualMachine(t.Context(), 7)
				took := time.Since(began)
				close(ended)
				other.Wait()
				least := 30 * time.Second
				if test.only {
					least = cloudserver.Patience
				}
				if (err != nil) != test.fails || test.fails && (took < least || took > least+30*time.Second) {
					t.Errorf("%v after %s", err, took)
				}
			})
		})
	}
}

// share has so many clients with so many workers each make calls, and returns when each client was done.
func share(t *testing.T, service http.RoundTripper, clients, workers, calls int, apart time.Duration) []time.Duration {
	t.Helper()
	ends := make([]time.Duration, clients)
	began := time.Now()
	var all sync.WaitGroup
	for n := range ends {
		all.Go(func() {
			time.Sleep(time.Duration(n) * apart)
			rush(t, newClient(t, service), workers, calls)
			ends[n] = time.Since(began)
		})
	}
	all.Wait()
	return ends
}

// slowly answers what is accepted after 50 ms.
type slowly struct{ service http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (s slowly) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := s.service.RoundTrip(r)
	if err == nil && response.StatusCode != http.StatusTooManyRequests {
		time.Sleep(50 * time.Millisecond)
	}
	return response, err
}

// bucket takes so many requests a second, and a second's worth at once.
type bucket struct {
	perSecond float64

	mu     sync.Mutex
	tokens float64
	last   time.Time
}

// RoundTrip implements http.RoundTripper.
func (b *bucket) RoundTrip(r *http.Request) (*http.Response, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if b.tokens += now.Sub(b.last).Seconds() * b.perSecond; b.tokens > b.perSecond {
		b.tokens = b.perSecond
	}
	b.last = now
	if b.tokens < 1 {
		return answer(429, "", "Retry-After", "1")(r)
	}
	b.tokens--
	return healthy(r)
}
