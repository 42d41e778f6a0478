package console

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// parseFlags returns the command for some flags.
func parseFlags(t *testing.T, arguments ...string) *Command {
	t.Helper()
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	c := Register(flags)
	if err := flags.Parse(arguments); err != nil {
		t.Fatal(err)
	}
	if flags.NArg() > 0 {
		c.Address = flags.Arg(0)
	}
	return c
}

// start runs the emulator until the test ends. It returns its endpoint, what it printed, and a function that stops it.
func start(t *testing.T, arguments ...string) (endpoint, banner string, stop func() error) {
	t.Helper()
	ready := filepath.Join(t.TempDir(), "ready")
	if n := slices.Index(arguments, "--ready-file"); n >= 0 {
		ready = arguments[n+1]
	}
	ctx, cancel := context.WithCancel(t.Context())
	printed, stdout := io.Pipe()
	ended := make(chan error, 1)
	c := parseFlags(t, append([]string{"127.0.0.1:0", "--ready-file", ready}, arguments...)...)
	go func() {
		ended <- c.Run(ctx, stdout, io.Discard)
		_ = stdout.Close()
	}()
	var text strings.Builder
	lines := bufio.NewScanner(printed)
	for lines.Scan() {
		text.WriteString(lines.Text() + "\n")
		if strings.HasPrefix(lines.Text(), "export CLOUDSERVER_GROUP") {
			break
		}
	}
	go func() { _, _ = io.Copy(io.Discard, printed) }()
	content, err := os.ReadFile(ready)
	if err != nil {
		cancel()
		t.Fatalf("%v: %v", err, <-ended)
	}
	stopped := false
	stop = func() error {
		if stopped {
			return nil
		}
		stopped = true
		cancel()
		return <-ended
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("stopped with %v", err)
		}
	})
	return strings.TrimSpace(string(content)), text.String(), stop
}

// get sends a request to the emulator and returns the answer and its body.
func get(t *testing.T, request *http.Request) (*http.Response, string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

// newRequest returns a request with a JSON or plain text body.
func newRequest(t *testing.T, method, url, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer apikey.demo")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

// TestRun starts the emulator, uses what it prints, and stops it.
func TestRun(t *testing.T) {
	t.Parallel()
	dump := filepath.Join(t.TempDir(), "world.json")
	ready := filepath.Join(t.TempDir(), "another")
	endpoint, banner, stop := start(t, "--ready-file", ready, "--dump", dump, "--fault", "GET /accounts 503 times=1")
	for _, want := range []string{
		"192.0.2.0/24", "2001:db8:1::/64", "york manchester", "bookworm", "sata ssd archive", "acme", "careful", "apikey.acme",
		"groups: 3, virtual machines: 0, backup schedules: 0, reverse names: 0", "GET /accounts 503 times=1", "export CLOUDSERVER_TOKEN=apikey.demo\n", "export CLOUDSERVER_ACCOUNT=demo\n", "export CLOUDSERVER_GROUP=default\n",
	} {
		if !strings.Contains(banner, want) {
			t.Errorf("%q is not printed in:\n%s", want, banner)
		}
	}
	if printed := regexp.MustCompile(`export CLOUDSERVER_ENDPOINT=(\S+)`).FindStringSubmatch(banner); printed == nil || printed[1] != endpoint {
		t.Errorf("printed %v, served %s", printed, endpoint)
	}
	for _, status := range []int{503, 200} {
		if answer, body := get(t, newRequest(t, "GET", endpoint+"/accounts", "")); answer.StatusCode != status || answer.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%d %s, want %d", answer.StatusCode, body, status)
		}
	}
	check := parseFlags(t, strings.TrimPrefix(endpoint, "http://"), "--healthcheck")
	if err := check.Run(t.Context(), io.Discard, io.Discard); err != nil {
		t.Errorf("unhealthy: %v", err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	err := check.Run(t.Context(), io.Discard, io.Discard)
	if coded, ok := errors.AsType[*Error](err); !ok || coded.ExitCode() != 1 {
		t.Errorf("healthy after its end: %v", err)
	}
	if _, err := os.Stat(ready); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the ready file is still there: %v", err)
	}
	if content, err := os.ReadFile(dump); err != nil || !strings.Contains(string(content), `"acme"`) {
		t.Errorf("%s, %v", content, err)
	}
	if _, _, _ = start(t, "--seed", dump); t.Failed() {
		t.Error("the dump is not a seed")
	}
}

// TestSlowAnswerOutlivesReadTimeout: the read timeout does not end a slow answer.
func TestSlowAnswerOutlivesReadTimeout(t *testing.T) {
	t.Parallel()
	d, err := parseFlags(t, "--quiet", "--fault", "* * delay=300ms").newDesk(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	server := d.server(t.Context(), io.Discard)
	server.ReadTimeout = 50 * time.Millisecond
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, server, listener) }()
	for _, body := range []string{"", "{}"} {
		if answer, text := get(t, newRequest(t, "POST", "http://"+listener.Addr().String()+"/session", body)); answer.StatusCode/100 != 4 {
			t.Errorf("%d %s", answer.StatusCode, text)
		}
	}
	// A request that never arrives completely times out.
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, "POST /session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	if got, _ := io.ReadAll(conn); !strings.Contains(string(got), " 413 ") {
		t.Errorf("got %s", got)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestRunRefuses checks the addresses and options with which the emulator does not start, and its exit status.
func TestRunRefuses(t *testing.T) {
	t.Parallel()
	busy, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = busy.Close() }()
	bad := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(bad, []byte(`{"accounts":[{"name":"a"},{"name":"a"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	const free = "127.0.0.1:0"
	pipe, huge := filepath.Join(t.TempDir(), "pipe"), filepath.Join(t.TempDir(), "huge")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.WriteFile(huge, nil, 0o600), os.Truncate(huge, 2<<30)); err != nil {
		t.Fatal(err)
	}
	for want, arguments := range map[string][]string{
		"not a loopback address": {"0.0.0.0:0"},
		`":0" is not a loopback`: {":0"},
		"192.0.2.1:80":           {"192.0.2.1:80"},
		"missing port":           {"127.0.0.1"},
		"invalid port":           {"127.0.0.1:999999"},
		busy.Addr().String() + " is in use: choose another port, or any free one with 127.0.0.1:0": {busy.Addr().String()},
		"is not a regular file":                                {free, "--seed", os.DevNull},
		filepath.Dir(bad) + " is not a":                        {free, "--seed", filepath.Dir(bad)},
		"--state: cannot read the world: " + pipe:              {free, "--state", pipe},
		"is larger than 256 MiB":                               {free, "--seed", huge},
		"--seed: stat":                                         {free, "--seed", filepath.Join(t.TempDir(), "none")},
		bad + ": accounts[1].name: has already been taken":     {free, "--seed", bad},
		"--state: cannot load the world " + bad + ": accounts": {free, "--state", bad},
		"--boot-time must not be negative":                     {free, "--boot-time", "-1s"},
		"must not be negative":                                 {free, "--capacity", "-1"},
		"no such file or directory":                            {free, "--ready-file", filepath.Join(t.TempDir(), "none", "ready")},
	} {
		err := parseFlags(t, arguments...).Run(t.Context(), io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", arguments, err, want)
			continue
		}
		if coded, ok := errors.AsType[*Error](err); !ok || coded.ExitCode() != 2 {
			t.Errorf("%v: exit status of %v", arguments, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := parseFlags(t, "0.0.0.0:0", "--allow-remote").Run(ended, io.Discard, io.Discard); err != nil {
		t.Errorf("allowed, but %v", err)
	}
}

// TestBannerIsPlainText: values of a seed send no control characters to the terminal.
func TestBannerIsPlainText(t *testing.T) {
	t.Parallel()
	seed := filepath.Join(t.TempDir(), "seed.json")
	hostile := `\u001b]0;taken\u0007\u202e`
	if err := os.WriteFile(seed, []byte(strings.ReplaceAll(`{"accounts":[{"name":"demo"}],"users":[{"name":"uX","password":"pX"}],
		"api_keys":[{"key":"apikey.X","user":"uX"}],"definitions":{"zone_names":["zX"]}}`, "X", hostile)), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := parseFlags(t, "--quiet", "--seed", seed).newDesk(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if banner := d.banner("http://127.0.0.1:1"); visible(strings.ReplaceAll(banner, "\n", "")) != strings.ReplaceAll(banner, "\n", "") {
		t.Errorf("printed %q", banner)
	}
}

// TestForeignFiles: a file that is not the emulator's is neither replaced nor deleted, and nothing advises to delete it.
func TestForeignFiles(t *testing.T) {
	t.Parallel()
	const state = `{"version": 4, "terraform_version": "1.14.0", "serial": 3, "lineage": "", "outputs": {}, "resources": []}`
	for name, test := range map[string]struct {
		flag, content, says string
	}{
		"a dump over a state":                  {"--dump", state, "is not a world of the emulator, so it is not replaced: name another file"},
		"a dump over other JSON":               {"--dump", "{}", "is not a world"},
		"a dump over a page":                   {"--dump", "# notes\n", "is not a world"},
		"a dump over a world":                  {"--dump", string(defaultWorld), ""},
		"a dump over an empty file":            {"--dump", "", ""},
		"an endpoint over a state":             {"--ready-file", state, "is not the endpoint of an emulator, so it is not replaced: name another file"},
		"an endpoint over two lines":           {"--ready-file", "http://127.0.0.1:1\nmore\n", "is not the endpoint"},
		"an endpoint over one of a killed one": {"--ready-file", "http://127.0.0.1:1\n", ""},
		"a world over a state":                 {"--state", state, "correct it, or name another file"},
		"a world over a page":                  {"--state", "# notes\n", "correct it, or name another file"},
		"a seed that is a state":               {"--seed", state, "accounts"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(file, []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
			var err error
			if test.says == "" {
				_, _, stop := start(t, test.flag, file)
				err = stop()
			} else {
				err = parseFlags(t, "127.0.0.1:0", "--quiet", test.flag, file).Run(t.Context(), io.Discard, io.Discard)
			}
			if (test.says == "") != (err == nil) || err != nil && (!strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), file) || strings.Contains(err.Error(), "delete")) {
				t.Errorf("%v, want it to say %q", err, test.says)
			}
			content, _ := os.ReadFile(file)
			if (test.says == "") == (string(content) == test.content) {
				t.Errorf("the file has\n%s", content)
			}
		})
	}
}

// TestReadyFileOfAnother: at its end an emulator leaves a file that another one has written.
func TestReadyFileOfAnother(t *testing.T) {
	t.Parallel()
	ready := filepath.Join(t.TempDir(), "ready")
	_, _, stop := start(t, "--ready-file", ready)
	const others = "http://127.0.0.1:1\n"
	if err := os.WriteFile(ready, []byte(others), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(ready); string(content) != others {
		t.Errorf("the file has %q, %v", content, err)
	}
}

// TestBadFlags checks what the flags themselves refuse.
func TestBadFlags(t *testing.T) {
	t.Parallel()
	for want, argument := range map[string]string{"METHOD PATH WHAT": "--fault=now", "must be an integer": "--capacity=many"} {
		flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
		Register(flags)
		if err := flags.Parse([]string{argument}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", argument, err)
		}
	}
}

// TestFirstIDGrows: a process that starts a second later assigns other IDs.
func TestFirstIDGrows(t *testing.T) {
	t.Parallel()
	now := time.Now()
	if first, later := firstID(now), firstID(now.Add(time.Second)); later-first != 10_000 || first < 1 {
		t.Errorf("%d, then %d", first, later)
	}
}
