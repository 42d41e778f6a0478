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

func TestWaitForOneMachine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ boot, within time.Duration }{
		{0, 1700 * time.Millisecond},
		{5 * time.Second, 8 * time.Second},
		{33 * time.Second, 34600 * time.Millisecond},
		{90 * time.Second, 95 * time.Second},
	} {
		t.Run(c.boot.String(), func(t *testing.T) {
			for range 50 { // whatever the jitter
				synctest.Test(t, func(t *testing.T) {
					s := newService(latency)
					f := fleet.New(s)
					m := s.add("default", 1)[0]
					began := time.Now()
					create(s, f, m, c.boot)
					mustWait(t, f, m)
					if took := time.Since(began); took > c.within {
						t.Errorf("took %v, want at most %v", took, c.within)
					}
					gets, lists := s.count()
					if c.boot <= 33*time.Second && 1+gets+lists > 10 {
						t.Errorf("%d requests", 1+gets+lists)
					}
				})
			}
		})
	}
}

func TestWaitForHundredMachines(t *testing.T) {
	t.Parallel()
	for name, undescribed := range map[string]time.Duration{"described at once": 0, "described late": 6 * time.Second} {
		t.Run(name, func(t *testing.T) {
			for range 10 {
				synctest.Test(t, func(t *testing.T) {
					s := newService(latency)
					f := fleet.New(s)
					began := time.Now()
					together(s.add("default", 100), 100, func(m fleet.Machine) {
						time.Sleep(time.Duration(m.ID) * 10 * time.Millisecond) // the CLI's own pace
						s.change(m.ID, func(m *machine) { m.describe = time.Now().Add(undescribed) })
						create(s, f, m, 33*time.Second)
						mustWait(t, f, m)
					})
					gets, lists := s.count()
					if took := time.Since(began); took > 40*time.Second || gets+lists > 30 {
						t.Errorf("took %v, %d reads by id and %d listings", took, gets, lists)
					}
				})
			}
		})
	}
}

// Five machines of 9,000: their waits do not wait for listings.
func TestWaitsInALargeGroup(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		s.listLatency = 12 * time.Second
		f := fleet.New(s)
		began := time.Now()
		together(s.add("default", 9000)[:5], 10, func(m fleet.Machine) {
			create(s, f, m, 33*time.Second)
			mustWait(t, f, m)
		})
		gets, lists := s.count()
		if took := time.Since(began); took > 40*time.Second || gets+lists > 5*10 {
			t.Errorf("took %v, %d reads by id and %d listings", took, gets, lists)
		}
	})
}

// Machines that are ready at once teach the fleet to look soon. The CLI handles one
// machine after the other: the longer it takes, the fewer wait at the same time.
func TestWaitsForAThousandReadyMachines(t *testing.T) {
	t.Parallel()
	for cli, most := range map[time.Duration]struct {
		took  time.Duration
		calls int
	}{
		0:                     {took: 15 * time.Second, calls: 105},
		5 * time.Millisecond:  {took: 18 * time.Second, calls: 120},
		40 * time.Millisecond: {took: 45 * time.Second, calls: 300},
	} {
		t.Run(cli.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				f := fleet.New(s)
				turn := make(chan struct{}, 1)
				began := time.Now()
				together(s.add("default", 1000), 10, func(m fleet.Machine) {
					create(s, f, m, 0)
					mustWait(t, f, m)
					turn <- struct{}{}
					time.Sleep(cli)
					<-turn
				})
				gets, lists := s.count()
				if took := time.Since(began); took > most.took || gets+lists > most.calls {
					t.Errorf("took %v, %d reads by id and %d listings", took, gets, lists)
				}
			})
		})
	}
}

func TestWaitSeesNothingOlderThanItsWrite(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(2 * time.Second)
		f := fleet.New(s)
		machines := s.add("default", 20)
		warm(t, f, machines[:2])
		go mustRead(t, f, machines[2]) // a listing, under way while the machine is stopped
		synctest.Wait()
		together(machines[3:], 20, func(m fleet.Machine) {
			s.change(m.ID, func(m *machine) { m.version++; m.poweredOn = time.Now().Add(10 * time.Second) })
			f.Wrote(m)
			got, err := f.Wait(t.Context(), m, isOn)
			if err != nil || *got.Cores != 1 {
				t.Errorf("machine %d: %v, from before the write", m.ID, err)
			}
		})
	})
}

// A fleet that learns nothing waits as long for the tenth machine that is ready at once as for the first.
func TestWaitsThatLearnNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		f.LearnNothing()
		for _, m := range s.add("default", 10) {
			create(s, f, m, 0)
			began := time.Now()
			mustWait(t, f, m)
			if took := time.Since(began); took < time.Second {
				t.Errorf("looked after %v", took)
			}
		}
	})
}
