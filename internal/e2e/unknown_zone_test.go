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
// where it plans again, with the value: the driver cannot show that.
func TestUnknownZone(t *testing.T) {
	t.Parallel()
	for _, saved := range []bool{false, true} {
		t.Run(fmt.Sprintf("saved plan: %t", saved), func(t *testing.T) {
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
			apply := command("apply")
			if saved {
				apply = []string{"apply", "-no-color", "plan"}
			}
			plan := func() {
				if output := w.must("plan", "-no-color", "-out=plan"); strings.Contains(output, "cloudserver_vm.web must be replaced") {
					t.Errorf("the machine is replaced:\n%s", output)
				}
			}
			configure("york", 1)
			w.must(command("apply")...)
			machine := w.service.Machines()[0]

			configure("york", 2)
			plan()
			w.service.ResetJournal()
			w.must(apply...)
			acctest.ExpectCalls(t, w.service)

			configure("manchester", 3)
			plan()
			if output, err := w.run(apply...); err == nil || !strings.Contains(unwrapped(output), "inconsistent final plan") {
				t.Errorf("%v: %v\n%s", apply, err, output)
			}
			acctest.ExpectCalls(t, w.service)
			if now := w.service.Machines(); len(now) != 1 || now[0].ID != machine.ID {
				t.Errorf("the machine was replaced: %+v", now)
			}
		})
	}
}
