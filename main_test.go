// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bufio"
	"context"
	"io"
	"log"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
)

// TestMistakes: a mistake in the arguments has exit status 2.
func TestMistakes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"a typo":                    {[]string{"chekc"}, "Did you mean this?\n\tcheck"},
		"a flag that is none":       {[]string{"--bogus"}, "unknown flag: --bogus; terraform-provider-cloudserver --help lists"},
		"a value that is none":      {[]string{"login", "--session-validity", "1x"}, "invalid argument \"1x\""},
		"a flag of another command": {[]string{"check", "--otp-stdin"}, "unknown flag: --otp-stdin"},
		"an argument":               {[]string{"check", "web1"}, "web1"},
		"two addresses":             {[]string{"emulator", "127.0.0.1:0", "127.0.0.1:1"}, "accepts at most 1 arg(s)"},
		"an address of all":         {[]string{"emulator", "0.0.0.0:0"}, "--allow-remote"},
		"adopt without a directory": {[]string{"adopt"}, "adopt needs one directory"},
		"a directory below ~":       {[]string{"adopt", "~/estate"}, `the directory is "~/estate". Only shells expand ~, at the beginning of a word without quotes: write "$HOME/estate"`},
		"a pattern that is none":    {[]string{"adopt", "--name", "web[", "new"}, "--name \"web[\" is not a pattern"},
		"an action that is none":    {[]string{"invoke", "vm_powr"}, `there is no action "vm_powr". Did you mean vm_power?`},
		"with the provider's name":  {[]string{"invoke", "cloudserver_disc_backp", "disc_id=1"}, "Did you mean disc_backup?"},
		"nothing like an action":    {[]string{"invoke", "frobnicate"}, "invoke --help lists them"},
		"no action":                 {[]string{"invoke"}, "invoke needs an action"},
		"no argument of an action":  {[]string{"invoke", "vm_undelete"}, "vm_undelete needs virtual_machine_id=…"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := run(t.Context(), test.args, cmd.Streams{Out: io.Discard, Err: io.Discard})
			if err == nil || !strings.Contains(err.Error(), test.want) || cmd.ExitStatus(err) != cmd.ExitMisused {
				t.Errorf("%v with exit status %d, want %q and 2", err, cmd.ExitStatus(err), test.want)
			}
		})
	}
}

// TestNoEndpoint: every command that needs the service says what is missing.
func TestNoEndpoint(t *testing.T) {
	t.Setenv("CLOUDSERVER_ENDPOINT", "")
	t.Setenv("CLOUDSERVER_TOKEN_FILE", filepath.Join(t.TempDir(), "token"))
	for _, args := range [][]string{
		{"check"}, {"login"}, {"adopt", filepath.Join(t.TempDir(), "new")}, {"invoke", "vm_undelete", "virtual_machine_id=1"},
	} {
		err := run(t.Context(), args, cmd.Streams{Out: io.Discard, Err: io.Discard})
		if err == nil || !strings.Contains(err.Error(), "set CLOUDSERVER_ENDPOINT") || strings.Contains(err.Error(), "block") {
			t.Errorf("%s: %v", args[0], err)
		}
	}
}

func TestRunPrintsTheVersion(t *testing.T) {
	t.Parallel()
	for _, argument := range []string{"version", "--version"} {
		var out strings.Builder
		if err := run(t.Context(), []string{argument}, cmd.Streams{Out: &out}); err != nil || out.String() != version+"\n" {
			t.Errorf("%s: got %q, %v", argument, out.String(), err)
		}
	}
	if log.Writer() != io.Discard { // of the HTTP library, which would quote answers and, to debug, the token
		t.Error("Go's own log is written")
	}
}

// TestHelp: each command has a help, and actions have one that is made from their schemas.
func TestHelp(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"\n  invoke ":                         {"--help"},
		"\n  vm_power ":                       {"invoke", "--help"},
		"ID of the machine. Required.":        {"help", "invoke", "vm_power"},
		"only groups whose name matches":      {"adopt", "--help"},
		"the file to write":                   {"login", "--help"},
		"The exit status is 0 if the service": {"check", "--help"},
		"vm_undelete\t":                       {"__complete", "invoke", "vm_u"},
		"# zsh completion":                    {"completion", "zsh"},
		"By hand, it has these commands":      {"help"},
	} {
		var out strings.Builder
		if err := run(t.Context(), args, cmd.Streams{Out: &out, Err: io.Discard}); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%q: %v, want %q\n%.500s", args, err, want, out.String())
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
		done <- run(ctx, []string{"emulator", "127.0.0.1:0", "--latency", "1ms"}, cmd.Streams{Out: stdout, Err: io.Discard})
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
