// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestTaintOfAProtectedMachine: the CLI does not ask the provider for a plan of the delete of a tainted machine, so that
// the apply is the first to refuse it. The driver can only do what we know of that.
func TestTaintOfAProtectedMachine(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, acctest.StartEmulator(t, emulator.Options{}))
	w.write("main.tf", requirement+w.service.ProviderBlock()+machineNamed("web", `"web1"`, "  deletion_protection = true"))
	w.must(command("apply")...)
	w.must("taint", "cloudserver_vm.web")
	before := w.tracked()
	w.refuses([]string{`Cannot destroy virtual machine "web1"`, "terraform untaint"}, "apply", "-auto-approve")
	if after := w.tracked(); len(after) != 1 || after[0] != before[0] || len(w.service.Machines()) != 1 {
		t.Errorf("the state has %v, and had %v", after, before)
	}
}
