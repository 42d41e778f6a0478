package vm_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// rollOut raises the cores of eight machines, and returns them and how many were
// down at once, as the emulator has it.
func rollOut(t *testing.T, places any, prepare func(e *acctest.Emulator, machines []renamed)) (machines []renamed, e *acctest.Emulator, failures []string, most int) {
	t.Helper()
	d, e := acctest.Drive(t, emulator.Options{BootTime: 34 * time.Second, ShutdownTime: 5 * time.Second}, nil)
	for i := range 8 {
		config := named(fmt.Sprintf("web%d", i+1), given{"cores": 2, leave: true, "timeouts.update": "2m"})
		machines = append(machines, renamed{d.MustApply(t.Context(), vmType, nil, config), config})
		machines[i].config["cores"] = 4
	}
	if prepare != nil {
		prepare(e, machines)
	}
	done := make(chan struct{})
	watched := make(chan int)
	go func() {
		most := 0
		for {
			select {
			case <-done:
				watched <- most
				return
			case <-time.After(100 * time.Millisecond):
				most = max(most, down(e))
			}
		}
	}()
	failures, _ = terraform{t: t, e: e, parallel: 10, settings: given{"max_unavailable": places}}.apply(machines)
	close(done)
	return machines, e, failures, <-watched
}

func down(e *acctest.Emulator) (off int) {
	for _, m := range e.Machines() {
		if !m.PowerOn {
			off++
		}
	}
	return off
}

// TestRolloutKeepsItsLimit: waiting is no part of timeouts.update, which is shorter
// than the rollout.
func TestRolloutKeepsItsLimit(t *testing.T) {
	t.Parallel()
	for _, places := range []any{1, 3, nil} {
		t.Run(fmt.Sprint(places), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				machines, e, failures, most := rollOut(t, places, nil)
				want, limited := places.(int)
				if !limited {
					want = 8
				}
				if most != want || len(failures) > 0 || down(e) > 0 {
					t.Errorf("%d were down at once, %d are\n%s", most, down(e), strings.Join(failures, "\n"))
				}
				for _, m := range machines {
					expectState(t, m.o, given{"cores": int64(4), "power_on": true})
				}
			})
		})
	}
}

// TestRolloutEndsWithItsFirstFailure: no machine goes down after it, those that
// waited are as they were, and the next apply goes on.
func TestRolloutEndsWithItsFirstFailure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stopped := map[int64]bool{}
		var heal func()
		machines, e, failures, most := rollOut(t, 1, func(e *acctest.Emulator, machines []renamed) {
			heal = e.Inject(emulator.Fault{Status: 400, Body: `{"cores":["is not included in the list"]}`, Match: func(r emulator.Request) bool {
				if !strings.Contains(string(r.Body), `"cores"`) {
					return false
				}
				stopped[r.Reached.Machine] = true
				return strings.HasSuffix(r.Path, "/"+machines[2].o.Get("id").(string))
			}})
		})
		if most != 1 || down(e) > 0 {
			t.Errorf("%d were down at once, %d are", most, down(e))
		}
		raised := 0
		for _, m := range e.Machines() {
			if m.Cores == 4 {
				raised++
			}
		}
		short := 0
		for _, text := range failures {
			if strings.Contains(text, "Nothing was changed here") && strings.Contains(text, `virtual machine "web3"`) {
				short++
			}
		}
		if len(failures) != 8-raised || short != len(failures)-1 {
			t.Errorf("%d raised, errors:\n%s", raised, strings.Join(failures, "\n"))
		}
		heal()
		run := terraform{t: t, e: e, parallel: 10, settings: given{"max_unavailable": 1}}
		if failures, _ := run.apply(machines); len(failures) > 0 {
			t.Errorf("the next apply:\n%s", strings.Join(failures, "\n"))
		}
		for _, m := range machines {
			e.NewDriver(t, nil).ExpectPlan(t.Context(), m.o, m.config, noop)
		}
	})
}

// TestRolloutOfMachinesThatExchangeNames: nobody who holds the place waits for a
// name.
func TestRolloutOfMachinesThatExchangeNames(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		machines, _, failures, _ := rollOut(t, 1, func(_ *acctest.Emulator, machines []renamed) {
			machines[0].config["name"], machines[1].config["name"] = "web2", "web1"
		})
		if len(failures) > 0 {
			t.Error(strings.Join(failures, "\n"))
		}
		expectState(t, machines[0].o, given{"name": "web2", "cores": int64(4)})
	})
}
