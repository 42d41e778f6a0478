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

func TestWaitOutlastsTransientErrors(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 10} { // by id, by listing
		for _, err := range []error{
			status(http.StatusBadGateway), status(http.StatusTooManyRequests),
			&cloudserver.TransportError{Err: errors.New("connection refused")}, cloudserver.ErrNotDescribed,
		} {
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				machines := s.add("default", n)
				f := pastTheFirst(t, s)
				s.failing(err, err)
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
				machines := s.add("default", n)
				f := pastTheFirst(t, s)
				s.failing(status(code), status(code))
				began := time.Now()
				together(machines, n, func(m fleet.Machine) {
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
		machines := s.add("default", 10)
		f := pastTheFirst(t, s)
		time.AfterFunc(10*time.Second, func() { s.purge(4) })
		together(machines, 10, func(m fleet.Machine) {
			create(s, f, m, time.Minute)
			if _, err := f.Wait(t.Context(), m, isOn); cloudserver.IsNotFound(err) != (m.ID == 4) {
				t.Errorf("machine %d: %v", m.ID, err)
			}
		})
	})
}

// The service may answer 404 for a machine that it has only just created.
func TestNewMachineMayBeUnknownForAWhile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		appears time.Duration
		created bool
		found   bool
	}{
		{0, true, true},
		{10 * time.Second, true, true},
		{25 * time.Second, true, true},
		{time.Hour, true, false},
		{time.Hour, false, false},
	} {
		for _, n := range []int{1, 10} {
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				machines := s.add("default", n)
				f, began := pastTheFirst(t, s), time.Now()
				for _, m := range machines {
					s.change(m.ID, func(m *machine) { m.appears = time.Now().Add(c.appears) })
				}
				together(machines, n, func(m fleet.Machine) {
					f.Wrote(m)
					wait := f.Wait
					if c.created {
						wait = f.WaitCreated
					}
					_, err := wait(t.Context(), m, isOn)
					if c.found && err != nil || !c.found && !cloudserver.IsNotFound(err) {
						t.Errorf("%+v: got %v", c, err)
					}
				})
				if took := time.Since(began); !c.found && c.created && (took < 30*time.Second || took > time.Minute) {
					t.Errorf("a machine that never appears is reported after %v", took)
				}
			})
		}
	}
}

func TestWaitErrorReportsWhatWasSeen(t *testing.T) {
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
		machines := s.add("default", 10)
		f := pastTheFirst(t, s)
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
