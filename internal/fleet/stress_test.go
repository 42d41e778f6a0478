package fleet_test

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// Fifty goroutines read, wait, write, move and give up, with a few machines, so that they collide. No result is older
// than a write that ended before the call, and a cancelled caller cancels no other.
func TestStress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		s.listLatency = 4 * latency
		machines := append(s.add("default", 20), s.add("private", 20)...)
		f := pastTheFirst(t, s)
		written := make([]atomic.Int64, len(machines)+1)
		check := func(what string, atLeast int64, got *cloudserver.VirtualMachine, err error) {
			switch {
			case err != nil:
				t.Errorf("%s: %v", what, err)
			case *got.Cores < atLeast:
				t.Errorf("%s: machine %d as of write %d, after write %d", what, got.ID, *got.Cores, atLeast)
			}
		}
		var steps []fleet.Machine
		for range 3000 {
			steps = append(steps, machines[rand.IntN(len(machines))])
		}
		together(steps, 50, func(m fleet.Machine) {
			before := written[m.ID].Load()
			switch rand.IntN(6) {
			case 0, 1:
				got, err := f.Read(t.Context(), m)
				check("read", before, got, err)
			case 2:
				version := update(s, f, m)
				for old := before; old < version && !written[m.ID].CompareAndSwap(old, version); {
					old = written[m.ID].Load()
				}
				got, err := f.Read(t.Context(), m)
				check("read after write", version, got, err)
			case 3:
				got, err := f.Wait(t.Context(), m, wanted, func(*cloudserver.VirtualMachine) bool { return rand.IntN(3) == 0 })
				check("wait", before, got, err)
			case 4:
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.IntN(100))*time.Millisecond)
				defer cancel()
				if got, err := f.Read(ctx, m); ctx.Err() == nil {
					check("read in time", before, got, err)
				}
			case 5:
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.IntN(3000))*time.Millisecond)
				defer cancel()
				if got, err := f.Wait(ctx, m, wanted, func(*cloudserver.VirtualMachine) bool { return false }); err == nil {
					t.Errorf("a wait without end ended with %+v", got)
				}
			}
		})
	})
}

// update writes to a machine, or moves it, and returns its version.
func update(s *service, f *fleet.Fleet, m fleet.Machine) (version int64) {
	time.Sleep(time.Duration(rand.IntN(50)) * time.Millisecond)
	s.change(m.ID, func(m *machine) {
		m.version++
		version = m.version
		if rand.IntN(4) == 0 {
			m.group = s.groupNamed([]string{"default", "private"}[rand.IntN(2)])
		}
	})
	time.Sleep(time.Duration(rand.IntN(50)) * time.Millisecond)
	f.Wrote(m)
	return version
}
