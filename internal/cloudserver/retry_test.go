package cloudserver_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

var machine = cloudserver.Ref{Account: "acme", Group: "default", ID: 7}

// The calls by method; each is answered well by healthy.
var byMethod = map[string]func(context.Context, *cloudserver.Client) error{
	http.MethodGet: func(ctx context.Context, c *cloudserver.Client) error {
		_, err := c.VirtualMachine(ctx, 7)
		return err
	},
	http.MethodPut: func(ctx context.Context, c *cloudserver.Client) error {
		_, err := c.UpdateVirtualMachine(ctx, machine, cloudserver.VirtualMachineUpdate{})
		return err
	},
	http.MethodDelete: func(ctx context.Context, c *cloudserver.Client) error {
		return c.DeleteVirtualMachine(ctx, machine, true)
	},
	http.MethodPost: func(ctx context.Context, c *cloudserver.Client) error {
		return c.Signal(ctx, machine, "powerdown", "")
	},
}

var healthy = answer(200, `{"id":7,"name":"web1"}`)

func TestWhatIsRetried(t *testing.T) {
	t.Parallel()
	failures := map[string]struct {
		step step
		post bool // a POST is repeated too
	}{
		"refused":        {unwritten, true},
		"429":            {answer(429, ""), true},
		"cut":            {cut, false},
		"no answer":      {hang, false},
		"untold failure": {func(*http.Request) (*http.Response, error) { return nil, errReset }, false},
		"500":            {answer(500, ""), false},
		"502":            {answer(502, "<html><title>Bad Gateway</title></html>"), false},
		"503":            {answer(503, ""), false},
		"504":            {answer(504, ""), false},
	}
	for name, failure := range failures {
		for method, do := range byMethod {
			t.Run(name+" "+method, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					service := serve(failure.step, failure.step, healthy)
					err := do(t.Context(), newClient(t, service))
					want, attempts := true, 3
					if method == http.MethodPost && !failure.post {
						want, attempts = false, 1
					}
					if (err == nil) != want || len(service.journal()) != attempts {
						t.Errorf("error %v after %d attempts, want success=%v after %d", err, len(service.journal()), want, attempts)
					}
				})
			})
		}
	}
}

// TestLostAttemptRemainsAmbiguous: what an attempt that was cut may have done is not
// undone by further ones that never reach the service.
func TestLostAttemptRemainsAmbiguous(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		steps     []step
		ambiguous bool
	}{
		"cut, then refused": {[]step{cut, unwritten}, true},
		"never written":     {[]step{unwritten, unwritten}, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			err := byMethod[http.MethodPut](t.Context(), newClient(t, serve(test.steps...), withRetries(1)))
			if err == nil || cloudserver.IsAmbiguous(err) != test.ambiguous {
				t.Errorf("%s: ambiguous %t: %v", name, !test.ambiguous, err)
			}
		})
	}
}

// TestPowerDownIsRepeated: asking a guest twice does no harm.
func TestPowerDownIsRepeated(t *testing.T) {
	t.Parallel()
	for name, failure := range map[string]step{"cut": cut, "503": answer(503, "")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				service := serve(failure, healthy)
				if err := newClient(t, service).PowerDown(t.Context(), machine); err != nil || len(service.journal()) != 2 {
					t.Errorf("error %v after %d attempts", err, len(service.journal()))
				}
			})
		})
	}
}

func TestWhatIsNotRetried(t *testing.T) {
	t.Parallel()
	for _, status := range []int{302, 400, 401, 403, 404, 409, 422, 501} {
		for method, do := range byMethod {
			service := serve(answer(status, ""))
			err := do(t.Context(), newClient(t, service))
			if cloudserver.StatusCode(err) != status || len(service.journal()) != 1 {
				t.Errorf("%s %d: error %v after %d attempts", method, status, err, len(service.journal()))
			}
		}
	}
}

func TestRetriesEnd(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change   []func(*cloudserver.Config)
		attempts int
	}{
		"default": {nil, 5},
		"none":    {[]func(*cloudserver.Config){withRetries(0)}, 1},
		"two":     {[]func(*cloudserver.Config){withRetries(2)}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				service := serve(answer(503, "maintenance"))
				_, err := newClient(t, service, test.change...).VirtualMachine(t.Context(), 7)
				want := `GET /virtual_machines/7?view=overview answered 503 Service Unavailable: maintenance`
				if err == nil || err.Error() != want || len(service.journal()) != test.attempts {
					t.Errorf("error %v after %d attempts, want %d", err, len(service.journal()), test.attempts)
				}
			})
		})
	}
}

func TestBackoff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var at []time.Time
		service := serve(func(*http.Request) (*http.Response, error) {
			at = append(at, time.Now())
			return nil, errReset
		})
		if _, err := newClient(t, service, withRetries(8)).VirtualMachine(t.Context(), 7); err == nil {
			t.Fatal("no error")
		}
		least := []time.Duration{1, 2, 4, 8, 16, 20, 20, 20}
		jittered := false
		for i, step := range least {
			wait := at[i+1].Sub(at[i])
			jittered = jittered || wait != step*time.Second
			if wait < step*time.Second || wait > step*time.Second*3/2 {
				t.Errorf("wait %d was %s, want %s to half as much again", i, wait, step*time.Second)
			}
		}
		if !jittered {
			t.Error("callers that failed together return together")
		}
	})
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	date := func(after time.Duration) string { return time.Now().Add(after).UTC().Format(http.TimeFormat) }
	for name, test := range map[string]struct {
		value      func() string
		atLeast    time.Duration
		noMoreThan time.Duration
	}{
		"seconds":       {func() string { return "7" }, 7 * time.Second, 7500 * time.Millisecond},
		"none":          {func() string { return "0" }, 0, time.Second / 2},
		"capped":        {func() string { return "3600" }, time.Minute, time.Minute},
		"date":          {func() string { return date(9 * time.Second) }, 9 * time.Second, 9500 * time.Millisecond},
		"date gone by":  {func() string { return date(-time.Hour) }, 0, time.Second / 2},
		"date far away": {func() string { return date(time.Hour) }, time.Minute, time.Minute},
		"nonsense":      {func() string { return "soon" }, time.Second, 1500 * time.Millisecond},
		// A date is measured from the answer's own, where it has one.
		"an hour ahead":  {func() string { return date(time.Hour+4*time.Second) + "|" + date(time.Hour) }, 4 * time.Second, 5 * time.Second},
		"an hour behind": {func() string { return date(4*time.Second-time.Hour) + "|" + date(-time.Hour) }, 4 * time.Second, 5 * time.Second},
	} {
		for _, status := range []int{429, 503} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					began := time.Now()
					value, clock, _ := strings.Cut(test.value(), "|")
					service := serve(answer(status, "", "Retry-After", value, "Date", clock), healthy)
					if _, err := newClient(t, service).VirtualMachine(t.Context(), 7); err != nil {
						t.Fatal(err)
					}
					if took := time.Since(began); took < test.atLeast || took > test.noMoreThan {
						t.Errorf("waited %s, want %s to %s", took, test.atLeast, test.noMoreThan)
					}
				})
			})
		}
	}
}

func TestRetryAfterIsTold(t *testing.T) {
	t.Parallel()
	service := serve(answer(429, "", "Retry-After", "7"))
	_, err := newClient(t, service, withRetries(0)).VirtualMachine(t.Context(), 7)
	var limited *cloudserver.Error
	if !errors.As(err, &limited) || limited.RetryAfter != 7*time.Second {
		t.Errorf("got %#v, want seven seconds", err)
	}
}

func TestRequestTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		client := newClient(t, serve(hang), withRetries(0), func(c *cloudserver.Config) { c.RequestTimeout = 3 * time.Second })
		_, err := client.VirtualMachine(t.Context(), 7)
		want := "GET /virtual_machines/7?view=overview: cannot reach " + testEndpoint + ": no answer within 3s"
		if err == nil || err.Error() != want || time.Since(began) != 3*time.Second {
			t.Errorf("got %v after %s, want %s", err, time.Since(began), want)
		}
		if errors.Is(err, context.DeadlineExceeded) {
			t.Error("the time-out of an attempt looks like the caller's own")
		}
	})
}

func TestCancellationIsAtOnce(t *testing.T) {
	t.Parallel()
	for name, step := range map[string]step{"waiting to retry": answer(503, "", "Retry-After", "50"), "waiting for an answer": hang} {
		for method, do := range byMethod {
			if method == http.MethodPost && name == "waiting to retry" {
				continue // it does not wait
			}
			t.Run(name+" "+method, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithCancel(t.Context())
					began := time.Now()
					time.AfterFunc(5*time.Second, cancel)
					err := do(ctx, newClient(t, serve(step)))
					if !errors.Is(err, context.Canceled) || time.Since(began) != 5*time.Second {
						t.Errorf("got %v after %s, want the cancellation after 5s", err, time.Since(began))
					}
				})
			})
		}
	}
}

func TestCancelledBeforeTheCall(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for method, do := range byMethod {
		service := serve(healthy)
		err := do(ctx, newClient(t, service))
		var lost *cloudserver.TransportError
		if !errors.As(err, &lost) || lost.Sent || !errors.Is(err, context.Canceled) || len(service.journal()) != 0 {
			t.Errorf("%s: got %#v after %d attempts", method, err, len(service.journal()))
		}
	}
}

// An answer that came just before the interrupt is worth more than the
// interrupt: it shows what exists.
func TestAnswerBeatsCancellation(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	client := newClient(t, serve(func(request *http.Request) (*http.Response, error) {
		cancel()
		return healthy(request)
	}))
	if vm, err := client.VirtualMachine(ctx, 7); err != nil || vm.ID != 7 {
		t.Errorf("got %v, %v", vm, err)
	}
}

// TestRestoreIsSentOnce: it is a PUT, but a second restore loses what the guest
// wrote after the first.
func TestRestoreIsSentOnce(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		step      step
		attempts  int
		ambiguous bool
	}{
		"cut":             {cut, 1, true},
		"500":             {answer(500, ""), 1, true},
		"503":             {answer(503, ""), 1, true},
		"hang":            {hang, 1, true},
		"refused":         {answer(400, ""), 1, false},
		"never written":   {unwritten, 5, false},
		"429 all the way": {answer(429, ""), 5, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			service := serve(test.step)
			err := newClient(t, service).RestoreBackup(t.Context(), machine, 3, 9)
			if err == nil || cloudserver.IsAmbiguous(err) != test.ambiguous || len(service.journal()) != test.attempts {
				t.Errorf("%s: got %v after %d requests", name, err, len(service.journal()))
			}
		})
	}
}

// TestTimedOutNamesTheLastAnswer.
func TestTimedOutNamesTheLastAnswer(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		429: "timed out; the service last answered 429 Too Many Requests and asked to wait 50s",
		503: "timed out; the service last answered 503 Service Unavailable and asked to wait 50s",
		500: "timed out",
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := newClient(t, serve(answer(status, "", "Retry-After", "50"))).VirtualMachine(ctx, 7)
			if err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("got %v", err)
			}
		})
	}
}
