// SPDX-License-Identifier: MPL-2.0

package cloudserver_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

var machine = cloudserver.Ref{Account: "acme", Group: "default", ID: 7}

var healthy = answer(200, `{"id":7,"name":"web1"}`)

// untraced simulates a transport that does not report how far it got.
func untraced(*http.Request) (*http.Response, error) { return nil, errReset }

// refused simulates a refused connection.
func refused(request *http.Request) (*http.Response, error) {
	_, _ = unwritten(request)
	return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
}

// TestWhatIsRepeated: every call is repeated if nothing was done: it was not sent, or another operation works on the
// object, or there are too many requests. Calls that may be made twice are also repeated if something may have been
// done, after a 500 only once. Nothing is repeated after any other answer.
func TestWhatIsRepeated(t *testing.T) {
	t.Parallel()
	const never, unlessHarmful, always = 0, 1, 2
	type failure struct {
		step     step
		repeated int
	}
	failures := map[string]failure{
		"never written": {unwritten, always}, "cut": {cut, unlessHarmful}, "no answer": {hang, unlessHarmful}, "untraced": {untraced, unlessHarmful},
	}
	for _, status := range []int{409, 423, 429} {
		failures[strconv.Itoa(status)] = failure{answer(status, ""), always}
	}
	for _, status := range []int{500, 502, 503, 504} {
		failures[strconv.Itoa(status)] = failure{answer(status, "<html>"), unlessHarmful}
	}
	for _, status := range []int{302, 400, 403, 404, 422, 501} {
		failures[strconv.Itoa(status)] = failure{answer(status, ""), never}
	}
	for name, failure := range failures {
		for kind, call := range calls() {
			if strings.HasPrefix(kind, "Create") && kind != "CreateBackupSchedule" || strings.Contains(kind, "Session") || kind == "Definitions" {
				continue // they have their own tests
			}
			t.Run(name+" "+kind, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					service := serve(failure.step, failure.step, done)
					err := call.do(t.Context(), newClient(t, service))
					attempts := 3
					switch {
					case failure.repeated == never, failure.repeated == unlessHarmful && slices.Contains(harmfulTwice, kind):
						attempts = 1
					case name == "500":
						attempts = 2
					}
					if (err == nil) != (attempts == 3) || len(service.journal()) != attempts {
						t.Errorf("%v after %d attempts, want %d", err, len(service.journal()), attempts)
					}
					if status, statusErr := strconv.Atoi(name); err != nil && statusErr == nil && cloudserver.StatusCode(err) != status {
						t.Errorf("got %v", err)
					}
					if ambiguous := failure.repeated == unlessHarmful || name == "501"; err != nil && cloudserver.IsAmbiguous(err) != ambiguous {
						t.Errorf("ambiguous is %t: %v", !ambiguous, err)
					}
				})
			})
		}
	}
}

// harmfulTwice are the calls that do harm when made twice: a second object, a second signal to the guest, or a write to
// another object at the same path.
var harmfulTwice = []string{
	"AddDisc", "CreateBackupSchedule", "ReimageVirtualMachine",
	"RestoreBackup", "Signal", "TakeBackup", "UpdateDisc moves", "UpdateVirtualMachine moves",
}

func isDeadline(err error) bool { return errors.Is(err, context.DeadlineExceeded) }

// TestRepetitionsEnd checks what ends the repetitions, when and after how many attempts, and the error.
func TestRepetitionsEnd(t *testing.T) {
	t.Parallel()
	const second, path = time.Second, "/virtual_machines/7?include_deleted=true&view=overview"
	busy := func(status int) []step { return []step{answer(status, "", "Retry-After", "50")} }
	for name, test := range map[string]struct {
		call     string // "": VirtualMachine
		steps    []step
		change   func(*cloudserver.Config) // nil: the defaults
		timeout  time.Duration             // 0: none
		attempts int
		fails    string // end of the error; "": success
		check    func(error) bool
	}{
		"by default":         {steps: []step{answer(503, "maintenance")}, attempts: 5, fails: "GET " + path + " answered 503 Service Unavailable: maintenance"},
		"429, seven seconds": {steps: []step{answer(429, "", "Retry-After", "7")}, change: withRetries(0), attempts: 1, fails: "429 Too Many Requests and asked to wait 7s"},
		"timed out at 429":   {steps: busy(429), timeout: second, attempts: 1, fails: ": timed out; the service last answered 429 Too Many Requests and asked to wait 50s"},
		"timed out at 503":   {steps: busy(503), timeout: second, attempts: 1, fails: ": timed out; the service last answered 503 Service Unavailable and asked to wait 50s"},
		"500, 503 and 500":   {call: "UpdateDisc", steps: []step{answer(500, ""), answer(503, ""), answer(500, ""), healthy}, attempts: 3, fails: "500 Internal Server Error"},
		"500, 503 and done":  {call: "UpdateDisc", steps: []step{answer(500, ""), answer(503, ""), healthy}, attempts: 3},
		"timed out at 500":   {steps: []step{answer(500, "oops", "Retry-After", "50")}, timeout: second, attempts: 1, fails: ": timed out; the service last answered 500 Internal Server Error and asked to wait 50s: oops", check: isDeadline},
		"timed out, cut":     {steps: []step{cut}, timeout: second, attempts: 1, fails: ": timed out; the last attempt: no answer from " + testEndpoint + ": connection reset by peer", check: isDeadline},
		"timed out, locked":  {call: "AddDisc", steps: []step{answer(423, "being moved")}, timeout: second, attempts: 1, fails: ": timed out; the service last answered 423 Locked: being moved", check: func(err error) bool { return isDeadline(err) && !cloudserver.IsAmbiguous(err) }},
		"time of an attempt": {steps: []step{hang}, change: withRetries(0), attempts: 1, fails: "GET " + path + ": no answer from " + testEndpoint + ": nothing within 30s (request_timeout)", check: func(err error) bool { return !errors.Is(err, context.DeadlineExceeded) }},

		// An attempt that was never sent does not make certain what an earlier, lost attempt did.
		"cut, then never written": {call: "UpdateVirtualMachine", steps: []step{cut, unwritten}, change: withRetries(1), attempts: 2, fails: "connection refused", check: cloudserver.IsAmbiguous},
		"never written":           {call: "UpdateVirtualMachine", steps: []step{unwritten}, change: withRetries(1), attempts: 2, fails: "connection refused", check: func(err error) bool { return !cloudserver.IsAmbiguous(err) }},

		// At first, a refused connection means a wrong address. Once the service has answered, it means an outage that
		// may pass.
		"nobody listens":               {steps: []step{refused}, attempts: 1, fails: "connection refused"},
		"an outage":                    {steps: []step{answer(503, ""), refused, refused, healthy}, attempts: 4},
		"an outage that does not pass": {steps: []step{answer(503, ""), refused}, attempts: 5, fails: "connection refused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				service, change, ctx, cancel := serve(test.steps...), test.change, t.Context(), func() {}
				if test.timeout > 0 {
					ctx, cancel = context.WithTimeout(ctx, test.timeout)
				}
				defer cancel()
				if change == nil {
					change = func(*cloudserver.Config) {}
				}
				err := do(ctx, newClient(t, service, change), cmp.Or(test.call, "VirtualMachine"))
				if (err == nil) != (test.fails == "") || err != nil && !strings.HasSuffix(err.Error(), test.fails) || len(service.journal()) != test.attempts {
					t.Errorf("%v after %d attempts, want %d and %q", err, len(service.journal()), test.attempts, test.fails)
				}
				if test.check != nil && !test.check(err) {
					t.Errorf("got %#v", err)
				}
			})
		})
	}
}

// TestGate: after a 429 no call is sent for as long as the service asks.
func TestGate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := serve(answer(429, "", "Retry-After", "20"), healthy)
		client, began := newClient(t, service), time.Now()
		var all sync.WaitGroup
		for i := range 10 {
			all.Go(func() {
				time.Sleep(time.Duration(i) * time.Second)
				if err := do(t.Context(), client, "VirtualMachine"); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for _, request := range service.journal()[1:] {
			if after := request.at.Sub(began); after < 20*time.Second || after > 31*time.Second {
				t.Errorf("a request after %s", after)
			}
		}
	})
}

// TestGateAtTheDeadline: the error of a call that is held names the refusal, also if it was another call's.
func TestGateAtTheDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := newClient(t, serve(answer(429, "slow down", "Retry-After", "50")))
		for range 2 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			err := do(ctx, client, "VirtualMachine")
			cancel()
			if !isDeadline(err) || !strings.HasSuffix(err.Error(), ": timed out; the service last answered 429 Too Many Requests and asked to wait 50s: slow down") {
				t.Errorf("got %v", err)
			}
		}
	})
}

// TestThrottledForever: a call that is always answered with 429 ends after two minutes. Many calls end together, whatever
// the service asks for, and at once if it asks for more.
func TestThrottledForever(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		err := do(t.Context(), newClient(t, serve(answer(429, "", "Retry-After", "11"))), "RestoreBackup")
		if took := time.Since(began); cloudserver.StatusCode(err) != 429 || cloudserver.IsAmbiguous(err) || took < 2*time.Minute || took > 150*time.Second {
			t.Errorf("%v after %s", err, took)
		}
	})
	for _, calls := range []int{1, 40, 1000} {
		for asked, most := range map[string]time.Duration{"": 150 * time.Second, "60": 4 * time.Minute, "1800": 0} {
			synctest.Test(t, func(t *testing.T) {
				client, began := newClient(t, serve(answer(429, "", "Retry-After", asked))), time.Now()
				turns := make(chan struct{}, 10)
				var all sync.WaitGroup
				for range calls {
					turns <- struct{}{}
					all.Go(func() {
						defer func() { <-turns }()
						err := do(t.Context(), client, "VirtualMachine")
						if cloudserver.StatusCode(err) != 429 || asked == "1800" && !strings.Contains(err.Error(), "asked to wait 30m0s") {
							t.Errorf("got %v", err)
						}
					})
				}
				all.Wait()
				if took := time.Since(began); took > most {
					t.Errorf("%d calls, asked to wait %q: took %s", calls, asked, took)
				}
			})
		}
	}
}

// TestHeldBack: a call that is not sent, because another one was refused for long, says so: the refusal is not its own.
func TestHeldBack(t *testing.T) {
	t.Parallel()
	client := newClient(t, serve(answer(429, "", "Retry-After", "1800")))
	_ = do(t.Context(), client, "VirtualMachine")
	_, err := client.Definitions(t.Context())
	if cloudserver.StatusCode(err) != 429 || !strings.HasPrefix(err.Error(), "held back with all requests, because GET /virtual_machines/7") {
		t.Errorf("got %v", err)
	}
}

// TestHeldBackIsReported: the log of a call that is held back has the refusal that holds it.
func TestHeldBackIsReported(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := newClient(t, serve(answer(429, "", "Retry-After", "50"), healthy))
		go func() { _ = do(t.Context(), client, "VirtualMachine") }()
		synctest.Wait()
		var log bytes.Buffer
		if err := do(tflogtest.RootLogger(t.Context(), &log), client, "VirtualMachine"); err != nil {
			t.Error(err)
		}
		if !strings.Contains(log.String(), "after 0 attempts; last answer: GET /virtual_machines/7") {
			t.Errorf("logged %s", log.String())
		}
	})
}

// TestHeldBackAndThenUnanswered: the refusal of another call is not the last answer of one that was sent after it.
func TestHeldBackAndThenUnanswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := newClient(t, serve(answer(429, "", "Retry-After", "40"), hang))
		first, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_ = do(first, client, "VirtualMachine")
		ctx, cancel := context.WithTimeout(t.Context(), 65*time.Second)
		defer cancel()
		if err := do(ctx, client, "VirtualMachine"); !isDeadline(err) || cloudserver.StatusCode(err) != 0 {
			t.Errorf("got %v", err)
		}
	})
}

// TestThrottledAgain: after a time without calls, a single 429 does not end a call for those of long ago.
func TestThrottledAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		throttled := answer(429, "", "Retry-After", "50")
		client := newClient(t, serve(throttled, throttled, healthy))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := do(ctx, client, "VirtualMachine"); cloudserver.StatusCode(err) != 429 {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Minute)
		if err := do(t.Context(), client, "VirtualMachine"); err != nil {
			t.Error(err)
		}
	})
}

// TestRetriesAreReported: a call that is repeated writes a line every 30 seconds.
func TestRetriesAreReported(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		ctx := tflogtest.RootLogger(t.Context(), &log)
		err := do(ctx, newClient(t, serve(answer(503, "maintenance", "Retry-After", "20")), withRetries(5)), "VirtualMachine")
		entries, decodeErr := tflogtest.MultilineJSONDecode(&log)
		if err == nil || decodeErr != nil {
			t.Fatal(err, decodeErr)
		}
		var lines []string
		for _, entry := range entries {
			if text := fmt.Sprint(entry["@message"]); entry["@level"] == "info" {
				lines = append(lines, text)
			}
		}
		if len(lines) < 2 || len(lines) > 4 || !strings.Contains(lines[0], "repeating GET /virtual_machines/7") || !strings.Contains(lines[0], "503 Service Unavailable") {
			t.Errorf("logged %q", lines)
		}
	})
}

func TestBackoff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := serve(untraced)
		if _, err := newClient(t, service, withRetries(8)).VirtualMachine(t.Context(), 7); err == nil {
			t.Fatal("no error")
		}
		least := []time.Duration{1, 2, 4, 8, 16, 20, 20, 20}
		jittered := false
		for i, step := range least {
			wait := service.journal()[i+1].at.Sub(service.journal()[i].at)
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

// TestRetryAfter: how long a call waits if the service asks for it, in seconds or until a date. It is midnight.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for value, test := range map[string]struct{ atLeast, noMoreThan time.Duration }{
		"7":                             {7 * time.Second, 7500 * time.Millisecond},
		"0":                             {0, time.Second / 2},
		"3600":                          {time.Minute, time.Minute},
		"soon":                          {time.Second, 1500 * time.Millisecond},
		"Sat, 01 Jan 2000 00:00:09 GMT": {9 * time.Second, 9500 * time.Millisecond},
		"Fri, 31 Dec 1999 23:00:00 GMT": {0, time.Second / 2},
		"Sat, 01 Jan 2000 01:00:00 GMT": {time.Minute, time.Minute},
	} {
		for _, status := range []int{429, 503} {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				service := serve(answer(status, "", "Retry-After", value), healthy)
				_, err := newClient(t, service).VirtualMachine(t.Context(), 7)
				if isTooLong := test.noMoreThan == time.Minute; status == 429 && isTooLong {
					if cloudserver.StatusCode(err) != 429 || time.Since(began) != 0 {
						t.Errorf("429, %s: %v after %s", value, err, time.Since(began))
					}
					return
				}
				if took := time.Since(began); err != nil || took < test.atLeast || took > test.noMoreThan {
					t.Errorf("%d, %s: %v after %s, want %s to %s", status, value, err, took, test.atLeast, test.noMoreThan)
				}
			})
		}
	}
}

// TestCancellation: a call ends at once, and one that has not begun sends nothing.
func TestCancellation(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		step     step
		after    time.Duration
		attempts int
	}{
		"waiting to retry":      {step: answer(429, "", "Retry-After", "50"), after: 5 * time.Second, attempts: 1},
		"waiting for an answer": {step: hang, after: 5 * time.Second, attempts: 1},
		"before the call":       {step: healthy},
	} {
		for _, kind := range []string{"VirtualMachine", "Signal"} {
			t.Run(name+" "+kind, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithCancel(t.Context())
					began := time.Now()
					if time.AfterFunc(test.after, cancel); test.after == 0 {
						cancel()
					}
					service := serve(test.step)
					err := do(ctx, newClient(t, service), kind)
					lost, ok := errors.AsType[*cloudserver.TransportError](err)
					if !ok || lost.Sent != (name == "waiting for an answer") || !errors.Is(err, context.Canceled) || time.Since(began) != test.after || len(service.journal()) != test.attempts {
						t.Errorf("got %#v after %s and %d attempts", err, time.Since(began), len(service.journal()))
					}
				})
			})
		}
	}
}
