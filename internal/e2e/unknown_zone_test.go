// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestUnknownZone plans a zone that is known only after apply. The CLI itself decides what becomes of it in the apply,
// where it plans again, with the value, also for a saved plan: the driver cannot show that.
func TestUnknownZone(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, acctest.StartEmulator(t, emulator.Options{}))
	configure := func(zone string, version int) {
		w.write("main.tf", requirement+fmt.Sprintf(`%s
resource "terraform_data" "zone" {
  input            = %q
  triggers_replace = %d
}
resource "cloudserver_vm" "web" {
  name      = "web1"
  zone_name = terraform_data.zone.output
  disc {
    label = "vda"
    size  = 25600
  }
}
`, w.service.ProviderBlock(), zone, version))
	}
	plan := func() {
		t.Helper()
		if output := w.must("plan", "-no-color", "-out=plan"); strings.Contains(output, "cloudserver_vm.web must be replaced") {
			t.Errorf("the machine is replaced:\n%s", output)
		}
	}
	saved := []string{"apply", "-no-color", "plan"}
	configure("york", 1)
	w.must(command("apply")...)
	machine := w.service.Machines()[0]
	w.service.ResetJournal()

	configure("york", 2)
	w.must(command("apply")...)
	configure("york", 3)
	plan()
	w.must(saved...)
	acctest.ExpectCalls(t, w.service)

	configure("manchester", 4)
	plan()
	if output, err := w.run(saved...); err == nil || !strings.Contains(unwrapped(output), "inconsistent final plan") {
		t.Errorf("another zone: %v\n%s", err, output)
	}
	acctest.ExpectCalls(t, w.service)
	if now := w.service.Machines(); len(now) != 1 || now[0].ID != machine.ID {
		t.Errorf("the machine was replaced: %+v", now)
	}
}
