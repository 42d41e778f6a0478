// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// workspace is a folder in which the real CLI works with the real provider.
type workspace struct {
	t       testing.TB
	dir     string
	service *acctest.Emulator
	env     []string
}

// newWorkspace prepares the folder. A script in place of the provider records the IDs of the processes that the CLI
// starts.
func newWorkspace(t *testing.T, service *acctest.Emulator) *workspace {
	t.Helper()
	path, err := acctest.BuildProvider()
	if err != nil {
		t.Fatal(err)
	}
	w := &workspace{t: t, dir: t.TempDir(), service: service}
	plugins := filepath.Join(w.dir, "plugins")
	if err := os.Mkdir(plugins, 0o700); err != nil {
		t.Fatal(err)
	}
	w.write("plugins/terraform-provider-cloudserver", fmt.Sprintf("#!/bin/sh\necho $$ >>%q\nexec %q \"$@\"\n", w.path("pids"), path))
	w.write("cli.tfrc", fmt.Sprintf("disable_checkpoint = true\nprovider_installation {\n  dev_overrides {\n    \"registry.terraform.io/cloudserver/cloudserver\" = %q\n  }\n  direct {}\n}\n", plugins))
	w.env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+w.path("cli.tfrc"), "TF_IN_AUTOMATION=1", "TF_INPUT=0")
	t.Cleanup(func() { w.killProviders() })
	return w
}

func (w *workspace) path(name string) string { return filepath.Join(w.dir, name) }

func (w *workspace) write(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(w.path(name), []byte(text), 0o700); err != nil {
		w.t.Fatal(err)
	}
}

const requirement = `terraform {
  required_providers {
    cloudserver = { source = "registry.terraform.io/cloudserver/cloudserver" }
  }
}
`

// configure writes a configuration of one machine.
func (w *workspace) configure(cores int) {
	w.t.Helper()
	w.write("main.tf", requirement+fmt.Sprintf(`%s
resource "cloudserver_vm" "web" {
  name   = "web1"
  cores  = %d
  memory = 2048

  allow_stopping_for_update = true

  disc {
    label = "vda"
    size  = 25600
  }
  reimage {
    distribution             = "bookworm"
    root_password = %q
    revision      = "1"
  }
}
`, w.service.ProviderBlock(), cores, rootPassword))
}

// start runs the CLI in a separate process group, as a terminal does.
func (w *workspace) start(arguments ...string) (command *exec.Cmd, output *strings.Builder) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	w.t.Cleanup(cancel)
	command = exec.CommandContext(ctx, acctest.CLI(), arguments...)
	output = &strings.Builder{}
	command.Dir, command.Env = w.dir, w.env
	command.Stdout, command.Stderr = output, output
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.WaitDelay = time.Second // providers that outlive the CLI hold its output open
	if err := command.Start(); err != nil {
		w.t.Fatal(err)
	}
	return command, output
}

// run runs the CLI until it ends.
func (w *workspace) run(arguments ...string) (output string, err error) {
	w.t.Helper()
	command, text := w.start(arguments...)
	err = command.Wait()
	return text.String(), err
}

// must runs the CLI, which must succeed, and returns its output.
func (w *workspace) must(arguments ...string) string {
	w.t.Helper()
	output, err := w.run(arguments...)
	if err != nil {
		w.t.Fatalf("%v: %v\n%s", arguments, err, output)
	}
	return output
}

// command returns the arguments that apply or destroy without a question.
func command(operation string) []string {
	return []string{operation, "-auto-approve", "-no-color"}
}

// unwrapped returns the CLI's output in one line, without the frames of its messages.
func unwrapped(output string) string {
	var words []string
	for line := range strings.Lines(output) {
		words = append(words, strings.Fields(strings.TrimPrefix(line, "│"))...)
	}
	return strings.Join(words, " ")
}

// refuses runs the CLI, which must fail and print all of want.
func (w *workspace) refuses(want []string, arguments ...string) {
	w.t.Helper()
	output, err := w.run(append(arguments, "-no-color")...)
	if err == nil {
		w.t.Errorf("%v succeeds:\n%s", arguments, output)
	}
	for _, text := range want {
		if !strings.Contains(unwrapped(output), text) {
			w.t.Errorf("%v does not say %q:\n%s", arguments, text, output)
		}
	}
}

// processes returns the IDs of the providers that the CLI has started so far, in order.
func (w *workspace) processes() (pids []int) {
	text, err := os.ReadFile(w.path("pids"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.t.Error(err)
	}
	for field := range strings.FieldsSeq(string(text)) {
		if pid, err := strconv.Atoi(field); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// killProviders kills those that outlived their CLI.
func (w *workspace) killProviders() {
	for _, pid := range w.processes() {
		// Most have ended by themselves.
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// tracked returns the IDs of the machines in the state file.
func (w *workspace) tracked() (ids []string) {
	w.t.Helper()
	text, err := os.ReadFile(w.path("terraform.tfstate"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var state struct {
		Resources []struct {
			Instances []struct {
				Attributes struct{ ID string }
			}
		}
	}
	if err == nil {
		err = json.Unmarshal(text, &state)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	for _, resource := range state.Resources {
		for _, instance := range resource.Instances {
			ids = append(ids, instance.Attributes.ID)
		}
	}
	return ids
}
