// SPDX-License-Identifier: MPL-2.0

package cloudserver_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

func withLogin(config *cloudserver.Config) {
	config.Token, config.Username, config.Password = "", "demo", "marker-password"
	config.AuthEndpoint = "https://auth.invalid/v1"
}

// guarded is a service that accepts one session at a time. A login takes a second, and each call takes longer than the
// one before it.
type guarded struct {
	mu            sync.Mutex
	opened, calls int
	valid         string
	login         step // instead of opening a session
	deaf          bool // it refuses all sessions
}

// RoundTrip implements http.RoundTripper.
func (g *guarded) RoundTrip(request *http.Request) (*http.Response, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	wait := time.Second
	if request.URL.Host != "auth.invalid" {
		g.calls++
		wait = time.Duration(g.calls%50) * 100 * time.Millisecond
	}
	g.mu.Unlock()
	err := cloudserver.Pause(request.Context(), wait)
	g.mu.Lock()
	switch {
	case err != nil:
		return nil, err
	case request.URL.Host != "auth.invalid" && (g.deaf || g.valid == "" || request.Header.Get("Authorization") != "Bearer "+g.valid):
		return answer(401, "")(request)
	case request.URL.Host != "auth.invalid":
		return healthy(request)
	}
	g.opened++
	if g.login != nil {
		return g.login(request)
	}
	g.valid = fmt.Sprintf("session-%d", g.opened)
	return answer(200, g.valid+"\n", "Content-Type", "text/plain")(request)
}

// callConcurrently makes n calls at once, every other one a POST. After a 401 a POST is repeated as well, because
// nothing was done.
func callConcurrently(t *testing.T, client *cloudserver.Client, n int, check func(error)) {
	t.Helper()
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { check(do(t.Context(), client, []string{"VirtualMachine", "Signal"}[i%2])) })
	}
	all.Wait()
}

// TestSessionIsSharedByAll: the session is opened on first use. Each time it expires, it is renewed once for all calls,
// even those that learn of it late.
func TestSessionIsSharedByAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := &guarded{}
		client := newClient(t, service, withLogin)
		if service.opened != 0 {
			t.Fatal("a session was opened before it was needed")
		}
		for round := 1; round <= 4; round++ {
			callConcurrently(t, client, 50, func(err error) {
				if err != nil {
					t.Error(err)
				}
			})
			if service.opened != round {
				t.Errorf("%d sessions opened after round %d", service.opened, round)
			}
			service.valid = ""
		}
	})
}

// TestRenewalsThatNeverWork: if the service refuses each new session, or the auth endpoint fails, a run with many calls
// sends only a few logins per minute.
func TestRenewalsThatNeverWork(t *testing.T) {
	t.Parallel()
	for name, login := range map[string]step{"refuses each session": nil, "auth is down": answer(503, "")} {
		synctest.Test(t, func(t *testing.T) {
			service := &guarded{login: login, deaf: true}
			client := newClient(t, service, withLogin)
			for range 4 { // batches
				callConcurrently(t, client, 50, func(err error) {
					if err == nil {
						t.Error("no error")
					}
				})
			}
			if service.opened > 5 { // a 503 is repeated
				t.Errorf("%s: %d logins", name, service.opened)
			}
			opened, calls := service.opened, service.calls
			if err := client.DeleteGroup(t.Context(), "acme", "db"); cloudserver.IsUnauthorized(err) != (login == nil) || service.opened != opened || service.calls != calls {
				t.Errorf("%s: another call: %v", name, err)
			}
			time.Sleep(2 * time.Minute)
			service.login, service.deaf = nil, false
			if _, err := client.VirtualMachine(t.Context(), 7); err != nil {
				t.Errorf("%s: later: %v", name, err)
			}
		})
	}
}

// TestSessionThatWasAccepted: after it was accepted once, a refusal is not returned to all callers.
func TestSessionThatWasAccepted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		service := &guarded{}
		client := newClient(t, serve(func(request *http.Request) (*http.Response, error) {
			if request.URL.Host == "auth.invalid" {
				return service.RoundTrip(request)
			}
			n := calls.Add(1)
			time.Sleep([]time.Duration{0, 0, time.Second, time.Minute, 0, 0, 0}[n])
			if n == 2 || n == 3 || n == 5 { // two concurrent calls with the first session, and one with the second
				return answer(401, "")(request)
			}
			return healthy(request)
		}), withLogin)
		for round, failures := range []int{0, 1, 0} {
			failed := 0
			callConcurrently(t, client, round%2+1, func(err error) {
				if err != nil {
					failed++
				}
			})
			if failed != failures {
				t.Errorf("round %d: %d calls failed", round, failed)
			}
		}
	})
}

func TestOneCallersInterruptDoesNotFailTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := newClient(t, &guarded{}, withLogin)
		impatient, cancel := context.WithCancel(t.Context())
		results := make(chan error, 2)
		for _, ctx := range []context.Context{impatient, t.Context()} {
			go func() { results <- do(ctx, client, "VirtualMachine") }()
			synctest.Wait() // its call leads the login
		}
		cancel()
		if err := <-results; !errors.Is(err, context.Canceled) {
			t.Errorf("the impatient one got %v", err)
		}
		if err := <-results; err != nil {
			t.Errorf("the patient one got %v", err)
		}
	})
}

// TestTokenFile: it is read on first use, and again after each 401. A token that was just refused is not sent again.
func TestTokenFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "token")
	write := func(token string) {
		if err := os.WriteFile(file, []byte(token), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	valid := ""
	service := serve(func(request *http.Request) (*http.Response, error) {
		if request.Header.Get("Authorization") != "Bearer "+valid {
			return answer(401, "")(request)
		}
		return done(request)
	})
	client := newClient(t, service, func(c *cloudserver.Config) { c.Token, c.TokenFile = "", file })
	for _, test := range []struct {
		name, content, valid, says string // says: part of the error; "": success
		calls                      int
	}{
		{"absent", "", "", "cannot read token_file: open ", 0},
		{"empty", " ", "", "does not contain a token", 0},
		{"no token", "zqtoken two", "", "does not contain a token", 0},
		{"first use", "zqtoken-1\n", "zqtoken-1", "", 1},
		{"not read again", "zqtoken-2", "zqtoken-1", "", 1},
		{"replaced", "zqtoken-2", "zqtoken-2", "", 2},
		{"expired", "zqtoken-2", "zqtoken-3", "does not accept the token (token_file " + file + "): it may have expired", 1},
		{"expired still", "zqtoken-2", "zqtoken-3", "does not accept the token", 1},
		{"replaced at last", "zqtoken-3", "zqtoken-3", "", 2},
		{"replaced by a refused one", "apikey.zq", "zqtoken-5", "does not accept the token", 2},
	} {
		if test.content != "" {
			write(test.content)
		}
		valid = test.valid
		before := len(service.journal())
		err := do(t.Context(), client, "Signal")
		if calls := len(service.journal()) - before; calls != test.calls {
			t.Errorf("%s: %d calls, want %d", test.name, calls, test.calls)
		}
		if (err == nil) != (test.says == "") || err != nil && (!strings.Contains(err.Error(), test.says) || !cloudserver.IsUnauthorized(err) || strings.Contains(err.Error(), "zq")) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.says)
		}
	}
}

func TestRefusedTokens(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]string{
		"zqmarker-token": "the service at service.invalid does not accept the token (variable X): it may have expired",
		"":               "no credentials are configured",
	} {
		service := serve(answer(401, "unknown session "+token))
		client := newClient(t, service, func(c *cloudserver.Config) { c.Token, c.TokenFrom = token, "variable X" })
		_, err := client.VirtualMachine(t.Context(), 7)
		if err == nil || !strings.Contains(err.Error(), want) || !cloudserver.IsUnauthorized(err) || len(service.journal()) != 1 || strings.Contains(err.Error(), "zqmarker") {
			t.Errorf("%q: got %v after %d calls, want %q", token, err, len(service.journal()), want)
		}
	}
}
