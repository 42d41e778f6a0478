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
// sends only a few logins per minute. The error of another call does not contain the path of the call that was refused.
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

// TestTokenFileIsReadAgain: it is read again after its token was refused. If the token is the same, it is not sent
// again, and not every call reads the file again.
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
		for _, now := range []string{"", "two"} { // while it is written: empty, or still with the old token
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
			if !cloudserver.IsUnauthorized(err) || !strings.Contains(err.Error(), "does not accept the token in "+file) || !strings.Contains(err.Error(), "login --token-file "+file) || strings.Contains(err.Error(), "GET") != (call == 0) {
				t.Errorf("the same token: %v", err)
			}
		}
		if service.calls != 1 {
			t.Errorf("%d calls", service.calls)
		}
		time.Sleep(time.Minute) // until then the refusal is returned to all
		for _, token := range []string{"three", "four"} {
			write(token)
			_, _ = client.VirtualMachine(t.Context(), 7)
		}
		service.valid = "five"
		for call, want := range []string{"401 Unauthorized", "does not accept the token in " + file} { // four calls, and the error of those that follow
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

// TestTokenFileThatIsWrittenMeanwhile: a file that is absent, empty or unreadable, or whose token is refused, is read
// again for five seconds. No call sends the same token twice.
func TestTokenFileThatIsWrittenMeanwhile(t *testing.T) {
	t.Parallel()
	for name, steps := range map[string][]string{ // content of the file at first, and after each 1.4 s
		"absent":                  {absent, "zqtoken-valid"},
		"empty":                   {"", "zqtoken-valid"},
		"a folder":                {folder, "zqtoken-valid"},
		"no token":                {"zqtoken half\n", "zqtoken-valid"},
		"in two parts":            {"zqtoken-val", "zqtoken-valid"},
		"in three parts":          {"zqtok", "zqtoken-val", "zqtoken-valid"},
		"gone, and in two parts":  {absent, "zqtoken-val", "zqtoken-valid"},
		"the refused one at last": {"zqtoken-first", "zqtoken-first", "zqtoken-first", "zqtoken-valid"},
	} {
		for _, first := range []bool{true, false} { // at a client's first call, or after its token has expired
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
						callConcurrently(t, client, 1, func(err error) {
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
					callConcurrently(t, client, 10, func(err error) {
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

// putToken writes a text to a file, or makes it absent or a folder.
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

// TestTokenFileThatStaysUseless: calls fail after five seconds, and those that follow within a minute fail at once.
func TestTokenFileThatStaysUseless(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		absent: "cannot read token_file: open ", "": "is empty", folder: "is not a regular file", "zqtoken two": "does not contain a token",
		"CLOUDSERVER_TOKEN=zqtoken": "contains a token that begins with the name of a variable", "********": "contains a token that consists of asterisks",
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
					callConcurrently(t, client, 10, func(err error) {
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

// TestTokenFileThatIsReplacedLate: another token in the file is used by the next call, also within the minute in which
// the failure is returned to all. Until then nothing is sent.
func TestTokenFileThatIsReplacedLate(t *testing.T) {
	t.Parallel()
	for _, before := range []string{absent, "", "zqtoken-refused"} {
		t.Run(before, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "token")
				putToken(t, file, before)
				service := &guarded{valid: "zqtoken-valid"}
				client := newClient(t, service, func(c *cloudserver.Config) { c.Token, c.TokenFile = "", file })
				for range 2 {
					if _, err := client.VirtualMachine(t.Context(), 7); !cloudserver.IsUnauthorized(err) {
						t.Errorf("got %v", err)
					}
				}
				refused := service.calls
				putToken(t, file, "zqtoken-valid")
				if _, err := client.VirtualMachine(t.Context(), 7); err != nil || refused > 1 || service.calls != refused+1 {
					t.Errorf("%v after %d calls, and %d before", err, service.calls, refused)
				}
			})
		})
	}
}

func TestRefusedTokens(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]string{
		"apikey.marker": "API key: it may be past its expiry date (expires_at), revoked or mistyped",
		"marker-token":  "does not accept the configured token: it may have expired",
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

// TestRefusalOfAnAcceptedToken: a service that refuses a token which it has just accepted may accept it again, so the
// refusal is not final. What only redirects, asks to wait or fails has accepted none.
func TestRefusalOfAnAcceptedToken(t *testing.T) {
	t.Parallel()
	const key, web1 = "apikey.marker", `{"id":7,"name":"web1"}`
	for name, test := range map[string]struct {
		token string
		first step // nil: none
		final bool
	}{
		"accepted":           {key, answer(200, web1), false},
		"refused an object":  {key, answer(404, "unknown"), false},
		"forbidden":          {key, answer(403, "not permitted"), false},
		"never accepted":     {key, nil, true},
		"unavailable":        {key, answer(503, "try later"), true},
		"failed":             {key, answer(500, "oops"), true},
		"throttled":          {key, answer(429, "try later"), true},
		"redirected":         {key, answer(302, "elsewhere"), true},
		"a page of a portal": {key, answer(403, "<html>no</html>", "Content-Type", "text/html"), true},
		"a session":          {"marker", answer(200, web1), false},
		"no session":         {"marker", nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var answers []step
			if test.first != nil {
				answers = append(answers, test.first)
			}
			client := newClient(t, serve(append(answers, answer(401, "unknown session"))...), func(c *cloudserver.Config) {
				c.Token, c.MaxRetries = test.token, new(int)
			})
			for range answers {
				_, _ = client.VirtualMachine(t.Context(), 7)
			}
			_, err := client.VirtualMachine(t.Context(), 7)
			if !cloudserver.IsUnauthorized(err) || cloudserver.IsFinal(err) != test.final {
				t.Errorf("final is %v for %v", cloudserver.IsFinal(err), err)
			}
		})
	}
}
