// SPDX-License-Identifier: MPL-2.0

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
	if text := log.String(); !strings.Contains(text, "path\":\"/session\"") || strings.Contains(text, "session-1") || strings.Contains(text, "demo") {
		t.Errorf("the log has %s", text)
	}
	if err := client.CheckSession(t.Context(), "marker-session"); !cloudserver.IsNotFound(err) || err.Error() != "GET /session answered 404 Not Found" {
		t.Errorf("check of an expired one: %v", err)
	}
	if _, err := newClient(t, serve(healthy)).OpenSession(t.Context(), ""); err == nil {
		t.Error("a session was opened without a password")
	}
}

// TestRefusedLogins: the error names the reason of the refusal. It repeats neither other words of the answer nor the
// login. Its status is not that of the call that needed the session: with a wrong auth endpoint, machines must not look
// gone.
func TestRefusedLogins(t *testing.T) {
	t.Parallel()
	const login = "https://auth.invalid/v1 refuses the username or the password: POST /session answered "
	for name, test := range map[string]struct {
		code, answer string
		status       int
		says         string
	}{
		"second factor":         {answer: "Missing 2FA\n", status: 403, says: "requires a second factor for this user; run terraform-provider-cloudserver login, which asks for the code and writes a session for token_file, or use an API key: POST /session answered 403 Forbidden: Missing 2FA"},
		"second factor, 401":    {answer: "<p>Missing 2FA for zqmarker</p>", status: 401, says: "requires a second factor"},
		"password":              {answer: "Bad login credentials", status: 403, says: login + "403 Forbidden: Bad login credentials"},
		"code":                  {code: "123456", answer: "Invalid token zqmarker", status: 403, says: "refuses the username, the password or the code of the second factor, which works once"},
		"form":                  {answer: "Badly-formed parameters: zqmarker", status: 400, says: "does not understand the login; check username and auth_endpoint"},
		"words that are secret": {answer: "demo:zqmarker is wrong", status: 403, says: login + "403 Forbidden"},
		"no such address":       {status: 404, says: "does not issue sessions; check auth_endpoint"},
		"nothing":               {status: 200, says: "something other than a session; check auth_endpoint"},
		"a page":                {answer: "<html>zqmarker</html>", status: 200, says: "check auth_endpoint"},
		"an object":             {answer: `{"session":"zqmarker"}`, status: 200, says: "check auth_endpoint"},
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
		} else if isRefusal := test.status == 401 || test.status == 403; cloudserver.IsUnauthorized(err) != isRefusal {
			t.Errorf("%s: refused is %t", name, !isRefusal)
		}
		if cloudserver.IsCodeMissing(err) != strings.HasPrefix(name, "second factor") {
			t.Errorf("%s: IsCodeMissing is %t", name, cloudserver.IsCodeMissing(err))
		}
	}
}

// After a lost login it is certain that vm_create was not sent. A login is repeated, unless it has a code, which its
// first attempt uses up.
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
