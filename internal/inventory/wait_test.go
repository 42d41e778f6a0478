// SPDX-License-Identifier: MPL-2.0

package inventory_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

func isOn(m *cloudserver.VirtualMachine) bool { return *m.PowerOn }

const wanted = "the machine to be on"

// create makes a machine that will be on after the boot, as vm_create does: one
// request, which the fleet is notified of.
func create(s *service, f *inventory.Inventory, m inventory.Location, boot time.Duration) {
	s.change(m.ID, func(m *machine) { m.poweredOn = time.Now().Add(boot) })
	time.Sleep(latency)
	f.Wrote(m.ID)
}

// mustWait waits until the machine is on.
func mustWait(t *testing.T, f *inventory.Inventory, m inventory.Location) {
	t.Helper()
	got, err := f.Wait(t.Context(), m, wanted, isOn)
	if err != nil || !isOn(got) || got.ID != m.ID {
		t.Errorf("waiting for machine %d: %+v, %v", m.ID, got, err)
	}
}

// waiting runs a test with one machine, which is looked at by ID, and with ten, which
// are looked at in listings.
func waiting(t *testing.T, test func(t *testing.T, s *service, f *inventory.Inventory, machines []inventory.Location)) {
	t.Helper()
	for _, n := range []int{1, 10} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(latency)
			machines := s.add("default", n)
			test(t, s, pastTheFirst(t, s), machines)
		})
	}
}

// One machine is looked at at once, after 0.1, 0.3, 0.7, 1.5, 3.1 and 6.1 s, and every three
// seconds from there.
func TestWaitForOneMachine(t *testing.T) {
	t.Parallel()
	for boot, looks := range map[time.Duration]int{0: 1, time.Second: 5, 5 * time.Second: 7, 33 * time.Second: 16, 90 * time.Second: 35} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(latency)
			f := inventory.New(s)
			m := s.add("default", 1)[0]
			began := time.Now()
			create(s, f, m, boot)
			mustWait(t, f, m)
			if late := time.Since(began) - boot; late > 3*time.Second+latency {
				t.Errorf("%v late", late)
			}
			s.want(t, fmt.Sprint("get ", looks))
		})
	}
}

func TestWaitForHundredMachines(t *testing.T) {
	t.Parallel()
	for _, undescribed := range []time.Duration{0, 6 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(latency)
			machines := s.add("default", 100)
			for _, m := range machines {
				s.change(m.ID, func(m *machine) { m.appears = time.Now().Add(time.Hour) })
			}
			f := pastTheFirst(t, s)
			began := time.Now()
			together(machines, 100, func(m inventory.Location) {
				time.Sleep(time.Duration(m.ID) * 60 * time.Millisecond) // the CLI's own pace
				s.change(m.ID, func(m *machine) { m.appears, m.describe = time.Now(), time.Now().Add(undescribed) })
				create(s, f, m, 33*time.Second)
				m.Created = true
				if vm, err := f.Wait(t.Context(), m, wanted, isOn); err != nil || vm.ID != m.ID {
					t.Errorf("machine %d: %v", m.ID, err)
				}
			})
			const lastOn, pause = 39 * time.Second, 3 * time.Second
			if took := time.Since(began); took > lastOn+pause+latency || len(s.requests) > 70 {
				t.Errorf("took %v and %d requests", took, len(s.requests))
			}
		})
	}
}

// Fewer than four waits look by ID, and so do more if listings are slow or much too large.
func TestWaitsThatLookByID(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		waits, lists int
		slow         bool
	}{{waits: 3}, {waits: 4, lists: 1}, {waits: 10, lists: 1, slow: true}} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(latency)
			machines := s.add("default", 9000)[:c.waits]
			f := pastTheFirst(t, s)
			if c.slow {
				s.listLatency = 12 * time.Second
			}
			began := time.Now()
			together(machines, 10, func(m inventory.Location) {
				create(s, f, m, 20*time.Second)
				m.Created = true
				mustWait(t, f, m)
			})
			lists := 0
			for _, request := range s.requests {
				if strings.HasPrefix(request, "list") {
					lists++
				}
			}
			if took := time.Since(began); took > 24*time.Second || len(s.requests)-lists > c.waits*11 || lists != c.lists {
				t.Errorf("%+v: took %v, %d requests, %d listings", c, took, len(s.requests), lists)
			}
		})
	}
}

// In a group that is too large to be listed again and again, waits look by ID, and as early as in a small inventory.
func TestWaitsInALargeGroupLookAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		machines := s.add("default", 9000)[:200]
		for _, m := range machines {
			s.change(m.ID, func(m *machine) { m.appears = time.Now().Add(time.Hour) })
		}
		f := pastTheFirst(t, s)
		began := time.Now()
		together(machines, 10, func(m inventory.Location) {
			s.change(m.ID, func(m *machine) { m.appears = time.Now() })
			create(s, f, m, 0)
			m.Created = true
			mustWait(t, f, m)
		})
		// Twenty times ten machines, each with a creation and a look.
		if took := time.Since(began); took > 22*2*latency || len(s.requests) > len(machines)+2 {
			t.Errorf("took %v and %d requests", took, len(s.requests))
		}
	})
}

// Four machines that begin to wait share a look at once. The CLI handles few machines
// at a time: the longer it takes for one, the fewer wait at the same time. A provider
// that sends four requests in turn for each takes 20 s and more.
func TestWaitsForAThousandMachines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cli, boot, took time.Duration
		looks           int
	}{
		{took: 11 * time.Second, looks: 120},
		{cli: 20 * time.Millisecond, took: 15 * time.Second, looks: 220},
		{cli: 40 * time.Millisecond, took: 21 * time.Second, looks: 270},
		{boot: 5 * time.Second, took: 11 * time.Minute, looks: 850},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(latency)
			f := inventory.New(s)
			machines := s.add("default", 1000)
			for _, m := range machines {
				s.change(m.ID, func(m *machine) { m.appears = time.Now().Add(time.Hour) })
			}
			cores := make(chan struct{}, 2)
			began := time.Now()
			together(machines, 10, func(m inventory.Location) {
				s.change(m.ID, func(m *machine) { m.appears = time.Now().Add(latency / 2) })
				create(s, f, m, c.boot)
				m.Created = true
				if vm, err := f.Wait(t.Context(), m, wanted, isOn); err != nil || vm.ID != m.ID {
					t.Errorf("machine %d: %v", m.ID, err)
				}
				cores <- struct{}{}
				time.Sleep(c.cli)
				<-cores
			})
			synctest.Wait() // a listing that nobody waits for may be under way
			if took := time.Since(began); took > c.took || len(s.requests) > c.looks {
				t.Errorf("%+v: took %v and %d requests", c, took, len(s.requests))
			}
		})
	}
}

func TestWaitOutlastsTransientErrors(t *testing.T) {
	t.Parallel()
	for _, err := range []error{
		status(http.StatusBadGateway), status(http.StatusTooManyRequests),
		&cloudserver.TransportError{Err: errors.New("connection refused")}, cloudserver.ErrNotDescribed,
	} {
		waiting(t, func(t *testing.T, s *service, f *inventory.Inventory, machines []inventory.Location) {
			s.failing(err, err)
			time.AfterFunc(20*time.Second, func() { s.failing(nil, nil) })
			together(machines, 10, func(m inventory.Location) { mustWait(t, f, m) })
		})
	}
}

// Refusals, and a 404 while the account is hidden, end a wait if nothing else was answered for two minutes: credentials
// may be renewed.
func TestWaitEndsAfterLastingRefusals(t *testing.T) {
	t.Parallel()
	for _, code := range []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound} {
		for lasts, ends := range map[time.Duration]bool{2 * time.Second: false, 110 * time.Second: false, time.Hour: true} {
			waiting(t, func(t *testing.T, s *service, f *inventory.Inventory, machines []inventory.Location) {
				s.failing(status(code), status(code))
				s.hidden = true
				began := time.Now()
				time.AfterFunc(lasts, func() { s.failing(nil, nil) })
				together(machines, 10, func(m inventory.Location) {
					_, err := f.Wait(t.Context(), m, wanted, isOn)
					_, unfinished := errors.AsType[*progress.Unfinished](err)
					if unfinished != ends || ends && !strings.Contains(err.Error(), fmt.Sprint("gave up; last seen: GET / answered ", code)) {
						t.Errorf("%d for %v: got %v", code, lasts, err)
					}
				})
				if took := time.Since(began); ends && (took < 2*time.Minute || took > 130*time.Second) {
					t.Errorf("%d: ended after %v", code, took)
				}
			})
		}
	}
}

// Refusals between other answers do not end a wait.
func TestWaitOutlastsRefusalsBetweenAnswers(t *testing.T) {
	t.Parallel()
	waiting(t, func(t *testing.T, s *service, f *inventory.Inventory, machines []inventory.Location) {
		for _, m := range machines {
			s.change(m.ID, func(m *machine) { m.poweredOn = time.Now().Add(5 * time.Minute) })
		}
		for minute := range 5 {
			refused := status(http.StatusUnauthorized)
			time.AfterFunc(time.Duration(minute)*time.Minute, func() { s.failing(refused, refused) })
			time.AfterFunc(time.Duration(minute)*time.Minute+50*time.Second, func() { s.failing(nil, nil) })
		}
		together(machines, 10, func(m inventory.Location) { mustWait(t, f, m) })
	})
}

// A machine for which the service answers 404 while it shows the account is gone.
func TestWaitEndsWhenTheMachineIsGone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := inventory.New(s)
		m := s.add("default", 1)[0]
		s.purge(m.ID)
		began := time.Now()
		if _, err := f.Wait(t.Context(), m, wanted, isOn); !inventory.IsGone(err) || time.Since(began) > 5*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// TestWaitAfterItsDeadlineLooksOnce: a deadline that has passed before the first answer still allows one look. An interrupt
// does not.
func TestWaitAfterItsDeadlineLooksOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := inventory.New(s)
		m := s.add("default", 1)[0]
		ctx, cancel := context.WithTimeout(t.Context(), 0)
		defer cancel()
		if vm, err := f.Wait(ctx, m, wanted, isOn); err != nil || vm.ID != m.ID {
			t.Errorf("got %v, %v", vm, err)
		}
		for _, left := range []time.Duration{0, latency / 2, latency + latency/2} {
			gone, done := context.WithTimeout(t.Context(), left)
			purged := s.add("default", 1)[0]
			s.purge(purged.ID)
			if _, err := f.Wait(gone, purged, wanted, isOn); !inventory.IsGone(err) {
				t.Errorf("a machine that is gone, with %s left: %v", left, err)
			}
			done()
		}
		cancelled, interrupt := context.WithCancel(t.Context())
		interrupt()
		s.requests = nil
		if _, err := f.Wait(cancelled, m, wanted, isOn); !errors.Is(err, context.Canceled) || len(s.requests) != 0 {
			t.Errorf("after an interrupt: %v, %v", err, s.requests)
		}
	})
}

func TestWaitFindsOutThatItsMachineWasPurged(t *testing.T) {
	t.Parallel()
	waiting(t, func(t *testing.T, s *service, f *inventory.Inventory, machines []inventory.Location) {
		time.AfterFunc(10*time.Second, func() { s.purge(1) })
		together(machines, 10, func(m inventory.Location) {
			create(s, f, m, time.Minute)
			if _, err := f.Wait(t.Context(), m, wanted, isOn); inventory.IsGone(err) != (m.ID == 1) {
				t.Errorf("machine %d: %v", m.ID, err)
			}
		})
	})
}

// The service may answer 404 for a machine that it has just created.
func TestNewMachineMayBeUnknownForAWhile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		appears        time.Duration
		created, found bool
	}{
		{created: true, found: true},
		{appears: 25 * time.Second, created: true, found: true},
		{appears: time.Hour, created: true},
		{appears: time.Hour},
	} {
		waiting(t, func(t *testing.T, s *service, f *inventory.Inventory, machines []inventory.Location) {
			began := time.Now()
			for _, m := range machines {
				s.change(m.ID, func(m *machine) { m.appears = time.Now().Add(c.appears) })
			}
			together(machines, 10, func(m inventory.Location) {
				f.Wrote(m.ID)
				m.Created = c.created
				_, err := f.Wait(t.Context(), m, wanted, isOn)
				if c.found && err != nil || !c.found && !inventory.IsGone(err) {
					t.Errorf("%+v: got %v", c, err)
				}
			})
			if took := time.Since(began); !c.found && c.created && (took < 30*time.Second || took > time.Minute) {
				t.Errorf("a machine that never appears is reported after %v", took)
			}
		})
	}
}

func TestUnfinishedWaitReportsWhatWasSeen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		f := inventory.New(s)
		m := s.add("default", 1)[0]
		create(s, f, m, time.Hour)
		time.AfterFunc(20*time.Second, func() { s.failing(status(http.StatusBadGateway), nil) })
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		_, err := f.Wait(ctx, m, wanted, isOn)
		unfinished, ok := errors.AsType[*progress.Unfinished](err)
		if !ok || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v", err)
		}
		if unfinished.Waited != 30*time.Second {
			t.Errorf("got %+v", unfinished)
		}
		if want := "waited 30s for the machine to be on: timed out; last seen: power_on is false; then "; !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "502") {
			t.Errorf("got %q", err)
		}
	})
}

func TestCancelledWaitEndsAtOnceAndLeavesTheOthers(t *testing.T) {
	t.Parallel()
	waiting(t, func(t *testing.T, s *service, f *inventory.Inventory, machines []inventory.Location) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(7*time.Second, cancel)
		began := time.Now()
		together(machines, 10, func(m inventory.Location) {
			s.change(m.ID, func(m *machine) { m.poweredOn = time.Now().Add(20 * time.Second) })
			if m.ID%2 == 0 {
				mustWait(t, f, m)
				return
			}
			_, err := f.Wait(ctx, m, wanted, isOn)
			if took := time.Since(began); !errors.Is(err, context.Canceled) || took != 7*time.Second {
				t.Errorf("got %v after %v", err, took)
			}
		})
		if len(machines) > 1 { // what the wait has heard of does not answer a read
			s.change(2, func(m *machine) { m.version++ }) // elsewhere
			mustReadWritten(t, f, machines[1])
		}
	})
}

// A soft-deleted machine ends a wait.
func TestWaitEndsWhenTheMachineIsSoftDeleted(t *testing.T) {
	t.Parallel()
	waiting(t, func(t *testing.T, s *service, f *inventory.Inventory, machines []inventory.Location) {
		time.AfterFunc(10*time.Second, func() { s.change(1, func(m *machine) { m.deleted = true }) })
		together(machines, 10, func(m inventory.Location) {
			create(s, f, m, time.Minute)
			_, err := f.Wait(t.Context(), m, wanted, isOn)
			if _, deleted := errors.AsType[*inventory.DeletedError](err); deleted != (m.ID == 1) {
				t.Errorf("machine %d: %v", m.ID, err)
			}
		})
	})
}

// Any other wait remembers the last failure.
func TestWaitFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		f, looks := inventory.New(newService(0)), 0
		err := f.WaitFor(ctx, "the backup", func(context.Context) (bool, string, error) {
			looks++
			return looks == 5, "", nil
		})
		if err != nil || looks != 5 {
			t.Errorf("%v after %d looks", err, looks)
		}
		err = f.WaitFor(ctx, "the backup", func(context.Context) (bool, string, error) {
			return false, "no backup", status(http.StatusInternalServerError)
		})
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "last seen: no backup; then ") || !strings.Contains(err.Error(), "500") {
			t.Errorf("got %v", err)
		}
	})
}
