//go:build release

package release_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestVersion checks that the program in the archive knows its version.
func TestVersion(t *testing.T) {
	t.Parallel()
	r := open(t)
	output, err := exec.CommandContext(t.Context(), r.unpack(t), "-version").CombinedOutput()
	if err != nil || strings.TrimSpace(string(output)) != r.version {
		t.Errorf("-version prints %q, %v; want %q", output, err, r.version)
	}
}

const configuration = `
terraform {
  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "%s"
    }
  }
}

resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }
}
`

// TestPlanFromMirror installs the archive from a mirror in the file system, and plans a machine against the emulator in the same
// archive.
func TestPlanFromMirror(t *testing.T) {
	t.Parallel()
	r := open(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), fmt.Appendf(nil, configuration, r.version), 0o600); err != nil {
		t.Fatal(err)
	}
	mirror, err := exec.CommandContext(t.Context(), "../mirror.sh", r.dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	env := append(emulate(t, r.unpack(t)), "TF_CLI_CONFIG_FILE="+strings.TrimSpace(string(mirror)), "HOME="+dir)

	for _, step := range []struct{ command, want string }{
		{"init", "Installed cloudserver/cloudserver v" + r.version},
		{"plan", "Plan: 1 to add, 0 to change, 0 to destroy."},
	} {
		command := exec.CommandContext(t.Context(), terraform(), step.command, "-no-color", "-input=false")
		command.Dir, command.Env = dir, append(os.Environ(), env...)
		output, err := command.CombinedOutput()
		if err != nil || !strings.Contains(string(output), step.want) {
			t.Fatalf("%s: %v, want %q in\n%s", step.command, err, step.want, output)
		}
	}
}

func terraform() string {
	if cli := os.Getenv("TERRAFORM"); cli != "" {
		return cli
	}
	return "terraform"
}

var export = regexp.MustCompile(`^\s*export (CLOUDSERVER_(?:ENDPOINT|TOKEN|ACCOUNT|GROUP)=\S+)`)

// emulate starts the program's emulator for as long as the test runs, and returns the environment to reach it.
func emulate(t *testing.T, program string) (env []string) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	command := exec.CommandContext(ctx, program, "-emulator", "127.0.0.1:0")
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		_ = command.Wait() // it was killed
	})
	printed, deadline := lines(stdout), time.After(10*time.Second)
	for len(env) < 3 { // endpoint, token and account
		select {
		case line, ok := <-printed:
			if !ok {
				t.Fatal("the emulator ended")
			}
			if found := export.FindStringSubmatch(line); found != nil {
				env = append(env, found[1])
			}
		case <-deadline:
			t.Fatalf("the emulator printed no way to reach it, only %v", env)
		}
	}
	return env
}
