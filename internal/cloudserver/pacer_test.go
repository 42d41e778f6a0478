package cloudserver_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// TestPaceGivesUpForAll: a service that answers only 429 delays a run by max_retries times Retry-After, however many
// calls it makes. A later call is tried after one more hold.
func TestPaceGivesUpForAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		ctx := tflogtest.RootLogger(t.Context(), &log)
		service := serve(answer(429, "", "Retry-After", "60"))
		client := newClient(t, service)
		began := time.Now()
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				_, err := client.VirtualMachine(ctx, 7)
				if cloudserver.StatusCode(err) != 429 || !strings.Contains(err.Error(), "and asked to wait 1m0s") {
					t.Errorf("got %v", err)
				}
			})
		}
		all.Wait()
		if took := time.Since(began); took > 7*time.Minute {
			t.Errorf("100 calls took %s", took)
		}
		if warned := strings.Count(log.String(), `"@level":"warn"`); warned != 1 {
			t.Errorf("%d warnings in the log", warned)
		}
		began, before := time.Now(), len(service.journal())
		if _, err := client.VirtualMachine(ctx, 7); cloudserver.StatusCode(err) != 429 || time.Since(began) > 2*time.Minute || len(service.journal()) != before+1 {
			t.Errorf("later: %v after %s", err, time.Since(began))
		}
		service.steps = []step{healthy}
		if _, err := client.VirtualMachine(ctx, 7); err != nil {
			t.Errorf("in the end: %v", err)
		}
	})
}

// rush makes calls from several concurrent callers, and returns how long they take.
func rush(t *testing.T, client *cloudserver.Client, callers, calls int) time.Duration {
	t.Helper()
	began := time.Now()
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range calls {
				if _, err := client.VirtualMachine(t.Context(), 7); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	return time.Since(began)
}

// limited accepts a number of requests in each second.
type limited struct {
	perSecond int

	mu                       sync.Mutex
	second                   int64
	inSecond, taken, refused int
}

// RoundTrip implements http.RoundTripper.
func (l *limited) RoundTrip(r *http.Request) (*http.Response, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now().Unix(); now != l.second {
		l.second, l.inSecond = now, 0
	}
	if l.inSecond++; l.inSecond > l.perSecond {
		l.refused++
		return answer(429, "", "Retry-After", "1")(r)
	}
	l.taken++
	return healthy(r)
}

// TestThrottledCallsNameTheReason: every call that times out while all requests are held names the reason, not only the
// one that was answered with 429.
func TestThrottledCallsNameTheReason(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := serve(healthy, answer(429, "", "Retry-After", "60"))
		client := newClient(t, service)
		if _, err := client.VirtualMachine(t.Context(), 7); err != nil || client.Throttled() != nil {
			t.Fatal(err, client.Throttled())
		}
		ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
		defer cancel()
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				_, err := client.VirtualMachine(ctx, 7)
				if err == nil || !errors.Is(err, context.DeadlineExceeded) || !strings.HasSuffix(err.Error(), ": timed out; the service last answered 429 Too Many Requests and asked to wait 1m0s") {
					t.Errorf("got %v", err)
				}
			})
		}
		time.Sleep(time.Second)
		if err := client.Throttled(); err == nil || err.Error() != "the service last answered 429 Too Many Requests and asked to wait 1m0s" {
			t.Errorf("while all are held: %v", err)
		}
		all.Wait()
		service.mu.Lock()
		service.steps = []step{healthy}
		service.mu.Unlock()
		if _, err := client.VirtualMachine(t.Context(), 7); err != nil || client.Throttled() != nil {
			t.Errorf("in the end: %v, %v", err, client.Throttled())
		}
	})
}

// TestThrottlingIsReportedOnce: a long series of 429 is reported once in a run. A short one, such as that of a rate
// limit, is not.
func TestThrottlingIsReportedOnce(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		steps    []step
		reported bool
	}{
		"a short one":          {[]step{answer(429, "", "Retry-After", "5"), healthy}, false},
		"a long one":           {[]step{answer(429, "", "Retry-After", "30"), healthy}, true},
		"two in a row":         {[]step{answer(429, "", "Retry-After", "5"), answer(429, "", "Retry-After", "5"), healthy}, true},
		"two with one between": {[]step{answer(429, "", "Retry-After", "5"), healthy, answer(429, "", "Retry-After", "5"), healthy}, false},
		"none":                 {[]step{healthy}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client := newClient(t, serve(test.steps...))
				for range 3 {
					if _, err := client.VirtualMachine(t.Context(), 7); err != nil {
						t.Error(err)
					}
				}
				for call := range 2 {
					if _, reported := client.TakeThrottling(); reported != (test.reported && call == 0) {
						t.Errorf("call %d: reported is %t", call, reported)
					}
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		limit := &limited{perSecond: 10}
		client := newClient(t, limit)
		rush(t, client, 50, 4)
		if text, reported := client.TakeThrottling(); reported {
			t.Errorf("a rate limit is reported: %s", text)
		}
	})
}
