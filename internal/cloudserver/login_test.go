package cloudserver_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

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
	var log bytes.Buffer
	if err := client.CheckSession(tflogtest.RootLogger(t.Context(), &log), "session-1"); err != nil || service.journal()[2].path != "/v1/session/session-1" {
		t.Errorf("check: %v", err)
	}
	if text := log.String(); !strings.Contains(text, "/session/(hidden)") || strings.Contains(text, "session-1") || strings.Contains(text, "demo") {
		t.Errorf("the log has %s", text)
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
		"code":                  {"123456", "Invalid token zqmarker", 403, "refuses the code of the second factor, which works once"},
		"password or code":      {"123456", "Bad login credentials", 403, "refuses the username, the password or the code of the second factor"},
		"form":                  {"", "Badly-formed parameters: zqmarker", 400, "does not understand the login; check username and auth_endpoint"},
		"words that are secret": {"", "demo:zqmarker is wrong", 403, login + "403 Forbidden"},
		"no such address":       {"", "", 404, "does not issue sessions; check auth_endpoint"},
		"nothing":               {"", "", 200, "something other than a session; check auth_endpoint"},
		"a page":                {"", "<html>zqmarker</html>", 200, "check auth_endpoint"},
		"an object":             {"", `{"session":"zqmarker"}`, 200, "check auth_endpoint"},
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
