package cloudserver_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
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

// guarded is a service that takes one session at a time.
type guarded struct {
	mu      sync.Mutex
	opened  int
	valid   string
	login   step // instead of opening a session
	refused atomic.Int32
	calls   atomic.Int32
}

func (g *guarded) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	if request.URL.Host == "auth.invalid" {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.opened++
		if g.login != nil {
			return g.login(request)
		}
		g.valid = fmt.Sprintf("session-%d", g.opened)
		return answer(200, g.valid+"\n", "Content-Type", "text/plain")(request)
	}
	g.calls.Add(1)
	g.mu.Lock()
	valid := g.valid
	g.mu.Unlock()
	if valid == "" || request.Header.Get("Authorization") != "Bearer "+valid {
		g.refused.Add(1)
		return answer(401, "")(request)
	}
	return healthy(request)
}

func (g *guarded) expire() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.valid = ""
}

func TestSessionIsOpenedOnceOnFirstNeed(t *testing.T) {
	t.Parallel()
	service := &guarded{}
	client := newClient(t, service, withLogin)
	if service.opened != 0 {
		t.Fatal("a session was opened before it was needed")
	}
	everybody(t, client, 50)
	if service.opened != 1 || service.calls.Load() != 50 {
		t.Errorf("%d sessions for %d calls, want 1 for 50", service.opened, service.calls.Load())
	}
}

func TestSessionIsRenewedOnceForAll(t *testing.T) {
	t.Parallel()
	service := &guarded{}
	client := newClient(t, service, withLogin)
	everybody(t, client, 1)
	for round := 2; round <= 4; round++ {
		service.expire()
		everybody(t, client, 50)
		if service.opened != round {
			t.Errorf("%d sessions opened after round %d", service.opened, round)
		}
	}
}

// everybody makes n calls at once, a POST among them, that must all succeed.
func everybody(t *testing.T, client *cloudserver.Client, n int) {
	t.Helper()
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			method := http.MethodGet
			if i%2 == 1 {
				method = http.MethodPost // 401 did nothing, so it is repeated too
			}
			if err := byMethod[method](t.Context(), client); err != nil {
				t.Errorf("call %d: %v", i, err)
			}
		})
	}
	all.Wait()
}

func TestSessionRequest(t *testing.T) {
	t.Parallel()
	service := serve(answer(200, "session-1"), healthy)
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
}

func TestRefusedLoginIsNotRepeated(t *testing.T) {
	t.Parallel()
	for _, status := range []int{400, 401, 403} {
		service := &guarded{login: answer(status, "marker-password is wrong")}
		client := newClient(t, service, withLogin)
		for range 3 {
			_, err := client.VirtualMachine(t.Context(), 7)
			want := fmt.Sprintf("https://auth.invalid/v1 refuses the username or the password: POST /session answered %d %s", status, http.StatusText(status))
			if err == nil || err.Error() != want || !cloudserver.IsUnauthorized(err) || cloudserver.StatusCode(err) != 0 {
				t.Errorf("got %v, want %s", err, want)
			}
		}
		if service.opened != 1 {
			t.Errorf("%d: %d log-ins, want 1", status, service.opened)
		}
	}
}

// The status of a log-in is not that of the call which needed it: a wrong auth
// endpoint must not make every machine look gone.
func TestMissingAuthEndpointIsNotAMissingMachine(t *testing.T) {
	t.Parallel()
	_, err := newClient(t, &guarded{login: answer(404, "")}, withLogin).VirtualMachine(t.Context(), 7)
	failed, _ := errors.AsType[*cloudserver.SessionError](err)
	if failed == nil || !failed.NoIssuer || cloudserver.IsNotFound(err) || cloudserver.IsUnauthorized(err) {
		t.Errorf("got %v", err)
	}
}

// A log-in that gets lost leaves no doubt about vm_create: it was not made.
func TestLostLoginIsNoAmbiguousCreate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := &guarded{login: cut}
		_, err := newClient(t, service, withLogin, withRetries(1)).CreateVirtualMachine(t.Context(), "a", "g", wanted())
		var failed *cloudserver.SessionError
		if !errors.As(err, &failed) || failed.Refused || service.opened != 2 || service.calls.Load() != 0 {
			t.Errorf("got %v after %d log-ins and %d calls", err, service.opened, service.calls.Load())
		}
	})
}

// A code is used up by the first attempt.
func TestLoginWithCodeIsTriedOnce(t *testing.T) {
	t.Parallel()
	service := &guarded{login: cut}
	_, err := newClient(t, service, withLogin).OpenSession(t.Context(), "123456")
	if err == nil || service.opened != 1 {
		t.Errorf("got %v after %d log-ins, want an error after 1", err, service.opened)
	}
}

func TestSomethingElseThanASession(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "<html></html>", "<html><body>Log in here</body></html>", `{"session":"marker"}`, "two words"} {
		_, err := newClient(t, serve(answer(200, body)), withLogin).VirtualMachine(t.Context(), 7)
		failed, _ := errors.AsType[*cloudserver.SessionError](err)
		if failed == nil || !failed.NoIssuer || !strings.Contains(err.Error(), "check auth_endpoint") || strings.Contains(err.Error(), "marker") {
			t.Errorf("%q: got %v", body, err)
		}
	}
}

func TestOneCallersInterruptDoesNotFailTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := &guarded{login: nil}
		slow := &delayed{next: service, by: 5 * time.Second}
		client := newClient(t, slow, withLogin)
		impatient, cancel := context.WithCancel(t.Context())
		results := make(chan error, 2)
		go func() {
			_, err := client.VirtualMachine(impatient, 7)
			results <- err
		}()
		synctest.Wait() // the impatient one leads the log-in
		go func() {
			_, err := client.VirtualMachine(t.Context(), 7)
			results <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-results; !errors.Is(err, context.Canceled) {
			t.Errorf("the impatient one got %v", err)
		}
		if err := <-results; err != nil {
			t.Errorf("the patient one got %v", err)
		}
	})
}

// delayed is a slow way to a service.
type delayed struct {
	next http.RoundTripper
	by   time.Duration
}

func (d *delayed) RoundTrip(request *http.Request) (*http.Response, error) {
	timer := time.NewTimer(d.by)
	defer timer.Stop()
	select {
	case <-timer.C:
		return d.next.RoundTrip(request)
	case <-request.Context().Done():
		return nil, request.Context().Err()
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
		if err == nil || !strings.Contains(err.Error(), want) || !cloudserver.IsUnauthorized(err) || len(service.journal()) != 1 {
			t.Errorf("%q: got %v after %d calls, want %q", token, err, len(service.journal()), want)
		}
		if strings.Contains(err.Error(), "marker") {
			t.Errorf("%q: the error shows it: %v", token, err)
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

func TestOpenAndCheckSession(t *testing.T) {
	t.Parallel()
	service := serve(answer(200, "s1"), answer(200, `{"username":"demo"}`), answer(404, "no session marker-session"))
	client := newClient(t, service, withLogin)
	id, err := client.OpenSession(t.Context(), "")
	if err != nil || id != "s1" {
		t.Fatalf("got %q, %v", id, err)
	}
	if err := client.CheckSession(t.Context(), id); err != nil {
		t.Errorf("check: %v", err)
	}
	err = client.CheckSession(t.Context(), "marker-session")
	if !cloudserver.IsNotFound(err) || err.Error() != "GET /session/(hidden) answered 404 Not Found" {
		t.Errorf("check of an expired one: %v", err)
	}
	if _, err := newClient(t, serve(healthy)).OpenSession(t.Context(), ""); err == nil {
		t.Error("a session was opened without a password")
	}
}

func TestRefusedLogins(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		code, answer string
		status       int
		says         string
	}{
		"second factor":         {"", "Missing 2FA\n", 403, "requires a second factor for this user; run terraform-provider-cloudserver -login, which asks for the code and writes a session for token_file, or use an API key: POST /session answered 403 Forbidden: Missing 2FA"},
		"second factor, 401":    {"", "<p>Missing 2FA for zqmarker</p>", 401, "requires a second factor"},
		"password":              {"", "Bad login credentials", 403, "refuses the username or the password: POST /session answered 403 Forbidden: Bad login credentials"},
		"other words":           {"", "Authentication failed", 401, "refuses the username or the password: POST /session answered 401 Unauthorized: Authentication failed"},
		"code":                  {"123456", "Invalid token zqmarker", 403, "refuses the code of the second factor, which works once"},
		"password or code":      {"123456", "Bad login credentials", 403, "refuses the username, the password or the code of the second factor"},
		"form":                  {"", "Badly-formed parameters: zqmarker", 400, "does not understand the login; check username and auth_endpoint"},
		"words that are secret": {"", "demo:zqmarker is wrong", 403, "refuses the username or the password: POST /session answered 403 Forbidden"},
	} {
		_, err := newClient(t, serve(answer(test.status, test.answer)), withLogin).OpenSession(t.Context(), test.code)
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "zqmarker") || !cloudserver.IsUnauthorized(err) {
			t.Errorf("%s: got %v, want %q", name, err, test.says)
		}
		if cloudserver.IsCodeMissing(err) != strings.HasPrefix(name, "second factor") {
			t.Errorf("%s: IsCodeMissing is %t", name, cloudserver.IsCodeMissing(err))
		}
	}
}
