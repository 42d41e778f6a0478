// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestEmulatedEndpoint: two provider blocks, which the CLI runs in two processes at the same time, share one world, in
// which each command continues where the previous one stopped. No file has a secret.
func TestEmulatedEndpoint(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	secrets := []string{"apikey.horse", "correct-horse"}
	w.env = append(w.env, "CLOUDSERVER_TOKEN="+secrets[0], "TF_VAR_root_password="+secrets[1])
	w.write("main.tf", requirement+`
variable "root_password" {
  sensitive = true
  ephemeral = true
}
provider "cloudserver" {
  endpoint = "emulator:world.json?boot-time=0s"
}
provider "cloudserver" {
  alias    = "other"
  endpoint = "emulator:world.json?boot-time=0s&latency=2ms"
  group    = "private"
}
resource "cloudserver_vm" "one" {
  count = 10
  name  = "one${count.index}"
  disc {
    label = "vda"
    size  = 25600
  }
  reimage {
    distribution  = "bookworm"
    root_password = var.root_password
  }
}
resource "cloudserver_vm" "other" {
  provider = cloudserver.other
  count    = 10
  name     = "other${count.index}"
  disc {
    label = "vda"
    size  = 25600
  }
}
`)
	if output := w.must(command("apply")...); !strings.Contains(output, "Warning: The service is emulated") {
		t.Errorf("nothing says that no machine is real:\n%s", output)
	}
	w.must("plan", "-no-color", "-detailed-exitcode")
	ids := map[int64]bool{}
	for _, m := range w.inWorld("world.json") {
		ids[m.ID] = true
	}
	if len(ids) != 20 || len(w.tracked()) != 20 {
		t.Errorf("%d machines, %d in the state", len(ids), len(w.tracked()))
	}
	w.expectNowhere(secrets...)
	w.must(command("destroy")...)
	if found := w.inWorld("world.json"); len(found) > 0 {
		t.Errorf("left: %+v", found)
	}
}

// TestKilledEmulatedEndpoint: the process of the provider is killed while it renames machines. Its world is complete, and
// the next apply continues. The driver has no process to kill.
func TestKilledEmulatedEndpoint(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.env = append(w.env, "CLOUDSERVER_ENDPOINT=emulator:world.json?boot-time=0s&latency=20ms")
	configure := func(name string) {
		w.write("main.tf", requirement+machineNamed("web", `"`+name+`${count.index}"`, "  count = 12"))
	}
	renamed := func() (count int) {
		for _, m := range w.inWorld("world.json") {
			if strings.HasPrefix(m.Name, "app") {
				count++
			}
		}
		return count
	}
	configure("web")
	w.must(command("apply")...)

	configure("app")
	cli, output := w.start(append(command("apply"), "-parallelism=1")...)
	for began := time.Now(); renamed() == 0; time.Sleep(time.Millisecond) { // processes live in real time
		if time.Since(began) > 20*time.Second {
			t.Fatalf("no machine is renamed:\n%s", output)
		}
	}
	w.killProviders()
	if err := cli.Wait(); err == nil || len(w.tracked()) != 12 {
		t.Errorf("the killed apply: %v, %d machines in the state\n%s", err, len(w.tracked()), output)
	}
	w.must(command("apply")...)
	if len(w.tracked()) != 12 || renamed() != 12 {
		t.Errorf("%d machines are renamed, %d in the state", renamed(), len(w.tracked()))
	}
}

// TestRunsOfATestFile: the runs of a file of `terraform test` use one world, and leave nothing. Only the CLI destroys what
// they created.
func TestRunsOfATestFile(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.write("main.tf", requirement+"variable \"memory\" {\n  default = 1024\n}\n"+machineNamed("web", `"web1"`, "  memory = var.memory", "  allow_stopping_for_update = true"))
	w.write("machine.tftest.hcl", `
provider "cloudserver" {
  endpoint = "emulator:world.json?boot-time=0s"
}
run "created" {
  assert {
    condition     = cloudserver_vm.web.power_on
    error_message = "It is off."
  }
}
run "changed" {
  variables {
    memory = 2048
  }
  assert {
    condition     = cloudserver_vm.web.memory == 2048
    error_message = "It was not changed."
  }
}
`)
	if output := w.must("test", "-no-color"); !strings.Contains(output, "2 passed, 0 failed") {
		t.Error(output)
	}
	if found := w.inWorld("world.json"); len(found) > 0 {
		t.Errorf("left: %+v", found)
	}
}

// inWorld returns the machines of a world.
func (w *workspace) inWorld(name string) []emulator.Machine {
	w.t.Helper()
	e := emulator.New(emulator.Options{})
	if err := e.Resume([]byte(w.read(name))); err != nil {
		w.t.Fatalf("%s is no world: %v", name, err)
	}
	return e.Machines()
}

// read returns the content of a file, or "" if it does not exist.
func (w *workspace) read(name string) string {
	content, _ := os.ReadFile(w.path(name))
	return string(content)
}

// expectNowhere checks that no file of the workspace has a secret.
func (w *workspace) expectNowhere(secrets ...string) {
	w.t.Helper()
	err := filepath.WalkDir(w.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		for _, secret := range secrets {
			if bytes.Contains(content, []byte(secret)) {
				w.t.Errorf("%s has %q", path, secret)
			}
		}
		return err
	})
	if err != nil {
		w.t.Error(err)
	}
}
