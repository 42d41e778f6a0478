// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// fleetSize is the number of machines of a rollout.
const fleetSize = 4

// fleetOfGuests returns the machines of a rollout, which get more cores. slots is the number of machines that may be
// down at the same time.
func fleetOfGuests(t *testing.T, slots any) (terraform, []transition) {
	t.Helper()
	d, e := acctest.Drive(t, emulator.Options{BootTime: 34 * time.Second, ShutdownTime: 5 * time.Second, Guests: true, GuestBoot: time.Minute}, nil)
	var machines []transition
	for i := range fleetSize {
		config := named(fmt.Sprintf("web%d", i+1), awaited, given{"timeouts.update": "2m"})
		machines = append(machines, transition{d.MustApply(t.Context(), vmType, nil, config), config})
		machines[i].config["cores"] = 4
	}
	e.ResetPower()
	return terraform{t: t, e: e, parallel: 10, settings: given{"max_unavailable": slots}}, machines
}

// withFleet runs a subtest with them.
func withFleet(t *testing.T, name string, slots any, test func(t *testing.T, run terraform, machines []transition)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			run, machines := fleetOfGuests(t, slots)
			test(t, run, machines)
		})
	})
}

// expectDone applies without an error.
func (run terraform) expectDone(machines []transition) {
	run.t.Helper()
	if failures := run.apply(machines); len(failures) > 0 {
		run.t.Error(strings.Join(failures, "\n"))
	}
}

// TestRolloutKeepsItsLimit: waiting is not part of timeouts.update, which is shorter than the rollout. Each provider
// block has its own limit.
func TestRolloutKeepsItsLimit(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		slots  any
		blocks int
		most   int
	}{
		"one":                 {slots: 1, blocks: 1, most: 1},
		"three":               {slots: 3, blocks: 1, most: 3},
		"no limit":            {blocks: 1, most: fleetSize},
		"two provider blocks": {slots: 1, blocks: 2, most: 2},
	} {
		withFleet(t, name, test.slots, func(t *testing.T, run terraform, machines []transition) {
			var blocks sync.WaitGroup
			for part := range slices.Chunk(machines, len(machines)/test.blocks) {
				blocks.Go(func() { run.expectDone(part) })
			}
			blocks.Wait()
			if power := run.e.Power(); power.MaxOutOfService != test.most || power.Down > 0 {
				t.Errorf("%d were not available at once, %d are down", power.MaxOutOfService, power.Down)
			}
			for _, m := range machines {
				expectState(t, m.o, given{"cores": int64(4), "power_on": true})
			}
		})
	}
}

// TestRolloutFromTheEnvironment takes the limit from the variable.
func TestRolloutFromTheEnvironment(t *testing.T) {
	t.Setenv("CLOUDSERVER_MAX_UNAVAILABLE", "2")
	synctest.Test(t, func(t *testing.T) {
		run, machines := fleetOfGuests(t, nil)
		if run.expectDone(machines); run.e.Power().MaxOutOfService != 2 {
			t.Errorf("%d were not available at once", run.e.Power().MaxOutOfService)
		}
	})
}

// TestRolloutEndsWithItsFirstFailure: the third machine is refused, or does not answer. No machine goes down
// after it, those that waited are unchanged, and the next apply continues.
func TestRolloutEndsWithItsFirstFailure(t *testing.T) {
	t.Parallel()
	for name, deaf := range map[string]bool{"refused": false, "not ready": true} {
		withFleet(t, name, 1, func(t *testing.T, run terraform, machines []transition) {
			third := machines[2:3]
			id := third[0].o.Get("id").(string)
			setDeaf := func(deaf bool) {
				_ = run.e.Change(parsed(id), func(m *emulator.Machine) { m.Deaf = deaf })
			}
			heal := func() { setDeaf(false) }
			if setDeaf(deaf); !deaf {
				heal = run.e.Inject(refuse("PUT", id, `"cores"`, 0))
			}
			failures := run.apply(machines)
			if first := slices.IndexFunc(failures, func(text string) bool { return strings.Contains(text, "Apply this machine first, alone, with -target") }); first < 0 || !strings.Contains(failures[first], `"web3"`) {
				t.Errorf("no advice to apply the third machine alone:\n%s", strings.Join(failures, "\n"))
			}
			raised, short := 0, 0
			for _, m := range run.e.Machines() {
				if m.Cores == 4 {
					raised++
				}
			}
			for _, text := range failures {
				if strings.Contains(text, "Nothing was changed.") && strings.Contains(text, `the rollout ended with virtual machine "web3", whose error has the cause`) {
					short++
				}
			}
			if !deaf {
				raised++ // the third is not, and failed
			}
			if power := run.e.Power(); power.MaxDown != 1 || power.Down != 0 || raised+short != fleetSize || len(failures) != short+1 {
				t.Errorf("%d raised, %d at most down, %d down; errors:\n%s", raised, power.MaxDown, power.Down, strings.Join(failures, "\n"))
			}
			if deaf { // it is the only one that is not available, until it answers
				if failures = run.apply(third); len(failures) != 1 || !strings.Contains(failures[0], "but it is not ready") {
					t.Errorf("not cured:\n%s", strings.Join(failures, "\n"))
				}
			}
			heal()
			time.Sleep(2 * time.Minute) // its guest boots
			run.e.ResetPower()
			if run.expectDone(machines); run.e.Power().MaxOutOfService > 1 { // 0: it was the last
				t.Errorf("the next apply, %d unavailable", run.e.Power().MaxOutOfService)
			}
			for _, m := range machines {
				run.e.NewDriver(t, nil).ExpectPlan(t.Context(), m.o, m.config, noop)
			}
		})
	}
}

// TestRolloutEndsWithAMachineThatStaysOff: an update left a machine off, or somebody else did, and its start is refused
// again. No other machine goes down beside it, whether or not the machine has a block ready, or its update a slot.
func TestRolloutEndsWithAMachineThatStaysOff(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config    object
		elsewhere bool
	}{
		"owed":                   {config: awaited},
		"owed, no ready":         {config: object{}},
		"switched off elsewhere": {config: object{"power_on": true}, elsewhere: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d, e := acctest.Drive(t, emulator.Options{BootTime: 34 * time.Second, ShutdownTime: 5 * time.Second, Guests: true}, nil)
				var machines []transition
				for i := range 3 {
					config := named(fmt.Sprintf("web%d", i+1), object{leave: true}, test.config)
					machines = append(machines, transition{d.MustApply(t.Context(), vmType, nil, config), config})
					machines[i].config["cores"] = 4
				}
				run := terraform{t: t, e: e, parallel: 1, settings: given{"max_unavailable": 1}}
				id := machines[0].o.Get("id").(string)
				heal := e.Inject(refuse("PUT", id, `"power_on":true`, 0))
				if test.elsewhere {
					if err := e.Change(parsed(id), func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false }); err != nil {
						t.Fatal(err)
					}
				} else if failures := run.apply(machines[:1]); len(failures) != 1 {
					t.Fatalf("the first apply: %v", failures)
				}
				e.ResetPower()
				failures := run.apply(machines)
				if len(failures) != 3 || !strings.Contains(failures[0], "Apply this machine first, alone, with -target") || e.Power().MaxDown > 1 {
					t.Errorf("%d at most down; errors:\n%s", e.Power().MaxDown, strings.Join(failures, "\n"))
				}
				for _, text := range failures[1:] {
					if !strings.Contains(text, `the rollout ended with virtual machine "web1"`) {
						t.Errorf("a machine that waited: %s", text)
					}
				}
				heal()
				run.expectDone(machines[:1])
				e.ResetPower()
				run.parallel = 10
				if run.expectDone(machines); e.Power().MaxDown > 1 || e.Power().Down > 0 {
					t.Errorf("%d at most down after the cure, %d now", e.Power().MaxDown, e.Power().Down)
				}
			})
		})
	}
}

// TestInterruptedRollout: the updates that wait end at once, and the one that holds the slot once its power is
// restored, or after 20 seconds if the machine was being started.
func TestInterruptedRollout(t *testing.T) {
	t.Parallel()
	withFleet(t, "interrupted", 1, func(t *testing.T, run terraform, machines []transition) {
		d := run.e.NewDriver(t, run.settings)
		stopAfter(t, d, 10*time.Second) // the first one is off, and about to start
		type ending struct {
			after time.Duration
			text  string
		}
		ends := make(chan ending)
		for _, m := range machines {
			plan := d.Plan(t.Context(), vmType, m.o, m.config)
			go func() {
				began := time.Now()
				_, diags := d.Apply(context.Background(), vmType, plan)
				ends <- ending{time.Since(began), acctest.DiagText(acctest.Errors(diags))}
			}()
		}
		quick, restored := 0, 0
		for range machines {
			switch end := <-ends; {
			case strings.Contains(end.text, "Nothing was changed.") && end.after < 12*time.Second:
				quick++
			case strings.Contains(end.text, "Apply this machine first") && end.after < time.Minute:
				restored++
			default:
				t.Errorf("after %s: %s", end.after, end.text)
			}
		}
		time.Sleep(time.Minute) // it boots
		if quick != fleetSize-1 || restored != 1 || run.e.Power().Down > 0 || run.e.Power().MaxDown != 1 {
			t.Errorf("%d ended at once, %d later, %d are down", quick, restored, run.e.Power().Down)
		}
	})
}
