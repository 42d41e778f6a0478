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

// guarded is a service that takes one session at a time. A login takes a second, and
// each call longer than the one before it.
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

// everybody makes n calls at once, every other one a POST: 401 did nothing, so it is
// repeated too.
func everybody(t *testing.T, client *cloudserver.Client, n int, check func(error)) {
	t.Helper()
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { check(do(t.Context(), client, []string{"VirtualMachine", "Signal"}[i%2])) })
	}
	all.Wait()
}

// TestSessionIsSharedByAll: it is opened on first use, and once for all whenever it
// has expired, also for a call that learns of it late.
func TestSessionIsSharedByAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := &guarded{}
		client := newClient(t, service, withLogin)
		if service.opened != 0 {
			t.Fatal("a session was opened before it was needed")
		}
		for round := 1; round <= 4; round++ {
			everybody(t, client, 50, func(err error) {
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

// TestRenewalsThatNeverWork: what a run of many calls sends to a service that
// refuses each new session, or an auth endpoint that fails, are a few logins a
// minute. An error for another call does not name the path of the call that was refused.
func TestRenewalsThatNeverWork(t *testing.T) {
	t.Parallel()
	for name, login := range map[string]step{"refuses each session": nil, "auth is down": answer(503, "")} {
		synctest.Test(t, func(t *testing.T) {
			service := &guarded{login: login, deaf: true}
			client := newClient(t, service, withLogin)
			for range 4 { // batches
				everybody(t, client, 50, func(err error) {
					if err == nil {
						t.Error("no error")
					}
				})
			}
			if service.opened > 3 {
				t.Errorf("%s: %d logins", name, service.opened)
			}
			if err := client.DeleteGroup(t.Context(), "acme", "db"); cloudserver.IsUnauthorized(err) != (login == nil) || strings.Contains(err.Error(), "virtual_machines") {
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

// TestSessionThatWasAccepted: one refusal of it is not returned to all callers.
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
			if n == 2 || n == 3 || n == 5 { // two at once with the first session, and one of them with the second
				return answer(401, "")(request)
			}
			return healthy(request)
		}), withLogin)
		for round, failures := range []int{0, 1, 0} {
			failed := 0
			everybody(t, client, round%2+1, func(err error) {
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
			synctest.Wait() // the impatient one leads the login
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

// TestTokenFileIsReadAgain after its token was refused. One that is still the same is
// not sent again, and not read again by every call.
func TestTokenFileIsReadAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "token")
		write := func(token string) {
			if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		service := &guarded{}
		byFile := func(c *cloudserver.Config) { c.Token, c.TokenFile = "", file }
		client := newClient(t, service, byFile)
		for _, token := range []string{"one", "two"} {
			service.valid = token
			write(token)
			if _, err := client.VirtualMachine(t.Context(), 7); err != nil {
				t.Errorf("%s: %v", token, err)
			}
		}
		for _, now := range []string{"", "two"} { // it is being written: empty, or the old token still
			service.valid = now + "new"
			write(now)
			time.AfterFunc(4*time.Second, func() { write(service.valid) })
			if _, err := client.VirtualMachine(t.Context(), 7); err != nil {
				t.Errorf("a file with %q that is written: %v", now, err)
			}
			write("two")
			service.valid = "two"
			_, _ = client.VirtualMachine(t.Context(), 7)
		}
		service.valid, service.calls = "three", 0
		for call := range 3 {
			_, err := client.VirtualMachine(t.Context(), 7)
			if !cloudserver.IsUnauthorized(err) || !strings.Contains(err.Error(), "does not accept the token in "+file) || !strings.Contains(err.Error(), "-login -token-file "+file) || strings.Contains(err.Error(), "GET") != (call == 0) {
				t.Errorf("the same token: %v", err)
			}
		}
		if service.calls != 1 {
			t.Errorf("%d calls", service.calls)
		}
		time.Sleep(time.Minute) // it is refused for so long
		for _, token := range []string{"three", "four"} {
			write(token)
			_, _ = client.VirtualMachine(t.Context(), 7)
		}
		service.valid = "five"
		for call, want := range []string{"401 Unauthorized", "does not accept the token in " + file} { // four, and what is said of it then
			if _, err := client.VirtualMachine(t.Context(), 7); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("call %d with a new token that is refused: %v", call, err)
			}
		}
		write("apikey.marker")
		if _, err := newClient(t, service, byFile).VirtualMachine(t.Context(), 7); err == nil || !strings.Contains(err.Error(), "the API key in "+file+": it may be past its expiry date") || strings.Contains(err.Error(), "-login") || strings.Contains(err.Error(), "marker") {
			t.Errorf("a key: %v", err)
		}
	})
}

// TestTokenFileThatIsWrittenMeanwhile: for five seconds, a file that is absent, empty or
// unreadable, or whose token is refused, is read again. No token is sent twice by one call.
func TestTokenFileThatIsWrittenMeanwhile(t *testing.T) {
	t.Parallel()
	for name, steps := range map[string][]string{ // what the file has at first, and after each 1.4 s
		"absent":                  {absent, "zqtoken-valid"},
		"empty":                   {"", "zqtoken-valid"},
		"a folder":                {folder, "zqtoken-valid"},
		"no token":                {"zqtoken half\n", "zqtoken-valid"},
		"in two parts":            {"zqtoken-val", "zqtoken-valid"},
		"in three parts":          {"zqtok", "zqtoken-val", "zqtoken-valid"},
		"gone, and in two parts":  {absent, "zqtoken-val", "zqtoken-valid"},
		"the refused one at last": {"zqtoken-first", "zqtoken-first", "zqtoken-first", "zqtoken-valid"},
	} {
		for _, first := range []bool{true, false} { // at the first call of a client, or after its token has ended
			t.Run(fmt.Sprintf("%s, first %t", name, first), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					file := filepath.Join(t.TempDir(), "token")
					sent := map[string]int{}
					var mu sync.Mutex
					valid := "zqtoken-first"
					client := newClient(t, serve(func(request *http.Request) (*http.Response, error) {
						mu.Lock()
						defer mu.Unlock()
						token := strings.TrimPrefix(request.Header.Get("Authorization"), "Bearer ")
						sent[token]++
						if token != valid {
							return answer(401, "")(request)
						}
						return done(request)
					}), func(c *cloudserver.Config) { c.Token, c.TokenFile = "", file })
					if !first {
						putToken(t, file, "zqtoken-first")
						everybody(t, client, 1, func(err error) {
							if err != nil {
								t.Error(err)
							}
						})
					}
					valid = "zqtoken-valid"
					clear(sent)
					began := time.Now()
					for i, content := range steps {
						if i == 0 {
							putToken(t, file, content)
							continue
						}
						time.AfterFunc(time.Duration(i)*1400*time.Millisecond, func() { putToken(t, file, content) })
					}
					everybody(t, client, 10, func(err error) {
						if err != nil {
							t.Error(err)
						}
					})
					if took := time.Since(began); took > 5*time.Second {
						t.Errorf("took %s", took)
					}
					for token, n := range sent {
						if n > 10 {
							t.Errorf("10 calls sent %q %d times", token, n)
						}
					}
				})
			})
		}
	}
}

const absent, folder = "(absent)", "(folder)"

// putToken makes a file contain a text, or makes it absent or a folder.
func putToken(t *testing.T, file, content string) {
	t.Helper()
	err := os.RemoveAll(file)
	switch {
	case err != nil:
	case content == folder:
		err = os.Mkdir(file, 0o700)
	case content != absent:
		err = os.WriteFile(file, []byte(content), 0o600)
	}
	if err != nil {
		t.Error(err)
	}
}

// TestTokenFileThatStaysUseless: after five seconds the calls fail, and for a minute those
// that follow do so at once.
func TestTokenFileThatStaysUseless(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		absent: "cannot read token_file: open ", "": "is empty", folder: "is not a regular file", "zqtoken two": "does not contain a token",
		"zqtoken-refused": "does not accept the token in ",
	} {
		t.Run(content, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "token")
				putToken(t, file, content)
				service := serve(answer(401, ""))
				client := newClient(t, service, func(c *cloudserver.Config) { c.Token, c.TokenFile = "", file })
				for _, least := range []time.Duration{5 * time.Second, 0} {
					began := time.Now()
					everybody(t, client, 10, func(err error) {
						if !cloudserver.IsUnauthorized(err) || !strings.Contains(err.Error(), want) {
							t.Errorf("got %v, want %q", err, want)
						}
					})
					if took := time.Since(began); took < least || took > least+time.Second {
						t.Errorf("took %s", took)
					}
				}
				if sent := len(service.journal()); content != "zqtoken-refused" && sent != 0 || sent > 10 {
					t.Errorf("%d requests", sent)
				}
			})
		})
	}
}

func TestRefusedTokens(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]string{
		"apikey.marker": "API key: it may be past its expiry date (expires_at), revoked or mistyped",
		"marker":        "does not accept the configured token: it may have expired",
		"":              "no credentials are configured",
	} {
		service := serve(answer(401, "unknown session "+token))
		client := newClient(t, service, func(c *cloudserver.Config) { c.Token = token })
		_, err := client.VirtualMachine(t.Context(), 7)
		if err == nil || !strings.Contains(err.Error(), want) || !cloudserver.IsUnauthorized(err) || len(service.journal()) != 1 || strings.Contains(err.Error(), "marker") {
			t.Errorf("%q: got %v after %d calls, want %q", token, err, len(service.journal()), want)
		}
	}
}
