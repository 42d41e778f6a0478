package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// What Terraform passes to a provider, and in which order, is only shown by the CLI.

// machineNamed is a machine with further lines.
func machineNamed(resource, name string, lines ...string) string {
	return fmt.Sprintf("resource \"cloudserver_vm\" %q {\n  name = %s\n  disc {\n    label = \"vda\"\n    size  = 25600\n  }\n%s\n}\n", resource, name, strings.Join(lines, "\n"))
}

// unwrapped is what the CLI printed in one line.
func unwrapped(output string) string { return strings.Join(strings.Fields(plain(output)), " ") }

// refuses runs the CLI, which must fail and say all of what is wanted.
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

// TestImportOfWhatTheStateHas: terraform import refreshes and plans nothing.
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

// TestTaintAndProtectionInOneApply: Terraform plans no delete of a tainted machine.
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

// TestCountLosesItsFirstElement: the machines move up, and the last one is destroyed.
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
