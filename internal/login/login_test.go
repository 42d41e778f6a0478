// SPDX-License-Identifier: MPL-2.0

package login_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/login"
)

const (
	password = "zqmarker-password"
	session  = "zqmarker-session"
)

// issuer issues sessions to one user. If it has a code, it requires that.
type issuer struct {
	code     string
	received []string // the codes
}

func (s *issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var form map[string]string
	if err := json.NewDecoder(r.Body).Decode(&form); err != nil || r.URL.Path != "/session" {
		http.Error(w, "Badly-formed parameters", http.StatusBadRequest)
		return
	}
	code := form["2fa"] + form["yubikey"]
	s.received = append(s.received, code)
	switch {
	case form["username"] != "careful" || form["password"] != password:
		http.Error(w, "Bad login credentials", http.StatusForbidden)
	case s.code != "" && code == "":
		http.Error(w, "Missing 2FA", http.StatusForbidden)
	case code != s.code:
		http.Error(w, "Invalid token "+code, http.StatusForbidden)
	default:
		_, _ = io.WriteString(w, session)
	}
}

type object map[string]string

// TestLogin: it asks for what is missing, and writes the session. A file with anything else than a session stays.
func TestLogin(t *testing.T) {
	known := object{"USERNAME": "careful", "PASSWORD": password}
	for name, test := range map[string]struct {
		code    string // required by the account
		args    []string
		content string // of the file; "": an older session
		stdin   string
		env     object // nil: username and password
		answers []string
		sent    []string // the codes
		fails   string   // "": the session is written
	}{
		"asks for both":    {env: object{}, answers: []string{"careful", password}, sent: []string{""}},
		"asks for nothing": {sent: []string{""}},
		"asks for the code": {
			code: "123456", answers: []string{"123456"}, sent: []string{"", "123456"},
		},
		"asks again after a wrong code": {
			code: "123456", answers: []string{"000000", "123456"}, sent: []string{"", "000000", "123456"},
		},
		"three wrong codes": {
			code: "123456", answers: []string{"1", "2", "3", "4"}, sent: []string{"", "1", "2", "3"},
			fails: "Invalid token",
		},
		"code from the standard input": {
			code: "123456", args: []string{"--otp-stdin"}, stdin: "123456\nmore", sent: []string{"123456"},
		},
		"wrong code from the standard input": {
			code: "123456", args: []string{"--otp-stdin"}, stdin: "1", sent: []string{"1"}, fails: "Invalid token",
		},
		"no code from the standard input": {
			args: []string{"--otp-stdin"}, fails: "the standard input has no code",
		},
		"wrong password": {
			env: object{"USERNAME": "careful", "PASSWORD": "no"}, sent: []string{""},
			fails: "refuses the username or the password",
		},
		"nobody to ask": {env: object{}, fails: "nobody is there. Set CLOUDSERVER_USERNAME"},
		"too long":      {args: []string{"--session-validity", "2h"}, fails: "between one minute and one hour, not 2h0m0s"},
		"no endpoint":   {env: object{"ENDPOINT": ""}, fails: "set CLOUDSERVER_ENDPOINT"},
		"endpoint with typo": {
			env: object{"ENDPOINT": "api.example.com", "USERNAME": "careful", "PASSWORD": password}, fails: "must be a URL",
		},
		"no file":               {args: []string{"--token-file", ""}, fails: "set --token-file"},
		"a folder":              {args: []string{"--token-file", "."}, fails: "is not a regular file"},
		"a file below ~":        {args: []string{"--token-file", "~/token"}, fails: `write "$HOME/token"`},
		"no folder":             {args: []string{"--token-file", "/nowhere/token"}, fails: "cannot write the session: open /nowhere/"},
		"a state":               {content: `{"version": 4}`, fails: "exists and has no session, so it is not replaced"},
		"a file with two lines": {content: "one\ntwo\n", fails: "has no session"},
		"an API key":            {content: "apikey.mine\n", fails: "has an API key, which would be lost"},
		"a symbolic link":       {args: []string{"--token-file", "link"}, fails: "link is a symbolic link: name its target"},
	} {
		t.Run(name, func(t *testing.T) {
			service := &issuer{code: test.code}
			server := httptest.NewServer(service)
			t.Cleanup(server.Close)
			file, before := filepath.Join(t.TempDir(), "token"), "old"
			if test.content != "" {
				before = test.content
			}
			t.Chdir(t.TempDir())
			if err := errors.Join(os.WriteFile(file, []byte(before), 0o600), os.Symlink(file, "link")); err != nil {
				t.Fatal(err)
			}
			t.Setenv("CLOUDSERVER_ENDPOINT", server.URL)
			t.Setenv("CLOUDSERVER_TOKEN_FILE", file)
			if test.env == nil {
				test.env = known
			}
			for name, value := range test.env {
				t.Setenv("CLOUDSERVER_"+name, value)
			}
			var out strings.Builder
			streams := cmd.Streams{In: strings.NewReader(test.stdin), Out: &out, Ask: asker(test.answers)}
			err := run(t, test.args, streams)
			if !slices.Equal(service.received, test.sent) {
				t.Errorf("the codes %q were sent, want %q", service.received, test.sent)
			}
			want := before
			if test.fails == "" {
				want = session + "\n"
			}
			expectFile(t, file, want)
			exports := strings.Contains(out.String(), "export CLOUDSERVER_TOKEN_FILE='"+file+"'\n")
			switch {
			case test.fails == "" && (err != nil || !exports):
				t.Errorf("%v\n%s", err, out.String())
			case test.fails != "" && (err == nil || !strings.Contains(err.Error(), test.fails)):
				t.Errorf("got %v, want an error that contains %q", err, test.fails)
			case strings.Contains(out.String(), "zqmarker") || err != nil && strings.Contains(err.Error(), "zqmarker"):
				t.Errorf("a secret is in %q or %v", out.String(), err)
			}
		})
	}
}

// asker answers questions in order.
func asker(left []string) func(context.Context, string, bool) (string, error) {
	return func(_ context.Context, question string, secret bool) (string, error) {
		if secret == strings.HasPrefix(question, "Username") {
			return "", errors.New("only the username is echoed")
		}
		if len(left) == 0 {
			return "", errors.New("nobody is there")
		}
		answer := left[0]
		left = left[1:]
		return answer, nil
	}
}

func run(t *testing.T, args []string, streams cmd.Streams) error {
	t.Helper()
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	command := login.Register(flags)
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	return command.Run(t.Context(), "test", streams)
}

// expectFile checks the content, that only the owner can read the file, and that nothing else is left in its folder.
func expectFile(t *testing.T, file, want string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil || string(content) != want {
		t.Errorf("the file contains %q, %v", content, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
