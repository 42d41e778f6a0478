package vm_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestCreateCostsOneRequestAndThePolls holds the whole journal of an apply: one
// vm_create, and then nothing but looks at the machine, the last of which fills
// the state. How many looks is the price of the pace (internal/fleet).
func TestCreateCostsOneRequestAndThePolls(t *testing.T) {
	t.Parallel()
	for boot, polls := range map[time.Duration]int{0: 1, 5 * time.Second: 6, 33 * time.Second: 15, 90 * time.Second: 34} {
		t.Run(boot.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d, e := acctest.Drive(t, emulator.Options{BootTime: boot}, nil)
				plan := d.Plan(t.Context(), vmType, nil, configured(image))
				e.ResetJournal()
				began := time.Now()
				o := applied(t, d, plan)
				if late := time.Since(began) - boot; late < 0 || late > 3*time.Second {
					t.Errorf("the apply ended %s after the machine was on", late)
				}
				want := []string{"POST /accounts/demo/groups/default/vm_create"}
				want = append(want, slices.Repeat([]string{fmt.Sprintf("GET /virtual_machines/%d?view=overview", only(t, e).ID)}, polls)...)
				if diff := cmp.Diff(want, e.AllCalls()); diff != "" {
					t.Errorf("requests (-want +got)\n%s", diff)
				}
				expectState(t, o, given{"power_on": true, "last_imaged_with": "bookworm"})
			})
		})
	}
}

// TestCreateOfAMachineThatStaysOff waits only until it can be described.
func TestCreateOfAMachineThatStaysOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{BootTime: time.Hour, DescribeAfter: 2 * time.Second}, nil)
		began := time.Now()
		o := d.MustApply(t.Context(), vmType, nil, configured(off))
		if took := time.Since(began); took < 2*time.Second || took > 5*time.Second {
			t.Errorf("took %s", took)
		}
		acctest.ExpectCalls(t, e, "POST /accounts/demo/groups/default/vm_create")
		expectState(t, o, given{"power_on": false, "ipv4_address": "198.51.100.2"})
	})
}
