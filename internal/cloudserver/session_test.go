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
		all.Go(func() { check(byMethod[[]string{http.MethodGet, http.MethodPost}[i%2]](t.Context(), client)) })
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
// minute. Whom the refusal of another call concerns, too, is not told its path.
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
			if service.opened > 1+cloudserver.DefaultMaxRetries {
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

func TestOneCallersInterruptDoesNotFailTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := newClient(t, &guarded{}, withLogin)
		impatient, cancel := context.WithCancel(t.Context())
		results := make(chan error, 2)
		for _, ctx := range []context.Context{impatient, t.Context()} {
			go func() { results <- byMethod[http.MethodGet](ctx, client) }()
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

// TestTokenFileIsReadAgain after its token was refused, also while it is being
// written. One that is still the same is not sent again, and not read again by
// every call.
func TestTokenFileIsReadAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "token")
		write := func(token string) {
			if err := os.WriteFile(file, []byte(token), 0o600); err != nil {
				t.Error(err)
			}
		}
		service := &guarded{}
		client := newClient(t, service, func(c *cloudserver.Config) { c.Token, c.TokenFile = "", file })
		write("")
		for _, token := range []string{"one", "two"} {
			service.valid = token
			time.AfterFunc(time.Second, func() { write(token + "\n") })
			if _, err := client.VirtualMachine(t.Context(), 7); err != nil {
				t.Errorf("%s: %v", token, err)
			}
		}
		service.valid, service.calls = "three", 0
		began := time.Now()
		for call := range 3 {
			_, err := client.VirtualMachine(t.Context(), 7)
			if !cloudserver.IsUnauthorized(err) || !strings.Contains(err.Error(), "-login -token-file "+file) || strings.Contains(err.Error(), "GET") != (call == 0) {
				t.Errorf("the same token: %v", err)
			}
		}
		if took := time.Since(began); took < 5*time.Second || took > 6*time.Second || service.calls != 1 {
			t.Errorf("it took %s and %d calls", took, service.calls)
		}
	})
}

func TestSessionRequests(t *testing.T) {
	t.Parallel()
	service := serve(answer(200, "session-1"), healthy, answer(200, `{"username":"demo"}`), answer(404, "no session marker-session"))
	client := newClient(t, service, withLogin)
	if _, err := client.VirtualMachine(t.Context(), 7); err != nil {
		t.Fatal(err)
	}
	login := service.journal()[0]
	if login.method != "POST" || login.path != "/v1/session" || login.header.Get("Accept") != "text/plain" ||
		login.body != `{"username":"demo","password":"marker-password","validity":"3600"}` || login.header.Get("Authorization") != "" {
		t.Errorf("logged in by %+v", login)
	}
	if got := service.journal()[1].header.Get("Authorization"); got != "Bearer session-1" {
		t.Errorf("called with %q", got)
	}
	if err := client.CheckSession(t.Context(), "session-1"); err != nil || service.journal()[2].path != "/v1/session/session-1" {
		t.Errorf("check: %v", err)
	}
	if err := client.CheckSession(t.Context(), "marker-session"); !cloudserver.IsNotFound(err) || err.Error() != "GET /session/(hidden) answered 404 Not Found" {
		t.Errorf("check of an expired one: %v", err)
	}
	if _, err := newClient(t, serve(healthy)).OpenSession(t.Context(), ""); err == nil {
		t.Error("a session was opened without a password")
	}
}

// TestRefusedLogins: what a login was refused for. No other words of the answer are
// repeated, and nor is the login. Its status is not that of the call which needed it:
// a wrong auth endpoint must not make every machine look gone.
func TestRefusedLogins(t *testing.T) {
	t.Parallel()
	const login = "https://auth.invalid/v1 refuses the username or the password: POST /session answered "
	for name, test := range map[string]struct {
		code, answer string
		status       int
		says         string
	}{
		"second factor":         {"", "Missing 2FA\n", 403, "requires a second factor for this user; run terraform-provider-cloudserver -login, which asks for the code and writes a session for token_file, or use an API key: POST /session answered 403 Forbidden: Missing 2FA"},
		"second factor, 401":    {"", "<p>Missing 2FA for zqmarker</p>", 401, "requires a second factor"},
		"password":              {"", "Bad login credentials", 403, login + "403 Forbidden: Bad login credentials"},
		"other words":           {"", "Authentication failed", 401, login + "401 Unauthorized: Authentication failed"},
		"code":                  {"123456", "Invalid token zqmarker", 403, "refuses the code of the second factor, which works once"},
		"password or code":      {"123456", "Bad login credentials", 403, "refuses the username, the password or the code of the second factor"},
		"form":                  {"", "Badly-formed parameters: zqmarker", 400, "does not understand the login; check username and auth_endpoint"},
		"words that are secret": {"", "demo:zqmarker is wrong", 403, login + "403 Forbidden"},
		"no such address":       {"", "", 404, "does not issue sessions; check auth_endpoint"},
		"nothing":               {"", "", 200, "something other than a session; check auth_endpoint"},
		"a page":                {"", "<html>zqmarker</html>", 200, "check auth_endpoint"},
		"an object":             {"", `{"session":"zqmarker"}`, 200, "check auth_endpoint"},
		"two words":             {"", "two zqmarkers", 200, "check auth_endpoint"},
	} {
		service := serve(answer(test.status, test.answer))
		client := newClient(t, service, withLogin)
		_, err := client.OpenSession(t.Context(), test.code)
		if test.code == "" {
			if _, err = client.VirtualMachine(t.Context(), 7); cloudserver.StatusCode(err) != 0 || cloudserver.IsNotFound(err) {
				t.Errorf("%s: the call got %v", name, err)
			}
			again := client.DeleteGroup(t.Context(), "acme", "db")
			if again == nil || again.Error() != err.Error() || len(service.journal()) != 2 {
				t.Errorf("%s: %v after %d logins", name, again, len(service.journal()))
			}
		}
		failed, _ := errors.AsType[*cloudserver.SessionError](err)
		if failed == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "zqmarker") {
			t.Errorf("%s: got %v, want %q", name, err, test.says)
		} else if noIssuer := strings.Contains(test.says, "check auth_endpoint") && name != "form"; failed.NoIssuer != noIssuer || cloudserver.IsUnauthorized(err) == noIssuer {
			t.Errorf("%s: NoIssuer is %t, refused %t", name, failed.NoIssuer, cloudserver.IsUnauthorized(err))
		}
		if cloudserver.IsCodeMissing(err) != strings.HasPrefix(name, "second factor") {
			t.Errorf("%s: IsCodeMissing is %t", name, cloudserver.IsCodeMissing(err))
		}
	}
}

// A login that gets lost leaves no doubt about vm_create: it was not made. It is
// repeated, but for one with a code, which its first attempt uses up.
func TestLostLogins(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := &guarded{login: cut}
		client := newClient(t, service, withLogin, withRetries(1))
		_, err := client.CreateVirtualMachine(t.Context(), "a", "g", wanted())
		var failed *cloudserver.SessionError
		if !errors.As(err, &failed) || failed.Refused || cloudserver.IsAmbiguous(err) || service.opened != 2 || service.calls != 0 {
			t.Errorf("got %v after %d logins and %d calls", err, service.opened, service.calls)
		}
		if _, err := client.OpenSession(t.Context(), "123456"); err == nil || service.opened != 3 {
			t.Errorf("got %v after %d logins", err, service.opened)
		}
	})
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

func TestStillRefusedAfterRenewal(t *testing.T) {
	t.Parallel()
	service := serve(answer(200, "s1"), answer(401, ""), answer(200, "s2"), answer(401, ""))
	_, err := newClient(t, service, withLogin).VirtualMachine(t.Context(), 7)
	if cloudserver.StatusCode(err) != 401 || len(service.journal()) != 4 {
		t.Errorf("got %v after %d requests, want 401 after 4", err, len(service.journal()))
	}
}
