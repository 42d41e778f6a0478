package vmaction_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestPowerAction(t *testing.T) {
	t.Parallel()
	const put, powerdown = "PUT /accounts/demo/groups/1/virtual_machines/%d", "POST /accounts/demo/groups/1/virtual_machines/%d/signal"
	for name, test := range map[string]struct {
		machine emulator.Machine
		config  map[string]any
		calls   []string
		on      bool
		atMost  time.Duration
	}{
		"start":                         {emulator.Machine{}, map[string]any{"state": "start"}, []string{put}, true, 40 * time.Second},
		"start what starts by itself":   {emulator.Machine{AutorebootOn: true}, map[string]any{"state": "start"}, []string{put}, true, 40 * time.Second},
		"start what is on":              {emulator.Machine{PowerOn: true}, map[string]any{"state": "start"}, nil, true, 0},
		"stop":                          {emulator.Machine{PowerOn: true}, map[string]any{"state": "stop"}, []string{powerdown}, false, 20 * time.Second},
		"stop what starts by itself":    {emulator.Machine{PowerOn: true, AutorebootOn: true}, map[string]any{"state": "stop"}, []string{put, powerdown}, false, 20 * time.Second},
		"stop what is off":              {emulator.Machine{}, map[string]any{"state": "stop"}, nil, false, 0},
		"stop a deaf guest":             {emulator.Machine{PowerOn: true, IgnoresPowerdown: true}, map[string]any{"state": "stop"}, []string{powerdown, put}, false, 150 * time.Second},
		"stop a deaf guest soon":        {emulator.Machine{PowerOn: true, IgnoresPowerdown: true}, map[string]any{"state": "stop", "shutdown_timeout": "5s"}, []string{powerdown, put}, false, 10 * time.Second},
		"restart":                       {emulator.Machine{PowerOn: true}, map[string]any{"state": "restart"}, []string{powerdown, put, put}, true, 60 * time.Second},
		"restart what starts by itself": {emulator.Machine{PowerOn: true, AutorebootOn: true}, map[string]any{"state": "restart"}, []string{put, powerdown, put}, true, 60 * time.Second},
		"restart a deaf guest":          {emulator.Machine{PowerOn: true, IgnoresPowerdown: true}, map[string]any{"state": "restart", "shutdown_timeout": "5s"}, []string{powerdown, put, put, put}, true, 60 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onMachine(t, test.machine, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64) {
				e.ResetJournal()
				began := time.Now()
				progress := d.MustInvoke(t.Context(), power, order(id, test.config))
				took := time.Since(began)
				machine, _ := e.Machine(id)
				reboots := test.machine.AutorebootOn // a stop and a start set it
				if test.machine.PowerOn != test.on {
					reboots = test.on
				}
				if machine.PowerOn != test.on || machine.AutorebootOn != reboots {
					t.Errorf("want power_on %t and autoreboot_on %t, got %+v", test.on, reboots, machine)
				}
				want := []string{}
				for _, call := range test.calls {
					want = append(want, fmt.Sprintf(strings.Replace(call, "groups/1", fmt.Sprintf("groups/%d", machine.GroupID), 1), id))
				}
				if diff := cmp.Diff(want, append([]string{}, e.Calls()...)); diff != "" {
					t.Errorf("calls (-want +got):\n%s", diff)
				}
				if took > test.atMost || len(progress) == 0 {
					t.Errorf("took %s of at most %s, telling %q", took, test.atMost, progress)
				}
			})
		})
	}
}

// TestActionsTakeAPlace: of three machines that are restarted and reimaged, one is
// down at any moment.
func TestActionsTakeAPlace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{BootTime: 30 * time.Second, ShutdownTime: 10 * time.Second}, map[string]any{"max_unavailable": 1})
		var all sync.WaitGroup
		for i, action := range []string{power, reimage, power} {
			id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: fmt.Sprintf("web%d", i), PowerOn: true, AutorebootOn: true})
			config := order(id, map[string]any{"state": "restart"})
			if action == reimage {
				config = order(id, map[string]any{"distribution": "noble", "allow_stopping": true})
			}
			all.Go(func() { d.MustInvoke(t.Context(), action, config) })
		}
		for range 200 {
			time.Sleep(time.Second)
			off := 0
			for _, m := range e.Machines() {
				if !m.PowerOn {
					off++
				}
			}
			if off > 1 {
				t.Fatalf("%d machines are down", off)
			}
		}
		all.Wait()
	})
}

func TestSignalAction(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		machine emulator.Machine
		config  map[string]any
		on      bool
		atMost  time.Duration
	}{
		"powerdown":                          {emulator.Machine{PowerOn: true}, map[string]any{"signal": "powerdown"}, false, 20 * time.Second},
		"powerdown of what starts by itself": {emulator.Machine{PowerOn: true, AutorebootOn: true}, map[string]any{"signal": "powerdown"}, true, 0},
		"reset":                              {emulator.Machine{PowerOn: true}, map[string]any{"signal": "reset"}, true, 0},
		"sendkey":                            {emulator.Machine{PowerOn: true}, map[string]any{"signal": "sendkey", "key": "ctrl-alt-delete"}, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onMachine(t, test.machine, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64) {
				began := time.Now()
				progress := d.MustInvoke(t.Context(), signal, order(id, test.config))
				if took := time.Since(began); took > test.atMost || len(progress) == 0 {
					t.Errorf("took %s of at most %s, telling %q", took, test.atMost, progress)
				}
				if machine, _ := e.Machine(id); machine.PowerOn != test.on || machine.AutorebootOn != test.machine.AutorebootOn {
					t.Errorf("want power_on %t and autoreboot_on as it was, got %+v", test.on, machine)
				}
				if calls := e.Calls(); len(calls) != 1 || !strings.HasSuffix(calls[0], "/signal") {
					t.Errorf("want one signal, got %q", calls)
				}
			})
		})
	}
}

func TestReimageAction(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		machine emulator.Machine
		allow   bool
		calls   int
	}{
		"off":                    {emulator.Machine{}, false, 1},
		"on":                     {emulator.Machine{PowerOn: true}, true, 2},
		"on, starting by itself": {emulator.Machine{PowerOn: true, AutorebootOn: true}, true, 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.machine.LastImagedWith = "bookworm"
			onMachine(t, test.machine, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64) {
				before, _ := e.Machine(id)
				d.MustInvoke(t.Context(), reimage, order(id, map[string]any{
					"distribution": "noble", "ssh_public_key": "ssh-ed25519 AAAA", "allow_stopping": test.allow,
				}))
				after, _ := e.Machine(id)
				if !after.PowerOn || after.AutorebootOn != before.AutorebootOn || after.LastImagedWith != "noble" || after.Images != before.Images+1 {
					t.Errorf("before %+v\nafter %+v", before, after)
				}
				if after.SSHPublicKey != "ssh-ed25519 AAAA" || after.RootPasswordSHA256 == "" {
					t.Errorf("not all of the image was sent: %+v", after)
				}
				if calls := e.Calls(); len(calls) != test.calls {
					t.Errorf("want %d calls, got %q", test.calls, calls)
				}
			})
		})
	}
}
