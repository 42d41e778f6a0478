package fleet_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

func isOn(m *cloudserver.VirtualMachine) bool { return *m.PowerOn }

// create makes a machine that will be on after the boot, as vm_create does: one
// request, which the fleet is notified of.
func create(s *service, f *fleet.Fleet, m fleet.Machine, boot time.Duration) {
	s.change(m.ID, func(m *machine) { m.poweredOn = time.Now().Add(boot) })
	time.Sleep(latency)
	f.Wrote(m)
}

// mustWait waits until the machine is on.
func mustWait(t *testing.T, f *fleet.Fleet, m fleet.Machine) {
	t.Helper()
	got, err := f.Wait(t.Context(), m, isOn)
	if err != nil {
		t.Errorf("waiting for machine %d: %v", m.ID, err)
	} else if !isOn(got) || got.ID != m.ID {
		t.Errorf("waiting for machine %d gave %+v", m.ID, got)
	}
}

// One machine is looked at after 0.1, 0.3, 0.7, 1.5, 3.1 and 6.1 s, and every three
// seconds from there.
func TestWaitForOneMachine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		boot  time.Duration
		looks int
	}{
		{0, 1}, {time.Second, 4}, {5 * time.Second, 6}, {33 * time.Second, 15}, {90 * time.Second, 34},
	} {
		t.Run(c.boot.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				f := fleet.New(s)
				m := s.add("default", 1)[0]
				began := time.Now()
				create(s, f, m, c.boot)
				mustWait(t, f, m)
				if late := time.Since(began) - c.boot; late > 3*time.Second+latency {
					t.Errorf("%v late", late)
				}
				s.wantCount(t, c.looks, 0)
			})
		})
	}
}

func TestWaitForHundredMachines(t *testing.T) {
	t.Parallel()
	for name, undescribed := range map[string]time.Duration{"described at once": 0, "described late": 6 * time.Second} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				machines := s.add("default", 100)
				f := pastTheFirst(t, s)
				began := time.Now()
				together(machines, 100, func(m fleet.Machine) {
					time.Sleep(time.Duration(m.ID) * 10 * time.Millisecond) // the CLI's own pace
					s.change(m.ID, func(m *machine) { m.describe = time.Now().Add(undescribed) })
					create(s, f, m, 33*time.Second)
					if vm, err := f.WaitCreated(t.Context(), m, isOn); err != nil || vm.ID != m.ID {
						t.Errorf("machine %d: %v", m.ID, err)
					}
				})
				gets, lists := s.count()
				if took := time.Since(began); took > 38*time.Second || gets+lists > 35 {
					t.Errorf("took %v, %d reads by id and %d listings", took, gets, lists)
				}
			})
		})
	}
}

// Fewer than six wait by ID, and so do more where listings are slow, or far too
// large.
func TestWaitsThatLookByID(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		waits, lists int
		slow         bool
	}{"five": {5, 0, false}, "six": {6, 1, false}, "slow listings": {10, 1, true}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				machines := s.add("default", 9000)[:c.waits]
				f := pastTheFirst(t, s)
				if c.slow {
					s.listLatency = 12 * time.Second
				}
				began := time.Now()
				together(machines, 10, func(m fleet.Machine) {
					create(s, f, m, 33*time.Second)
					mustWait(t, f, m)
				})
				gets, lists := s.count()
				if took := time.Since(began); took > 37*time.Second || gets > c.waits*15 || lists != c.lists {
					t.Errorf("took %v, %d reads by id and %d listings", took, gets, lists)
				}
			})
		})
	}
}

// The CLI handles one machine after the other: the longer it takes, the fewer wait
// at the same time.
func TestWaitsForAThousandMachines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cli, boot, took time.Duration
		calls           int
	}{
		{0, 0, 21 * time.Second, 120},
		{5 * time.Millisecond, 0, 25 * time.Second, 250},
		{0, 5 * time.Second, 11 * time.Minute, 2000},
	} {
		t.Run(c.cli.String()+" and "+c.boot.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				f := fleet.New(s)
				turn := make(chan struct{}, 1)
				began := time.Now()
				together(s.add("default", 1000), 10, func(m fleet.Machine) {
					create(s, f, m, c.boot)
					mustWait(t, f, m)
					turn <- struct{}{}
					time.Sleep(c.cli)
					<-turn
				})
				gets, lists := s.count()
				if took := time.Since(began); took > c.took || gets+lists > c.calls {
					t.Errorf("took %v, %d reads by id and %d listings", took, gets, lists)
				}
			})
		})
	}
}
