package e2e_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

var writeEdition = flag.Bool("write-edition", false, "write the state, the plan and the world of the newest folder in testdata/editions")

// TestEditions: the current version reads what a released edition wrote. A state plans no change, a change plans the
// same as then, the apply succeeds, and the emulator loads the world and the seed. The CLI refuses a saved plan after
// the provider has changed.
func TestEditions(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob("testdata/editions/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no edition: %v", err)
	}
	for i, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			f := edition{t, folder}
			if *writeEdition && i == len(folders)-1 {
				f.write()
			}
			f.replay()
		})
	}
}

// edition is a folder with before.tf, its state and the service's data, with after.tf and its plan, and with a seed and
// what it loads.
type edition struct {
	t      *testing.T
	folder string
}

func (f edition) write() {
	f.t.Helper()
	w := f.workspace(nil)
	w.must("apply", "-auto-approve")
	for _, m := range w.service.Machines() {
		if m.Name == "web1" {
			w.service.AddDisc(m.ID, emulator.Disc{Label: "somebody's", Size: 10240, StorageGrade: "sata"})
		}
	}
	w.must("apply", "-refresh-only", "-auto-approve")
	f.save("terraform.tfstate", f.load(w.path("terraform.tfstate")))
	f.save("world.json", w.service.State())
	f.save("plan.json", w.planned(f.load(f.path("after.tf"))))
	f.save("seed.loaded.json", f.seed().State())
}

func (f edition) replay() {
	f.t.Helper()
	w := f.workspace(f.load(f.path("world.json")))
	w.write("terraform.tfstate", string(f.load(f.path("terraform.tfstate"))))
	w.must("plan", "-detailed-exitcode")
	then, now := f.changes(f.load(f.path("plan.json"))), f.changes(w.planned(f.load(f.path("after.tf"))))
	for address, change := range now {
		change.dropNewer(then[address])
	}
	if diff := cmp.Diff(then, now); diff != "" {
		f.t.Errorf("planned then and now (-then +now):\n%s", diff)
	}
	w.must("apply", "-auto-approve", "after.tfplan")
	w.must("plan", "-detailed-exitcode")
	w.must("destroy", "-auto-approve")
	if diff := cmp.Diff(string(f.load(f.path("seed.loaded.json"))), string(f.seed().State())); diff != "" {
		f.t.Errorf("a seed loaded then and now (-then +now):\n%s", diff)
	}
}

func (f edition) path(name string) string { return filepath.Join(f.folder, name) }

func (f edition) load(path string) []byte {
	f.t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		f.t.Fatal(err)
	}
	return content
}

func (f edition) save(name string, content []byte) {
	f.t.Helper()
	if err := os.WriteFile(f.path(name), content, 0o644); err != nil {
		f.t.Fatal(err)
	}
}

// seed returns an emulator with the edition's seed.
func (f edition) seed() *emulator.Emulator {
	f.t.Helper()
	e := acctest.NewEmulator(f.t, emulator.Options{})
	if err := e.Load(f.load(f.path("seed.json"))); err != nil {
		f.t.Fatal(err)
	}
	return e
}

// workspace returns a workspace with before.tf, and a service with that world.
func (f edition) workspace(world []byte) *workspace {
	f.t.Helper()
	service := acctest.StartEmulator(f.t, emulator.Options{})
	if world != nil {
		if err := service.Load(world); err != nil {
			f.t.Fatal(err)
		}
	}
	w := newWorkspace(f.t, service)
	w.env = append(w.env, "CLOUDSERVER_ENDPOINT="+service.URL, "CLOUDSERVER_TOKEN="+emulator.DemoAPIKey, "CLOUDSERVER_ACCOUNT="+emulator.DemoAccount)
	w.write("main.tf", string(f.load(f.path("before.tf"))))
	return w
}

// must runs the CLI, which must succeed. A plan with -detailed-exitcode succeeds if it is empty.
func (w *workspace) must(arguments ...string) string {
	w.t.Helper()
	output, err := w.run(arguments...)
	if err != nil {
		w.t.Fatalf("%v: %v\n%s", arguments, err, output)
	}
	return output
}

// planned plans a configuration into after.tfplan, and returns its actions by address.
func (w *workspace) planned(config []byte) []byte {
	w.t.Helper()
	w.write("main.tf", string(config))
	w.must("plan", "-out=after.tfplan")
	var plan struct {
		Changes []struct {
			Address string        `json:"address"`
			Change  plannedChange `json:"change"`
		} `json:"resource_changes"`
	}
	if err := json.Unmarshal([]byte(w.must("show", "-json", "after.tfplan")), &plan); err != nil {
		w.t.Fatal(err)
	}
	changes := map[string]plannedChange{}
	for _, c := range plan.Changes {
		changes[c.Address] = c.Change
	}
	text, err := json.MarshalIndent(changes, "", "  ")
	if err != nil {
		w.t.Fatal(err)
	}
	return append(text, '\n')
}

// plannedChange is what a plan does to one object.
type plannedChange struct {
	Actions      []string `json:"actions"`
	After        any      `json:"after"`
	AfterUnknown any      `json:"after_unknown"`
}

// changes reads what planned returned.
func (f edition) changes(text []byte) (changes map[string]plannedChange) {
	f.t.Helper()
	if err := json.Unmarshal(text, &changes); err != nil {
		f.t.Fatal(err)
	}
	return changes
}

// dropNewer drops attributes that were added to the schema after the other plan was made.
func (c plannedChange) dropNewer(then plannedChange) {
	dropNewer(c.After, then.After, then.AfterUnknown)
	dropNewer(c.AfterUnknown, then.After, then.AfterUnknown)
}

func dropNewer(now, then, unknown any) {
	switch now := now.(type) {
	case map[string]any:
		had, _ := then.(map[string]any)
		unknowns, _ := unknown.(map[string]any)
		for name := range now {
			if !has(had, name) && !has(unknowns, name) {
				delete(now, name)
			} else {
				dropNewer(now[name], had[name], unknowns[name])
			}
		}
	case []any:
		had, _ := then.([]any)
		unknowns, _ := unknown.([]any)
		for i := range min(len(now), len(had)) {
			var unknown any
			if i < len(unknowns) {
				unknown = unknowns[i]
			}
			dropNewer(now[i], had[i], unknown)
		}
	}
}

func has(object map[string]any, name string) bool { _, ok := object[name]; return ok }
