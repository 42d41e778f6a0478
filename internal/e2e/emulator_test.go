package e2e_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// emulated configures a workspace with an emulator in the provider's own process.
func (w *workspace) emulated(endpoint string) {
	w.env = append(slices.DeleteFunc(w.env, func(variable string) bool { return strings.HasPrefix(variable, "CLOUDSERVER_") }), "CLOUDSERVER_ENDPOINT=emulator:"+endpoint)
}

// inWorld returns the machines of a world.
func (w *workspace) inWorld(name string) []emulator.Machine {
	w.t.Helper()
	content, err := os.ReadFile(w.path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	e := acctest.NewEmulator(w.t, emulator.Options{})
	if err := e.Resume(content); err != nil {
		w.t.Fatalf("%s is no world: %v", name, err)
	}
	return e.Machines()
}

// TestEmulatorInTheProvider: the endpoint alone is enough for a machine's whole life, without a server or credentials.
// Each command continues where the previous one stopped and warns that nothing is real, and no file contains a secret.
func TestEmulatorInTheProvider(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.emulated("")
	secrets := []string{"apikey.horse", "battery-staple", "correct-horse"}
	w.env = append(w.env, "CLOUDSERVER_TOKEN="+secrets[0], "CLOUDSERVER_PASSWORD="+secrets[1], "TF_VAR_root_password="+secrets[2])
	w.write("main.tf", requirement+strings.Replace(machine, "name = \"web1\"\n", `name = "web1"
  reimage {
    distribution  = "bookworm"
    root_password = var.root_password
  }
`, 1)+`
variable "root_password" {
  sensitive = true
  ephemeral = true
}
`)
	warned := func(output string) string {
		if !strings.Contains(output, "Warning: The service is emulated") {
			t.Errorf("nobody says that nothing is real:\n%s", output)
		}
		return output
	}
	warned(w.must(command("apply")...))
	if output := warned(w.must("plan", "-no-color", "-detailed-exitcode")); !strings.Contains(output, "No changes") {
		t.Errorf("the plan is not empty:\n%s", output)
	}
	const world = ".terraform/cloudserver-emulator.json"
	if found := w.inWorld(world); len(found) != 1 || !found[0].PowerOn || found[0].LastImagedWith != "bookworm" || !found[0].RootPasswordSet {
		t.Errorf("in the world: %+v", found)
	}
	err := filepath.WalkDir(w.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		for _, secret := range secrets {
			if bytes.Contains(content, []byte(secret)) {
				t.Errorf("%s has %q", path, secret)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	warned(w.must(command("destroy")...))
	if found := w.inWorld(world); len(found) != 0 || len(w.tracked()) != 0 {
		t.Errorf("left: %+v, %v", found, w.tracked())
	}
}

// TestTwoEmulatedProviders: two configurations of the provider, in two processes, share one world.
func TestTwoEmulatedProviders(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.write("main.tf", requirement+`
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
	w.must(command("apply")...)
	w.must("plan", "-no-color", "-detailed-exitcode")
	ids := map[int64]bool{}
	for _, m := range w.inWorld("world.json") {
		ids[m.ID] = true
	}
	if len(ids) != 20 || len(w.tracked()) != 20 {
		t.Errorf("%d machines, %d in the state", len(ids), len(w.tracked()))
	}
	w.must(command("destroy")...)
	if found := w.inWorld("world.json"); len(found) > 0 {
		t.Errorf("left: %+v", found)
	}
}

// TestKilledEmulatedProviders: whenever the processes are killed, the world contains what the state contains. The next
// apply continues.
func TestKilledEmulatedProviders(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.emulated("world.json?boot-time=100ms&latency=20ms")
	w.write("main.tf", requirement+strings.Replace(machine, `name = "web1"`, "count = 12\n  name  = \"web${count.index}\"", 1))
	for n := range 4 {
		w.must("destroy", "-auto-approve", "-no-color")
		command, _ := w.start(command("apply")...)
		// A moment of real processes, after the first machine was created.
		for began := time.Now(); !strings.Contains(w.read("world.json"), `"web`) && time.Since(began) < 20*time.Second; {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(n) * 50 * time.Millisecond)
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
		w.killProviders()
		_ = command.Wait() // killed
		there := map[string]bool{}
		for _, m := range w.inWorld("world.json") {
			there[fmt.Sprint(m.ID)] = true
		}
		for _, id := range w.tracked() {
			if !there[id] {
				t.Errorf("machine %s is in the state and not in the world", id)
			}
		}
		// A world that was deleted starts again, without what the state still contains.
		if err := os.Remove(w.path("world.json")); err != nil {
			t.Fatal(err)
		}
		w.must("apply", "-auto-approve", "-no-color")
		if found := len(w.inWorld("world.json")); found != 12 || len(w.tracked()) != 12 {
			t.Errorf("%d machines, %d in the state", found, len(w.tracked()))
		}
	}
}

// read returns the content of a file, or "" if it does not exist.
func (w *workspace) read(name string) string {
	content, _ := os.ReadFile(w.path(name))
	return string(content)
}
