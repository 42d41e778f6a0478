package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// What Terraform calls in which process, and in which order, decides whether resources of one configuration are protected
// from each other. `make test-walks` runs these tests with the newest Terraform.

// twin writes a second resource with the same object into the state, as a copied state or two imports leave it.
func (w *workspace) twin(of, name string) {
	w.t.Helper()
	text, err := os.ReadFile(w.path("terraform.tfstate"))
	if err != nil {
		w.t.Fatal(err)
	}
	var state map[string]any
	if err := json.Unmarshal(text, &state); err != nil {
		w.t.Fatal(err)
	}
	resources, _ := state["resources"].([]any)
	for _, r := range resources {
		if r, ok := r.(map[string]any); ok && r["name"] == of {
			copied := map[string]any{}
			for key, value := range r {
				copied[key] = value
			}
			copied["name"] = name
			state["resources"] = append(resources, copied)
		}
	}
	if text, err = json.Marshal(state); err != nil {
		w.t.Fatal(err)
	}
	w.write("terraform.tfstate", string(text))
}

// TestWalksGuards: among many new machines, whatever is done to one of two resources that have one machine is refused,
// and so are two machines of one name, in every plan: refreshed or not, however many resources Terraform plans at once,
// and whichever of the two it plans first.
func TestWalksGuards(t *testing.T) {
	t.Parallel()
	many, parallel := 30, []string{"-parallelism=1 -refresh=false", "-parallelism=100 -refresh=true"}
	if *full {
		many = 400
		for _, at := range []int{1, 10, 30, 100} {
			parallel = append(parallel, fmt.Sprintf("-parallelism=%d -refresh=false", at), fmt.Sprintf("-parallelism=%d -refresh=true", at))
		}
	}
	w := newWorkspace(t, acctest.StartEmulator(t, emulator.Options{}))
	block := requirement + w.service.ProviderBlock()
	first, second := machineNamed("first", `"web1"`), machineNamed("second", `"web1"`)
	more := machineNamed("more", `"new-${count.index}"`, fmt.Sprintf("  count = %d", many))
	w.write("main.tf", block+first)
	w.must("apply", "-auto-approve")
	w.twin("first", "second")
	destroyed, named := []string{"Cannot destroy virtual machine"}, []string{`Two machines of this configuration are to be named "web1"`}
	plan := func(text string, want []string, arguments ...string) {
		t.Helper()
		w.write("main.tf", block+more+text)
		for _, at := range parallel {
			w.refuses(want, append(arguments, strings.Fields(at)...)...)
		}
	}
	for _, name := range []string{"first", "second"} { // the CLI begins with one of them
		plan(first+second, destroyed, "plan", "-replace=cloudserver_vm."+name)
		w.must("taint", "cloudserver_vm."+name)
		plan(first+second, named, "plan")
		w.must("untaint", "cloudserver_vm."+name)
	}
	plan(first, destroyed, "plan")
	plan(second, destroyed, "plan")

	// One resource has the machine, and another one is to have its name.
	w.must("state", "rm", "cloudserver_vm.second")
	plan(first+second, named, "plan")
	twice := strings.ReplaceAll(machineNamed("twice", `"same"`, "  count = 2"), "first", "twice")
	plan(first+twice, []string{`Two machines of this configuration are named "same"`}, "plan")

	// Without a twin nothing is refused.
	w.write("main.tf", block+more+first)
	w.must("plan", "-replace=cloudserver_vm.first", "-parallelism=100")
	w.must("taint", "cloudserver_vm.first")
	w.must("plan", "-refresh=false")
	w.write("main.tf", block)
	w.must("plan")
}

// TestWalksOfATest: the runs of a test's file plan and apply the same names again and again, in one process if the file
// configures the provider.
func TestWalksOfATest(t *testing.T) {
	t.Parallel()
	for name, inFile := range map[string]bool{"provider block in the file": true, "in the configuration": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t, acctest.StartEmulator(t, emulator.Options{}))
			config, file := w.service.ProviderBlock(), ""
			if inFile {
				config, file = file, config
			}
			w.write("main.tf", requirement+config+"variable \"name\" {\n  default = \"web1\"\n}\nresource \"cloudserver_group\" \"a\" {\n  name = \"for-${var.name}\"\n}\n"+
				machineNamed("web", "var.name", "  group = cloudserver_group.a.name")+machineNamed("other", `"${var.name}-other"`, "  group = cloudserver_group.a.name"))
			if err := os.Mkdir(w.path("tests"), 0o700); err != nil {
				t.Fatal(err)
			}
			for i, run := range []string{"command = plan", "command = plan", "", "command = plan\n  variables {\n    name = \"web2\"\n  }", "", "variables {\n    name = \"web3\"\n  }"} {
				file += fmt.Sprintf("run \"run_%d\" {\n  %s\n}\n", i, run)
			}
			w.write("tests/all.tftest.hcl", file)
			if output := unwrapped(w.must("test", "-no-color")); !strings.Contains(output, "6 passed, 0 failed") || strings.Contains(output, "Two ") {
				t.Error(output)
			}
			if left := len(w.service.Machines()); left > 0 {
				t.Errorf("%d machines are left", left)
			}
		})
	}
}
