package fleet_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

func isOn(m *cloudserver.VirtualMachine) bool { return *m.PowerOn }

// create makes a machine that will be on after the boot, as vm_create does: one
// request, which the fleet is told of.
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
		{0, 1500 * time.Millisecond},
		{5 * time.Second, 8 * time.Second},
		{33 * time.Second, 34300 * time.Millisecond},
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
					if c.boot <= 33*time.Second && 1+gets+lists > 12 {
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

// Machines that are ready at once teach the fleet to look soon.
func TestWaitsForAThousandReadyMachines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		began := time.Now()
		together(s.add("default", 1000), 10, func(m fleet.Machine) {
			create(s, f, m, 0)
			mustWait(t, f, m)
		})
		gets, lists := s.count()
		if took := time.Since(began); took > 20*time.Second || gets+lists > 110 {
			t.Errorf("took %v, %d reads by id and %d listings", took, gets, lists)
		}
	})
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

func TestWaitOutlastsTransientErrors(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 10} { // by id, by listing
		for _, err := range []error{
			status(http.StatusBadGateway), status(http.StatusTooManyRequests),
			&cloudserver.TransportError{Err: errors.New("connection refused")}, cloudserver.ErrNotDescribed,
		} {
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				s.failing(err, err)
				f := fleet.New(s)
				machines := s.add("default", n)
				time.AfterFunc(20*time.Second, func() { s.failing(nil, nil) })
				together(machines, n, func(m fleet.Machine) { mustWait(t, f, m) })
			})
		}
	}
}

func TestWaitEndsAtRefusal(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 10} {
		for _, code := range []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound} {
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				s.failing(status(code), status(code))
				f := fleet.New(s)
				began := time.Now()
				together(s.add("default", n), n, func(m fleet.Machine) {
					if _, err := f.Wait(t.Context(), m, isOn); cloudserver.StatusCode(err) != code {
						t.Errorf("got %v, want %d", err, code)
					}
				})
				if took := time.Since(began); took > 5*time.Second {
					t.Errorf("it took %v to end at %d", took, code)
				}
			})
		}
	}
}

func TestWaitFindsOutThatItsMachineWasPurged(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		machines := s.add("default", 10)
		time.AfterFunc(10*time.Second, func() { s.purge(4) })
		together(machines, 10, func(m fleet.Machine) {
			create(s, f, m, time.Minute)
			if _, err := f.Wait(t.Context(), m, isOn); cloudserver.IsNotFound(err) != (m.ID == 4) {
				t.Errorf("machine %d: %v", m.ID, err)
			}
		})
	})
}

func TestWaitErrorTellsWhatWasSeen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		m := s.add("default", 1)[0]
		create(s, f, m, time.Hour)
		time.AfterFunc(20*time.Second, func() { s.failing(status(http.StatusBadGateway), nil) })
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		_, err := f.Wait(ctx, m, isOn)
		unfinished, ok := errors.AsType[*fleet.WaitError](err)
		if !ok || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v", err)
		}
		if unfinished.Waited != 30*time.Second || unfinished.Last == nil || unfinished.Last.ID != m.ID {
			t.Errorf("got %+v", unfinished)
		}
		if cloudserver.StatusCode(unfinished.LastErr) != http.StatusBadGateway {
			t.Errorf("the last look's error is %v", unfinished.LastErr)
		}
		const want = "virtual machine 1: gave up after 30s: context deadline exceeded; the last look at it failed: "
		if text := err.Error(); len(text) <= len(want) || text[:len(want)] != want {
			t.Errorf("got %q", text)
		}
	})
}

func TestCancelledWaitEndsAtOnceAndLeavesTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := fleet.New(s)
		machines := s.add("default", 10)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(7*time.Second, cancel)
		began := time.Now()
		together(machines, 10, func(m fleet.Machine) {
			s.change(m.ID, func(m *machine) { m.poweredOn = time.Now().Add(20 * time.Second) })
			if m.ID%2 == 0 {
				mustWait(t, f, m)
				return
			}
			_, err := f.Wait(ctx, m, isOn)
			if took := time.Since(began); !errors.Is(err, context.Canceled) || took != 7*time.Second {
				t.Errorf("got %v after %v", err, took)
			}
		})
	})
}
