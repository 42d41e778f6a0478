// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestRolloutThatStops: three machines, of which one may be down at a time, get a new image, and no guest answers
// afterwards. The first update fails, and the other two machines are left alone. The next apply goes on. The driver does
// not show that the CLI starts the other updates, and says of each why it was not done.
func TestRolloutThatStops(t *testing.T) {
	t.Parallel()
	e := acctest.StartEmulator(t, emulator.Options{Guests: true, GuestBoot: 50 * time.Millisecond})
	port := e.ServeGuests(t)
	w := newWorkspace(t, e)
	configure := func(image string) {
		w.write("main.tf", requirement+e.ProviderBlock("  max_unavailable = 1")+fmt.Sprintf(`
resource "cloudserver_vm" "web" {
  for_each = toset(["web1", "web2", "web3"])
  name     = each.key

  allow_stopping_for_update = true

  disc {
    label = "vda"
    size  = 25600
  }
  reimage {
    distribution  = %q
    root_password = %q
    on_change     = "reimage"
  }
  ready {
    port    = %d
    timeout = "3s"
  }
}
`, image, rootPassword, port))
	}
	deafen := func(deaf bool) {
		for _, m := range e.Machines() {
			_ = e.Change(m.ID, func(m *emulator.Machine) { m.Deaf = deaf })
		}
	}
	imaged := func() (count int) {
		for _, m := range e.Machines() {
			if m.LastImagedWith == "noble" {
				count++
			}
		}
		return count
	}
	configure("bookworm")
	w.must(command("apply")...)

	configure("noble")
	deafen(true)
	e.ResetPower()
	output, err := w.run(command("apply")...)
	if err == nil || imaged() != 1 {
		t.Fatalf("%d machines have the new image, %v\n%s", imaged(), err, output)
	}
	said := unwrapped(output)
	for phrase, times := range map[string]int{"but it is not ready": 1, "the rollout ended with virtual machine": 2} {
		if n := strings.Count(said, phrase); n != times {
			t.Errorf("%q is there %d times, want %d:\n%s", phrase, n, times, output)
		}
	}

	deafen(false)
	w.must(command("apply")...)
	if power := e.Power(); imaged() != 3 || power.MaxDown != 1 {
		t.Errorf("%d machines have the new image, and %d were down at once", imaged(), power.MaxDown)
	}
}
