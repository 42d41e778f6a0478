package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
)

func TestRunRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"a command that is none":       {[]string{"serve"}, `There is no command "serve".`},
		"a typo":                       {[]string{"chekc"}, `There is no command "chekc". Did you mean check?`},
		"the start of a command":       {[]string{"emu"}, `Did you mean emulator?`},
		"a flag that is none":          {[]string{"--bogus"}, "There is no flag --bogus."},
		"a command as a flag":          {[]string{"-adopt", "estate"}, "There is no flag --adopt. Did you mean adopt?"},
		"a typo in a flag":             {[]string{"emulator", "--boot-tim", "1s"}, "There is no flag --boot-tim. Did you mean --boot-time?"},
		"the same with one dash":       {[]string{"emulator", "-boot-tim", "1s"}, "There is no flag --boot-tim. Did you mean --boot-time?"},
		"a value that is none":         {[]string{"emulator", "--boot-time", "1x"}, `must be a duration like "30s"`},
		"a flag without its value":     {[]string{"login", "--token-file"}, "flag needs an argument: --token-file"},
		"a flag of another command":    {[]string{"check", "--otp-stdin"}, "There is no flag --otp-stdin."},
		"a flag twice":                 {[]string{"check", "--machine", "a", "-machine=b"}, "--machine is given twice, and has one value"},
		"an argument":                  {[]string{"check", "web1"}, `check takes no argument, and there is "web1"`},
		"two addresses":                {[]string{"emulator", "127.0.0.1:0", "127.0.0.1:1"}, `emulator takes one address, and there is also "127.0.0.1:1"`},
		"an address beyond the host":   {[]string{"emulator", "0.0.0.0:0"}, "--allow-remote"},
		"an address that is none":      {[]string{"emulator", "nonsense"}, "nonsense"},
		"a port without a host":        {[]string{"emulator", "8787"}, `"8787" is not a host and a port, such as 127.0.0.1:8787`},
		"adopt without a directory":    {[]string{"adopt"}, "adopt needs a directory"},
		"adopt into two":               {[]string{"adopt", "a", "--flat", "b"}, `there is also "b"`},
		"a pattern that is none":       {[]string{"adopt", "--name", "web[", "new"}, `--name "web[" is not a pattern`},
		"an argument of the version":   {[]string{"version", "1"}, `version takes no argument, and there is "1"`},
		"help about a typo":            {[]string{"help", "chekc"}, `There is no command "chekc". Did you mean check?`},
		"help about a wrong action":    {[]string{"help", "invoke", "vm_powr"}, `There is no command "vm_powr". Did you mean vm_power?`},
		"a shell that is none":         {[]string{"completion", "bsh"}, `There is no shell "bsh". Did you mean bash?`},
		"a debugger and a command":     {[]string{"-debug", "nonsense"}, `There is no command "nonsense"`},
		"a flag of the program's flag": {[]string{"check", "--debug"}, "There is no flag --debug."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := run(t.Context(), test.args, command.Streams{Out: io.Discard, Err: io.Discard})
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Count(err.Error(), "\n") > 5 {
				t.Errorf("the error is %v, want it to say %q in at most six lines", err, test.want)
			}
			if code := exitCode(err); code != 2 {
				t.Errorf("exit status %d, want 2", code)
			}
		})
	}
}

// TestNoEndpoint: commands have no provider block, so their messages name none.
func TestNoEndpoint(t *testing.T) {
	t.Setenv("CLOUDSERVER_ENDPOINT", "")
	for _, args := range [][]string{{"check"}, {"adopt", filepath.Join(t.TempDir(), "new")}, {"invoke", "vm_power", "virtual_machine_id=1", "state=stop"}} {
		var printed strings.Builder
		err := run(t.Context(), args, command.Streams{Out: &printed, Err: &printed})
		if text := fmt.Sprint(printed.String(), err); !strings.Contains(text, "Missing endpoint: Set CLOUDSERVER_ENDPOINT in the environment") || strings.Contains(text, "provider block") {
			t.Errorf("%s: %s", args[0], text)
		}
	}
}

func TestRunPrintsTheVersion(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := run(t.Context(), []string{"version"}, command.Streams{Out: &out}); err != nil || out.String() != version+"\n" {
		t.Errorf("got %q, %v", out.String(), err)
	}
	if log.Writer() != io.Discard { // of the HTTP library, which would quote answers and, to debug, the token
		t.Error("Go's own log is written")
	}
}

// TestHelp: the help of each command explains each of its flags, and is asked for in the usual ways.
func TestHelp(t *testing.T) {
	t.Parallel()
	help := func(args ...string) string {
		var out strings.Builder
		if err := run(t.Context(), args, command.Streams{Out: &out, Err: io.Discard}); err != nil {
			t.Errorf("%q: %v", args, err)
		}
		return out.String()
	}
	root := newTree(command.Streams{})
	for _, cmd := range root.Commands() {
		if !strings.Contains(help("-h"), "\n  "+cmd.Name()+" ") {
			t.Errorf("%s is not in the help of the program", cmd.Name())
		}
		text := help(cmd.Name(), "--help")
		if other := help("help", cmd.Name()); other != text {
			t.Errorf("help %s prints another text than %[1]s --help", cmd.Name())
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(text, "--"+f.Name+" ") && !strings.Contains(text, "--"+f.Name+"[=") || f.Usage == "" {
				t.Errorf("--%s is not explained in\n%s", f.Name, text)
			}
		})
		if cmd.Long == "" && cmd.HasFlags() {
			t.Errorf("%s has no description", cmd.Name())
		}
	}
}

// TestCompletion: shells complete commands and flags.
func TestCompletion(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"emulator\t":            {"__complete", "em"},
		"--boot-time\t":         {"__complete", "emulator", "--boot"},
		"complete":              {"completion", "zsh"},
		"vm_undelete\t":         {"__complete", "invoke", "vm_u"},
		"virtual_machine_id=\n": {"__complete", "invoke", "vm_power", "virt"},
		"--unprotected\t":       {"__complete", "invoke", "vm_power", "--unp"},
	} {
		var out strings.Builder
		if err := run(t.Context(), args, command.Streams{Out: &out, Err: io.Discard}); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%q: %v\n%.300s", args, err, out.String())
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
		done <- run(ctx, []string{"emulator", "127.0.0.1:0", "--vendor", "acme"}, command.Streams{Out: stdout, Err: io.Discard})
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

// TestPrintedErrorsShowNoSecret: an error of a command may quote an argument that contains the token.
func TestPrintedErrorsShowNoSecret(t *testing.T) {
	t.Parallel()
	if _, err := cloudserver.New(cloudserver.Config{Endpoint: "https://service.invalid", Token: "apikey.printed"}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	printError(&out, errors.New("there is no account apikey.printed"))
	printError(&out, command.Failed(1))
	if want := "terraform-provider-cloudserver: there is no account (hidden)\n"; out.String() != want {
		t.Errorf("printed %q", out.String())
	}
}
