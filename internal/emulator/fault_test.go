// SPDX-License-Identifier: MPL-2.0

package emulator_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// isPut matches PUT requests.
func isPut(r emulator.Request) bool { return r.Method == http.MethodPut }

const newMachine = `{{discs},"virtual_machine":{"name":"new1"}}`

// TestFaults checks each fault on a vm_create, over a real connection and in memory: what the client sees, and whether
// the machine exists.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault   emulator.Fault
		status  int // 0: no answer
		body    string
		broken  bool // the body ends early
		created bool
	}{
		"status":             {fault: emulator.Fault{Status: 503, Header: http.Header{"Retry-After": {"7"}}, Body: "busy"}, status: 503, body: "busy"},
		"status, after":      {fault: emulator.Fault{Status: 502, Body: "<html>", AfterEffect: true}, status: 502, body: "<html>", created: true},
		"cut":                {fault: emulator.Fault{Cut: true}},
		"cut, after":         {fault: emulator.Fault{Cut: true, AfterEffect: true}, created: true},
		"truncated":          {fault: emulator.Fault{Truncate: 9}, status: 202, body: `{"discs":`, broken: true, created: true},
		"rewritten":          {fault: emulator.Fault{Rewrite: rewrite}, status: 299, body: "[]", created: true},
		"delay alone":        {fault: emulator.Fault{Delay: time.Nanosecond}, status: 202, body: `{"discs"`, created: true},
		"none that matches":  {fault: emulator.Fault{Status: 500, Match: isPut}, status: 202, body: `{"discs"`, created: true},
		"skipped":            {fault: emulator.Fault{Status: 500, Skip: 1}, status: 202, body: `{"discs"`, created: true},
		"more than the body": {fault: emulator.Fault{Truncate: 1 << 20}, status: 202, body: `{"discs"`, created: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inMemory := newFixture(t)
			overNetwork := newFixture(t)
			server := httptest.NewServer(overNetwork)
			t.Cleanup(server.Close)
			overNetwork.client = &http.Client{Transport: redirect{server.Listener.Addr().String()}}
			for _, f := range []*fixture{inMemory, overNetwork} {
				f.Inject(c.fault)
				before := len(f.Machines())
				answer, err := f.client.Do(f.request(t, create, newMachine))
				if (err != nil) != (c.status == 0) {
					t.Fatalf("error %v, want status %d", err, c.status)
				}
				if err == nil {
					checkAnswer(t, answer, c.status, c.body, c.broken)
				}
				if got := len(f.Machines()) > before; got != c.created {
					t.Errorf("created: %v, want %v", got, c.created)
				}
			}
		})
	}
}

func rewrite(status int, header http.Header, body []byte) (int, http.Header, []byte) {
	if status != 202 || header.Get("Content-Type") == "" || len(body) == 0 {
		return 599, nil, nil
	}
	return 299, header, []byte("[]")
}

func checkAnswer(t *testing.T, answer *http.Response, status int, prefix string, broken bool) {
	t.Helper()
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if answer.StatusCode != status || !strings.HasPrefix(string(body), prefix) {
		t.Errorf("got %d %s", answer.StatusCode, body)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) != broken {
		t.Errorf("reading the body: %v", err)
	}
	if status == 503 && answer.Header.Get("Retry-After") != "7" {
		t.Errorf("header %v", answer.Header)
	}
}

// redirect sends every request to one address.
type redirect struct{ host string }

func (to redirect) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Host = to.host
	return http.DefaultTransport.RoundTrip(r)
}

// TestFaultsInTurn checks Skip, Times, order and removal.
func TestFaultsInTurn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Inject(emulator.Fault{Status: 501, Skip: 1, Times: 2})
	remove := f.Inject(emulator.Fault{Status: 502})
	var got []int
	for range 5 {
		answer, _ := f.send(t, f.request(t, "GET /accounts", ""))
		got = append(got, answer.StatusCode)
	}
	remove()
	answer, _ := f.send(t, f.request(t, "GET /accounts", ""))
	got = append(got, answer.StatusCode)
	if want := []int{502, 501, 501, 502, 502, 200}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestDelays checks that latency and delays follow the clock, before or after the effect, and end with the request's
// context.
func TestDelays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault   emulator.Fault
		patient time.Duration
		takes   time.Duration
		err     bool
		created bool
	}{
		"latency":                        {fault: emulator.Fault{}, patient: time.Hour, takes: time.Second, created: true},
		"delay":                          {fault: emulator.Fault{Delay: time.Minute}, patient: time.Hour, takes: time.Minute + time.Second, created: true},
		"given up in the latency":        {fault: emulator.Fault{}, patient: time.Second / 2, takes: time.Second / 2, err: true},
		"given up before the effect":     {fault: emulator.Fault{Delay: time.Minute}, patient: 5 * time.Second, takes: 5 * time.Second, err: true},
		"given up after the effect":      {fault: emulator.Fault{Delay: time.Minute, AfterEffect: true}, patient: 5 * time.Second, takes: 5 * time.Second, err: true, created: true},
		"delayed, answered by the fault": {fault: emulator.Fault{Delay: time.Minute, Status: 504}, patient: time.Hour, takes: time.Minute + time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFixtureWith(t, emulator.Options{Latency: time.Second})
				f.Inject(c.fault)
				before, start := len(f.Machines()), time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), c.patient)
				defer cancel()
				answer, err := f.client.Do(f.request(t, create, newMachine).WithContext(ctx))
				if err == nil {
					_ = answer.Body.Close()
				}
				if c.err != errors.Is(err, context.DeadlineExceeded) || c.err != (err != nil) {
					t.Errorf("error %v", err)
				}
				if took := time.Since(start); took != c.takes {
					t.Errorf("took %s, want %s", took, c.takes)
				}
				if got := len(f.Machines()) > before; got != c.created {
					t.Errorf("created: %v, want %v", got, c.created)
				}
			})
		})
	}
}
