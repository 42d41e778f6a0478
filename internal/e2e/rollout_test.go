package e2e_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestRolloutThroughTheCLI restarts eight machines, ten at a time: the emulator
// counts how many are down at once with three places, and without a limit. The
// guide's own commands are run with one place, by the tests of the examples.
func TestRolloutThroughTheCLI(t *testing.T) {
	t.Parallel()
	e := acctest.StartEmulator(t, emulator.Options{BootTime: 400 * time.Millisecond})
	w := newWorkspace(t, e)
	for cores, places := range []int{0, 3, 0} {
		limit := ""
		if places > 0 {
			limit = fmt.Sprintf("max_unavailable = %d", places)
		}
		w.write("main.tf", fmt.Sprintf(`terraform {
  required_providers {
    cloudserver = { source = "registry.terraform.io/cloudserver/cloudserver" }
  }
}
%s
resource "cloudserver_vm" "web" {
  count  = 8
  name   = "web${count.index}"
  cores  = %d
  memory = 2048

  allow_stopping_for_update = true

  disc {
    label = "vda"
    size  = 25600
  }
}
`, e.ProviderBlock(limit), cores+1))
		e.ResetPower()
		if output, err := w.run("apply", "-auto-approve", "-parallelism=10", "-no-color"); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		power, created := e.Power(), cores == 0
		switch {
		case power.Down > 0:
			t.Errorf("%d are down in the end", power.Down)
		case places > 0 && (power.MaxDown < 2 || power.MaxDown > places), places == 0 && !created && power.MaxDown <= 3:
			t.Errorf("%d were down at once, with max_unavailable = %d", power.MaxDown, places)
		}
	}
}
