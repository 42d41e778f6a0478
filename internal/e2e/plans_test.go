package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// Only the CLI shows what Terraform passes to a provider, and in which order.

// machineNamed is a machine with further lines.
func machineNamed(resource, name string, lines ...string) string {
	return fmt.Sprintf("resource \"cloudserver_vm\" %q {\n  name = %s\n  disc {\n    label = \"vda\"\n    size  = 25600\n  }\n%s\n}\n", resource, name, strings.Join(lines, "\n"))
}

// unwrapped returns the CLI's output in one line.
func unwrapped(output string) string { return strings.Join(strings.Fields(plain(output)), " ") }

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

// TestImportOfWhatTheStateHas: terraform import neither refreshes nor plans.
func TestImportOfWhatTheStateHas(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, acctest.StartEmulator(t, emulator.Options{}))
	w.write("main.tf", requirement+w.service.ProviderBlock()+machineNamed("web", `"web1"`))
	w.must("apply", "-auto-approve")
	w.write("main.tf", requirement+w.service.ProviderBlock()+machineNamed("web", `"web1"`)+machineNamed("other", `"web1"`))
	w.refuses([]string{"for a second resource"}, "import", "cloudserver_vm.other", "default/web1")
	if tracked := w.tracked(); len(tracked) != 1 {
		t.Errorf("the state has %v", tracked)
	}
}

// TestTaintAndProtectionInOneApply: Terraform does not plan the delete of a tainted machine.
func TestTaintAndProtectionInOneApply(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, acctest.StartEmulator(t, emulator.Options{}))
	w.write("main.tf", requirement+w.service.ProviderBlock()+machineNamed("web", `"web1"`))
	w.must("apply", "-auto-approve")
	w.must("taint", "cloudserver_vm.web")
	w.write("main.tf", requirement+w.service.ProviderBlock()+machineNamed("web", `"web1"`, "  deletion_protection = true"))
	before := w.tracked()
	for _, refresh := range []string{"-refresh=true", "-refresh=false"} {
		w.refuses([]string{`Cannot destroy virtual machine "web1"`, "terraform untaint"}, "apply", "-auto-approve", refresh)
	}
	w.must("untaint", "cloudserver_vm.web")
	w.must("apply", "-auto-approve")
	if after := w.tracked(); len(after) != 1 || after[0] != before[0] {
		t.Errorf("the state has %v, and had %v", after, before)
	}
}

// TestCountLosesItsFirstElement: the machines move up in the list, and the last one is destroyed.
func TestCountLosesItsFirstElement(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, acctest.StartEmulator(t, emulator.Options{}))
	count := func(names string) string {
		return requirement + w.service.ProviderBlock() + "locals {\n  names = [" + names + "]\n}\n" + machineNamed("web", "local.names[count.index]", "  count = length(local.names)")
	}
	w.write("main.tf", count(`"web1", "web2", "web3"`))
	w.must("apply", "-auto-approve")
	ids := w.tracked()
	w.write("main.tf", count(`"web2", "web3"`))
	output := unwrapped(w.must("plan", "-no-color"))
	if want := fmt.Sprintf(`"web3" (ID %s) is destroyed, and "web2" (ID %s) takes its name.`, ids[2], ids[1]); !strings.Contains(output, want) {
		t.Errorf("the plan does not say %q:\n%s", want, output)
	}
	w.write("main.tf", requirement+w.service.ProviderBlock()+machineNamed("web", "each.value", `  for_each = toset(["web2", "web3"])`)+
		"moved {\n  from = cloudserver_vm.web[1]\n  to = cloudserver_vm.web[\"web2\"]\n}\nmoved {\n  from = cloudserver_vm.web[2]\n  to = cloudserver_vm.web[\"web3\"]\n}\n")
	if output := w.must("apply", "-auto-approve", "-no-color"); !strings.Contains(output, "0 added, 0 changed, 1 destroyed") {
		t.Errorf("with for_each:\n%s", output)
	}
	if left := w.tracked(); len(left) != 2 || left[0] != ids[1] || left[1] != ids[2] {
		t.Errorf("the state has %v, of %v", left, ids)
	}
}

// TestRenamedGroupOfMachinesByID: a machine that refers to the name of a group, and is updated in the apply that renames
// the group, has its hostname and the group's name right after that apply; so has one that refers to both. One that has
// the ID alone is right after the next refresh.
func TestRenamedGroupOfMachinesByID(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, acctest.StartEmulator(t, emulator.Options{}))
	configure := func(group, keymap, literal string) {
		t.Helper()
		text := requirement + w.service.ProviderBlock() + fmt.Sprintf("resource \"cloudserver_group\" \"a\" {\n  name = %q\n}\n", group)
		for name, place := range map[string]string{
			"by_id":   "group_id = cloudserver_group.a.id",
			"by_name": "group = cloudserver_group.a.name",
			"by_both": "group_id = cloudserver_group.a.id\n  group = cloudserver_group.a.name",
			"literal": fmt.Sprintf("group_id = %q", literal),
		} {
			if place != `group_id = ""` {
				text += machineNamed(name, fmt.Sprintf("%q", strings.ReplaceAll(name, "_", "-")), "  "+place, fmt.Sprintf("  keymap = %q", keymap))
			}
		}
		w.write("main.tf", text+"output \"id\" {\n  value = cloudserver_group.a.id\n}\noutput \"hosts\" {\n  value = [for m in [cloudserver_vm.by_name, cloudserver_vm.by_both] : \"${m.group} ${m.hostname}\"]\n}\n")
	}
	configure("blue", "de", "")
	w.must("apply", "-auto-approve")
	id := strings.TrimSpace(w.must("output", "-raw", "id"))
	configure("blue", "de", id)
	w.must("apply", "-auto-approve")
	configure("green", "fr", id)
	output := w.must("apply", "-auto-approve")
	for _, name := range []string{"by-name", "by-both"} {
		if !strings.Contains(output, fmt.Sprintf(`"green %s.green.demo.`, name)) {
			t.Errorf("%s:\n%s", name, output)
		}
	}
	if output := w.must("plan"); !strings.Contains(output, "No changes.") {
		t.Error(output)
	}
	w.must("apply", "-auto-approve", "-refresh-only")
	for name, resource := range map[string]string{"literal": "literal", "by-id": "by_id"} {
		if output := w.must("state", "show", "-no-color", "cloudserver_vm."+resource); !strings.Contains(output, `"`+name+".green.demo.") {
			t.Error(output)
		}
	}
}

// TestReplacementThatWouldBeRefused: the plan says that another machine has the name, and the apply destroys nothing.
// With
// -replace and a taint, Terraform shows no warning, and the apply is all that there is.
func TestReplacementThatWouldBeRefused(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, acctest.StartEmulator(t, emulator.Options{}))
	zone := func(name string) string { return fmt.Sprintf("  zone_name = %q", name) }
	w.write("main.tf", requirement+w.service.ProviderBlock()+machineNamed("web", `"web1"`, zone("york")))
	w.must("apply", "-auto-approve")
	before := w.tracked()
	w.service.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web2"})
	w.write("main.tf", requirement+w.service.ProviderBlock()+machineNamed("web", `"web2"`, zone("manchester")))
	if output := unwrapped(w.must("plan", "-no-color")); !strings.Contains(output, "The name of the machine is taken") || !strings.Contains(output, `All discs will be lost: "vda"`) {
		t.Errorf("the plan:\n%s", output)
	}
	refused := []string{`Cannot replace virtual machine "web1"`, `has the name "web2"`, "Nothing was deleted"}
	w.refuses(refused, "apply", "-auto-approve")
	w.write("main.tf", requirement+w.service.ProviderBlock()+machineNamed("web", `"web2"`, zone("york")))
	w.refuses(refused, "apply", "-auto-approve", "-replace=cloudserver_vm.web")
	w.must("taint", "cloudserver_vm.web")
	w.refuses(refused, "apply", "-auto-approve")
	if after := w.tracked(); len(after) != 1 || after[0] != before[0] {
		t.Errorf("the state has %v, and had %v", after, before)
	}
}
