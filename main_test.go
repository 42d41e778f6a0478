package main

import (
	"bufio"
	"context"
	"io"
	"log"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

func TestRunRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"a flag that is none":        {[]string{"-bogus"}, "-bogus"},
		"an argument":                {[]string{"serve"}, `unexpected argument "serve"`},
		"an address beyond the host": {[]string{"-emulator", "0.0.0.0:0"}, "-emulator-allow-remote"},
		"an address that is none":    {[]string{"-emulator", "nonsense"}, "nonsense"},
		"a flag of the emulator":     {[]string{"-seed", "world.json"}, "-seed needs -emulator ADDRESS"},
		"adopt without a directory":  {[]string{"-adopt"}, "-adopt needs a directory"},
		"adopt into two":             {[]string{"-adopt", "a", "-flat", "b"}, `second directory, "b"`},
		"two modes":                  {[]string{"-check", "-adopt", "new"}, "-check and -adopt cannot be used together"},
		"an emulator and a check":    {[]string{"-emulator", "127.0.0.1:0", "-check"}, "-emulator and -check cannot be used together"},
		"a flag of check":            {[]string{"-check-machine", "web1"}, "-check-machine needs -check"},
		"a flag of login":            {[]string{"-otp-stdin"}, "-otp-stdin needs -login"},
		"a port without a host":      {[]string{"-emulator", "8787"}, `"8787" is not a host and a port, such as 127.0.0.1:8787`},
		"a flag of adopt":            {[]string{"-flat"}, "-flat does not go with the other flags: it needs -adopt"},
		"a split without a part":     {[]string{"-adopt", "-from", "state.json", "new"}, "-from needs -select"},
		"a split of an estate":       {[]string{"-adopt", "-from", "state.json", "-select", "web/*", "-flat", "new"}, "-flat does not go"},
		"imports of nothing":         {[]string{"-adopt", "-imports-only"}, "-imports-only needs -config"},
		"a pattern that is none":     {[]string{"-adopt", "-name", "web[", "new"}, `-name "web[" is not a pattern`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := run(t.Context(), test.args, io.Discard, io.Discard)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v, want it to say %q", err, test.want)
			}
			if code := exitCode(err); code != 2 {
				t.Errorf("exit status %d, want 2", code)
			}
		})
	}
}

func TestRunPrintsTheVersion(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := run(t.Context(), []string{"-version"}, &out, io.Discard); err != nil || out.String() != version+"\n" {
		t.Errorf("got %q, %v", out.String(), err)
	}
	if log.Writer() != io.Discard { // of the HTTP library, which would quote answers and, to debug, the token
		t.Error("Go's own log is written")
	}
}

func TestRunExplainsItsFlags(t *testing.T) {
	t.Parallel()
	var help strings.Builder
	if err := run(t.Context(), []string{"-h"}, io.Discard, &help); err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"-debug", "-emulator address", "-boot-time", "-latency", "-vendor", "-emulator-allow-remote", "-version", "-seed", "-state", "-fault", "-check", "-login", "-token-file file", "-otp-stdin", "-session-validity", "-adopt", "-imports-only"} {
		if !strings.Contains(help.String(), flag) {
			t.Errorf("%s is not explained in\n%s", flag, help.String())
		}
	}
}

func TestRunServesTheEmulatorUntilItIsStopped(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	output, stdout := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- run(ctx, []string{"-emulator", "127.0.0.1:0", "-vendor", "acme"}, stdout, io.Discard)
		_ = stdout.Close()
	}()

	lines := bufio.NewScanner(output)
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	var endpoint string
	for endpoint == "" && lines.Scan() {
		endpoint = address.FindString(lines.Text())
	}
	go func() { _, _ = io.Copy(io.Discard, output) }()
	if endpoint == "" {
		t.Fatalf("no endpoint was printed: %v", <-done)
	}

	request, err := http.NewRequestWithContext(ctx, http.MethodGet, endpoint+"/definitions", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		t.Errorf("GET /definitions answered %s", response.Status)
	}

	stop()
	if err := <-done; err != nil {
		t.Errorf("stopping the emulator: %v", err)
	}
}
