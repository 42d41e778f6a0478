package cloudserver_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// TestDestroyAtARateLimit: a request that destroys is repeated, with its look, as often as other processes leave no
// room for it, but not for ever.
func TestDestroyAtARateLimit(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		refused  int // requests that destroy
		retries  int
		requests int
		fails    bool
	}{
		"twelve times":       {refused: 12, retries: 4, requests: 13},
		"always":             {refused: 1 << 20, retries: 4, requests: 70, fails: true},
		"without repetition": {refused: 1, retries: 0, requests: 1, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				service := &destroying{refused: test.refused}
				client, err := cloudserver.New(cloudserver.Config{Endpoint: "https://service.invalid", Token: "apikey.test", Transport: service, MaxRetries: &test.retries})
				if err != nil {
					t.Fatal(err)
				}
				began, looks := time.Now(), 0
				err = client.Change(t.Context(), func(ctx context.Context, _ time.Time) (bool, error) {
					looks++
					_, err := client.Groups(ctx, "acme")
					return false, err
				}, func(ctx context.Context, w cloudserver.Writer) error { return w.DeleteGroup(ctx, "acme", "web") })
				if (err != nil) != test.fails || service.requests > test.requests || looks != service.requests {
					t.Errorf("%v after %s, %d requests and %d looks, want %d", err, time.Since(began), service.requests, looks, test.requests)
				}
				if took := time.Since(began); test.fails && test.retries > 0 && took < cloudserver.Patience {
					t.Errorf("given up after %s", took)
				}
			})
		})
	}
}

// destroying refuses so many requests that destroy, and no others.
type destroying struct{ refused, requests int }

// RoundTrip implements http.RoundTripper.
func (d *destroying) RoundTrip(r *http.Request) (*http.Response, error) {
	response := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader("[]")), Request: r}
	if r.Method != http.MethodDelete {
		return response, nil
	}
	d.requests++
	response.StatusCode, response.Body = http.StatusNoContent, http.NoBody
	if d.requests <= d.refused {
		response.StatusCode = http.StatusTooManyRequests
		response.Header.Set("Retry-After", "1")
	}
	return response, nil
}

// TestSlowLookIsRepeated: what a look began with does not count for a request five seconds later.
func TestSlowLookIsRepeated(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		takes []time.Duration
		looks int
	}{
		"quick":       {[]time.Duration{4 * time.Second}, 1},
		"slow":        {[]time.Duration{7 * time.Second, 0}, 2},
		"always slow": {[]time.Duration{7 * time.Second, 7 * time.Second}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				service := &destroying{}
				client, err := cloudserver.New(cloudserver.Config{Endpoint: "https://service.invalid", Token: "apikey.test", Transport: service})
				if err != nil {
					t.Fatal(err)
				}
				looks := 0
				err = client.Change(t.Context(), func(_ context.Context, since time.Time) (bool, error) {
					if age := time.Since(since); looks == 0 && age != cloudserver.Recent || looks == 1 && age != 0 {
						t.Errorf("look %d may use answers of %s ago", looks+1, age)
					}
					time.Sleep(test.takes[looks])
					looks++
					return false, nil
				}, func(ctx context.Context, w cloudserver.Writer) error { return w.DeleteGroup(ctx, "acme", "web") })
				if err != nil || looks != test.looks || service.requests != 1 {
					t.Errorf("%v after %d looks and %d requests", err, looks, service.requests)
				}
			})
		})
	}
}
