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

type config = map[string]any

// TestActions: what each action sends, how long it takes, and the power in the end.
func TestActions(t *testing.T) {
	t.Parallel()
	off, offSoon := emulator.Machine{}, emulator.Machine{AutorebootOn: true}
	on, stays := emulator.Machine{PowerOn: true}, emulator.Machine{PowerOn: true, AutorebootOn: true}
	deaf := emulator.Machine{PowerOn: true, IgnoresPowerdown: true}
	soon := config{"shutdown_timeout": "5s"}
	with := func(c config, more ...config) config {
		all := config{}
		for _, c := range append(more, c) {
			for name, value := range c {
				all[name] = value
			}
		}
		return all
	}
	start, stop, restart := config{"state": "start"}, config{"state": "stop"}, config{"state": "restart"}
	image := config{"distribution": "noble", "ssh_public_key": "ssh-ed25519 AAAA", "allow_stopping": true}
	const put, powerdown, install = "PUT", "POST/signal", "POST/reimage"
	for name, test := range map[string]struct {
		machine emulator.Machine
		action  string
		config  config
		calls   string
		on      bool
		atMost  time.Duration
	}{
		"start":                              {off, power, start, put, true, 40 * time.Second},
		"start what starts by itself":        {offSoon, power, start, put, true, 40 * time.Second},
		"start what is on":                   {on, power, start, "", true, 0},
		"stop":                               {on, power, stop, powerdown, false, 20 * time.Second},
		"stop what starts by itself":         {stays, power, stop, put + " " + powerdown, false, 20 * time.Second},
		"stop what is off":                   {off, power, stop, "", false, 0},
		"stop a guest that ignores it":       {deaf, power, stop, powerdown + " " + put, false, 150 * time.Second},
		"stop such a guest soon":             {deaf, power, with(stop, soon), powerdown + " " + put, false, 10 * time.Second},
		"restart":                            {on, power, restart, powerdown + " PUT PUT", true, time.Minute},
		"restart what starts by itself":      {stays, power, restart, put + " " + powerdown + " " + put, true, time.Minute},
		"restart a guest that ignores it":    {deaf, power, with(restart, soon), powerdown + " PUT PUT PUT", true, time.Minute},
		"powerdown":                          {on, signal, config{"signal": "powerdown"}, powerdown, false, 20 * time.Second},
		"powerdown of what starts by itself": {stays, signal, config{"signal": "powerdown"}, powerdown, true, 0},
		"reset":                              {on, signal, config{"signal": "reset"}, powerdown, true, 0},
		"sendkey":                            {on, signal, config{"signal": "sendkey", "key": "ctrl-alt-delete"}, powerdown, true, 0},
		"reimage":                            {off, reimage, with(config{"allow_stopping": false}, image), install, true, time.Minute},
		"reimage what is on":                 {on, reimage, image, powerdown + " " + install, true, 2 * time.Minute},
		"reimage what starts by itself":      {stays, reimage, image, "PUT " + powerdown + " " + install + " PUT", true, 2 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onMachine(t, test.machine, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64) {
				e.ResetJournal()
				began := time.Now()
				progress := d.MustInvoke(t.Context(), test.action, order(id, test.config))
				took := time.Since(began)
				machine, _ := e.Machine(id)
				reboots := test.machine.AutorebootOn // a stop and a start set it
				if test.action == power && test.machine.PowerOn != test.on {
					reboots = test.on
				}
				if machine.PowerOn != test.on || machine.AutorebootOn != reboots {
					t.Errorf("want power_on %t and autoreboot_on %t, got %+v", test.on, reboots, machine)
				}
				base := fmt.Sprintf(" /accounts/demo/groups/%d/virtual_machines/%d", machine.GroupID, id)
				if diff := cmp.Diff(test.calls, strings.ReplaceAll(strings.Join(e.Calls(), " "), base, "")); diff != "" {
					t.Errorf("calls (-want +got):\n%s", diff)
				}
				if took > test.atMost || len(progress) == 0 {
					t.Errorf("took %s of at most %s, telling %q", took, test.atMost, progress)
				}
				if installed := machine.Images == 1 && machine.LastImagedWith == "noble" && machine.SSHPublicKey == "ssh-ed25519 AAAA" && machine.RootPasswordSHA256 != ""; installed != (test.action == reimage) {
					t.Errorf("installed: %+v", machine)
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
		d, e := acctest.Drive(t, emulator.Options{BootTime: 30 * time.Second, ShutdownTime: 10 * time.Second}, config{"max_unavailable": 1})
		var all sync.WaitGroup
		for i, action := range []string{power, reimage, power} {
			id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: fmt.Sprintf("web%d", i), PowerOn: true, AutorebootOn: true})
			order := order(id, config{"state": "restart"})
			if action == reimage {
				order = config{"virtual_machine_id": text(id), "distribution": "noble", "allow_stopping": true}
			}
			all.Go(func() { d.MustInvoke(t.Context(), action, order) })
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
