package login

import (
	stdcmp "cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"
)

// The secrets of the tests.
const (
	password = "zqmarker-password"
	session  = "zqmarker-session"
)

// service issues sessions to one user. If it has a code, it accepts that code once.
type service struct {
	code     string
	used     bool
	received []map[string]string
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var form map[string]string
	if err := json.NewDecoder(r.Body).Decode(&form); err != nil || r.URL.Path != "/session" {
		http.Error(w, "Badly-formed parameters", http.StatusBadRequest)
		return
	}
	s.received = append(s.received, form)
	given := form["2fa"] + form["yubikey"]
	switch {
	case form["username"] != "careful" || form["password"] != password:
		http.Error(w, "Bad login credentials", http.StatusForbidden)
	case s.code != "" && given == "":
		http.Error(w, "Missing 2FA", http.StatusForbidden)
	case given != s.code || s.used:
		http.Error(w, "Invalid token "+given, http.StatusForbidden)
	default:
		s.used = s.code != ""
		_, _ = io.WriteString(w, session)
	}
}

// script answers questions in order and records them.
type script struct {
	answers []string
	asked   []string
}

func (s *script) ask(_ context.Context, question string, secret bool) (string, error) {
	if secret {
		question += " (secret)"
	}
	s.asked = append(s.asked, question)
	if len(s.asked) > len(s.answers) {
		return "", errors.New("no answer")
	}
	return s.answers[len(s.asked)-1], nil
}

func TestLogin(t *testing.T) {
	const yubikey = "cccccchvjdefghijklnrtuvcbdefghijklnrtuvcbdef"
	const code = "Code of the second factor (secret)"
	known := map[string]string{"USERNAME": "careful", "PASSWORD": password}
	sent := func(pairs ...string) map[string]string {
		form := map[string]string{"username": "careful", "password": password, "validity": "3600"}
		for i := 0; i < len(pairs); i += 2 {
			form[pairs[i]] = pairs[i+1]
		}
		return form
	}
	type forms = []map[string]string
	for name, test := range map[string]struct {
		code    string // required by the account
		args    []string
		content string // of the file; "": "old"
		stdin   string
		env     map[string]string
		answers []string
		asked   []string
		sent    forms
		fails   string // "": the session is written
	}{
		"asks for both":     {answers: []string{"careful", password}, asked: []string{"Username", "Password (secret)"}, sent: forms{sent()}},
		"asks for nothing":  {args: []string{"--session-validity", "10m"}, env: known, sent: forms{sent("validity", "600")}},
		"asks for the code": {code: "123456", env: known, answers: []string{"123456"}, asked: []string{code}, sent: forms{sent(), sent("2fa", "123456")}},
		"asks again after a wrong code": {
			code: yubikey, env: known, answers: []string{"000000", yubikey}, asked: []string{code, code},
			sent: forms{sent(), sent("2fa", "000000"), sent("yubikey", yubikey)},
		},
		"code from the standard input": {code: "123456", args: []string{"--otp-stdin"}, stdin: "123456\nnot read", env: known, sent: forms{sent("2fa", "123456")}},
		"wrong code from the standard input": {
			code: "123456", args: []string{"--otp-stdin"}, stdin: "654321", env: known, sent: forms{sent("2fa", "654321")},
			fails: "refuses the code of the second factor, which works once and for a short time: try again with the next one",
		},
		"three wrong codes": {
			code: "123456", answers: []string{"1", "2", "3", "4"}, env: known, asked: []string{code, code, code},
			sent: forms{sent(), sent("2fa", "1"), sent("2fa", "2"), sent("2fa", "3")}, fails: "refuses the code of the second factor",
		},
		"wrong password": {
			env:  map[string]string{"USERNAME": "careful", "PASSWORD": "zqmarker-wrong"},
			sent: forms{sent("password", "zqmarker-wrong")}, fails: "refuses the username or the password",
		},
		"nobody to ask":                   {asked: []string{"Username"}, fails: "no answer; or set CLOUDSERVER_USERNAME and CLOUDSERVER_PASSWORD"},
		"no code from the standard input": {args: []string{"--otp-stdin"}, env: known, fails: "--otp-stdin: the standard input has no code"},
		"too long":                        {args: []string{"--session-validity", "2h"}, fails: "--session-validity must be between one minute and one hour, not 2h0m0s"},
		"no time":                         {args: []string{"--session-validity", "0"}, fails: "--session-validity must be between one minute and one hour, not 0s"},
		"no endpoint":                     {env: map[string]string{"ENDPOINT": ""}, fails: "that issues sessions. The environment has CLOUDSERVER_ENPOINT"},
		"endpoint with typo":              {env: map[string]string{"ENDPOINT": "api.example.com"}, fails: `must be a URL such as https://api.example.com, not "api.example.com"`},
		"no file":                         {args: []string{"--token-file", ""}, fails: "set --token-file"},
		"a folder":                        {args: []string{"--token-file", "."}, env: known, fails: " is not a regular file"},
		"no folder":                       {args: []string{"--token-file", "/nowhere/token"}, env: known, fails: "cannot write the session: open /nowhere/"},
		"a state":                         {content: `{"version": 4, "terraform_version": "1.14.0"}`, fails: "exists and has no session, so it is not replaced: name another file"},
		"a state on one line":             {content: `{"version":4}`, fails: "has no session"},
		"a file with two lines":           {content: "one\ntwo\n", fails: "has no session"},
		"a key":                           {content: "-----BEGIN PRIVATE KEY-----\n", fails: "has no session"},
		"an empty line":                   {content: "\n", fails: "has no session"},
		"a large file":                    {content: strings.Repeat("a", 5000), fails: "has no session"},
		"an API key":                      {content: "apikey.mine\n", fails: "has an API key, which would be lost: name another file"},
		"an older session":                {content: "f3b1-77aa\r\n", env: known, sent: forms{sent()}},
		// Replacing a link would leave the old token in its target.
		"a symbolic link":     {args: []string{"--token-file", "link"}, env: known, fails: "link is a symbolic link: name its target, "},
		"device as authority": {env: map[string]string{"CA_CERTIFICATE": "/dev/zero"}, fails: "CLOUDSERVER_CA_CERTIFICATE: /dev/zero is not a regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			issuer := &service{code: test.code}
			server := httptest.NewServer(issuer)
			t.Cleanup(server.Close)
			file := filepath.Join(t.TempDir(), "token")
			if err := os.WriteFile(file, []byte(stdcmp.Or(test.content, "old")), 0o644); err != nil { //nolint:gosec // it is replaced
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			if err := os.Symlink(file, "link"); err != nil {
				t.Fatal(err)
			}
			t.Setenv("CLOUDSERVER_ENDPOINT", server.URL)
			t.Setenv("CLOUDSERVER_TOKEN_FILE", file)
			for name, value := range test.env {
				t.Setenv("CLOUDSERVER_"+name, value)
			}
			person := &script{answers: test.answers}
			printed, err := run(t, test.args, test.stdin, person)
			if diff := cmp.Diff(test.asked, person.asked); diff != "" {
				t.Errorf("questions (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(test.sent, issuer.received); diff != "" {
				t.Errorf("requests (-want +got)\n%s", diff)
			}
			want := stdcmp.Or(test.content, "old")
			if test.fails == "" {
				want = session + "\n"
			}
			expectFile(t, file, want)
			switch {
			case test.fails == "" && (err != nil || !strings.Contains(printed, "Wrote a session of careful to "+file+".\nIt lasts ")):
				t.Errorf("got %v, printed %q", err, printed)
			case test.fails != "" && (err == nil || !strings.Contains(err.Error(), test.fails)):
				t.Errorf("got %v, want an error that contains %q", err, test.fails)
			case strings.Contains(printed, "zqmarker") || err != nil && strings.Contains(err.Error(), "zqmarker"):
				t.Errorf("a secret is in %q or %v", printed, err)
			}
		})
	}
}

func run(t *testing.T, args []string, stdin string, person asker) (string, error) {
	t.Helper()
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	login := Register(flags)
	login.UnknownVariables = " The environment has CLOUDSERVER_ENPOINT."
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	err := login.run(t.Context(), "test", strings.NewReader(stdin), person, &printed)
	return printed.String(), err
}

// expectFile checks the content, that only the owner can read a new file, and that nothing else is left in its folder.
func expectFile(t *testing.T, file, want string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil || string(content) != want {
		t.Errorf("the file contains %q, %v", content, err)
	}
	info, err := os.Stat(file)
	if err != nil || strings.HasPrefix(want, session) && info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// The printed export line can be pasted into a shell in any folder.
func TestExportLine(t *testing.T) {
	issuer := httptest.NewServer(&service{})
	t.Cleanup(issuer.Close)
	for name, value := range map[string]string{"ENDPOINT": issuer.URL, "USERNAME": "careful", "PASSWORD": password} {
		t.Setenv("CLOUDSERVER_"+name, value)
	}
	t.Chdir(t.TempDir())
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	printed, err := run(t, []string{"--token-file", "it's mine"}, "", &script{})
	if want := "\nunset CLOUDSERVER_USERNAME CLOUDSERVER_PASSWORD # the provider accepts one kind of credentials\n" + `export CLOUDSERVER_TOKEN_FILE='` + folder + `/it'\''s mine'` + "\n"; err != nil || !strings.HasSuffix(printed, want) {
		t.Errorf("got %v, printed %q, want %q at its end", err, printed, want)
	}
}

// A script without a terminal gets an error instead of waiting for ever.
func TestNoTerminal(t *testing.T) {
	t.Parallel()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = read.Close(), write.Close() })
	person := &terminal{in: read, out: io.Discard}
	if _, err := person.ask(t.Context(), "Password", true); err == nil || !strings.Contains(err.Error(), "cannot ask for the password: the standard input is not a terminal") {
		t.Errorf("got %v", err)
	}
}
