package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// newClient is the real client of an emulator in memory.
func newClient(t *testing.T, e *emulator.Emulator) *cloudserver.Client {
	t.Helper()
	client, err := cloudserver.New(cloudserver.Config{
		Endpoint: "http://127.0.0.1", Token: emulator.DemoAPIKey, Transport: e.Transport(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// build creates machines as the resource does, so many at a time.
func build(t *testing.T, client *cloudserver.Client, f *fleet.Fleet, n, parallelism int) []fleet.Machine {
	t.Helper()
	var mu sync.Mutex
	var built []fleet.Machine
	on := true
	together(make([]fleet.Machine, n), parallelism, func(fleet.Machine) {
		create := cloudserver.VirtualMachineCreate{
			VirtualMachine: cloudserver.VirtualMachineSpec{Name: fmt.Sprintf("web%d", rand.Int64()), Settings: cloudserver.Settings{PowerOn: &on}},
			Discs:          []cloudserver.DiscSpec{{Label: "vda", Size: 25600}},
		}
		vm, err := client.CreateVirtualMachine(t.Context(), emulator.DemoAccount, "default", create)
		if err != nil {
			t.Error(err)
			return
		}
		m := fleet.Machine{Account: emulator.DemoAccount, Group: "default", ID: vm.ID}
		f.Wrote(m)
		mustWait(t, f, m)
		mu.Lock()
		defer mu.Unlock()
		built = append(built, m)
	})
	return built
}

func TestLifeOfAGroupOnTheEmulator(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ machines, create, refresh, destroy int }{
		{1, 2, 1, 2}, {20, 40, 20, 40}, {200, 238, 21, 221},
	} {
		t.Run(strconv.Itoa(c.machines), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := acctest.NewEmulator(t, emulator.Options{Latency: latency})
				client := newClient(t, e)
				check := func(what string, want int) {
					t.Helper()
					if got := len(e.Journal()); got != want {
						t.Errorf("%s of %d machines took %d requests, want %d", what, c.machines, got, want)
					}
					e.ResetJournal()
				}
				machines := build(t, client, fleet.New(client), c.machines, 10)
				check("creation", c.create)

				f := fleet.New(client)
				together(machines, 10, func(m fleet.Machine) { mustRead(t, f, m) })
				check("refresh", c.refresh)

				f = fleet.New(client)
				together(machines, 10, func(m fleet.Machine) {
					ref, err := f.Ref(t.Context(), m)
					if err == nil {
						err = client.DeleteVirtualMachine(t.Context(), ref, true)
					}
					if err != nil {
						t.Error(err)
					}
					f.Wrote(m)
				})
				check("destruction", c.destroy)
			})
		})
	}
}

func ref(m fleet.Machine) cloudserver.Ref {
	return cloudserver.Ref{Account: m.Account, Group: m.Group, ID: m.ID}
}

// The same as TestStress, with the real client and the emulator: the version of
// a machine is in the address of its CD.
func TestStressOnTheEmulator(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := acctest.NewEmulator(t, emulator.Options{Latency: latency, BootTime: 3 * time.Second})
		client := newClient(t, e)
		f := fleet.New(client)
		machines := build(t, client, f, 20, 20)
		written := map[int64]*atomic.Int64{}
		writing := map[int64]chan struct{}{}
		for _, m := range machines {
			written[m.ID], writing[m.ID] = &atomic.Int64{}, make(chan struct{}, 1)
		}
		write := func(m fleet.Machine) {
			writing[m.ID] <- struct{}{} // one write at a time, or there is no telling which is the last
			defer func() { <-writing[m.ID] }()
			version := written[m.ID].Load() + 1
			cd := fmt.Sprintf("https://images.example/%d", version)
			update := cloudserver.VirtualMachineUpdate{Settings: cloudserver.Settings{CDROMURL: &cloudserver.Nullable{Value: &cd}}}
			if _, err := client.UpdateVirtualMachine(t.Context(), ref(m), update); err != nil {
				t.Error(err)
			}
			f.Wrote(m)
			written[m.ID].Store(version)
		}
		var steps []fleet.Machine
		for range 1500 {
			steps = append(steps, machines[rand.IntN(len(machines))])
		}
		together(steps, 50, func(m fleet.Machine) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+rand.IntN(4000))*time.Millisecond)
			defer cancel()
			if rand.IntN(3) == 0 {
				write(m)
			}
			before := written[m.ID].Load()
			var vm *cloudserver.VirtualMachine
			var err error
			if rand.IntN(2) == 0 {
				vm, err = f.Read(ctx, m)
			} else {
				vm, err = f.Wait(ctx, m, func(*cloudserver.VirtualMachine) bool { return rand.IntN(3) == 0 })
			}
			switch {
			case ctx.Err() != nil && errors.Is(err, ctx.Err()): // gave up
			case err != nil:
				t.Error(err)
			case version(vm) < before:
				t.Errorf("machine %d is as of write %d, after write %d", m.ID, version(vm), before)
			}
		})
	})
}

// version is the number at the end of the CD's address, 0 without one.
func version(vm *cloudserver.VirtualMachine) int64 {
	if vm.CDROMURL == nil {
		return 0
	}
	text := *vm.CDROMURL
	n, err := strconv.ParseInt(text[strings.LastIndex(text, "/")+1:], 10, 64)
	if err != nil {
		return -1
	}
	return n
}
