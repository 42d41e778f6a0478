// SPDX-License-Identifier: MPL-2.0

package vmaction_test

import (
	"fmt"
	"net/http"
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

// TestActions checks the requests of each action, its duration, and the final power.
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
		"start":                              {machine: off, action: power, config: start, calls: put, on: true, atMost: 40 * time.Second},
		"start what starts by itself":        {machine: offSoon, action: power, config: start, calls: put, on: true, atMost: 40 * time.Second},
		"start what is on":                   {machine: on, action: power, config: start, on: true},
		"stop":                               {machine: on, action: power, config: stop, calls: powerdown, atMost: 20 * time.Second},
		"stop what starts by itself":         {machine: stays, action: power, config: stop, calls: put + " " + powerdown, atMost: 20 * time.Second},
		"stop what is off":                   {machine: off, action: power, config: stop},
		"stop a guest that ignores it":       {machine: deaf, action: power, config: stop, calls: powerdown + " " + put, atMost: 150 * time.Second},
		"stop such a guest soon":             {machine: deaf, action: power, config: with(stop, soon), calls: powerdown + " " + put, atMost: 10 * time.Second},
		"restart":                            {machine: on, action: power, config: restart, calls: powerdown + " PUT PUT", on: true, atMost: time.Minute},
		"restart what starts by itself":      {machine: stays, action: power, config: restart, calls: put + " " + powerdown + " " + put, on: true, atMost: time.Minute},
		"restart a guest that ignores it":    {machine: deaf, action: power, config: with(restart, soon), calls: powerdown + " PUT PUT PUT", on: true, atMost: time.Minute},
		"powerdown":                          {machine: on, action: signal, config: config{"signal": "powerdown"}, calls: powerdown, atMost: 20 * time.Second},
		"powerdown of what starts by itself": {machine: stays, action: signal, config: config{"signal": "powerdown"}, calls: powerdown, on: true},
		"reset":                              {machine: on, action: signal, config: config{"signal": "reset"}, calls: powerdown, on: true},
		"sendkey":                            {machine: on, action: signal, config: config{"signal": "sendkey", "key": "ctrl-alt-delete"}, calls: powerdown, on: true},
		"reimage":                            {machine: off, action: reimage, config: with(config{"allow_stopping": false}, image), calls: install, on: true, atMost: time.Minute},
		"reimage what is on":                 {machine: on, action: reimage, config: image, calls: powerdown + " " + install, on: true, atMost: 2 * time.Minute},
		"reimage what starts by itself":      {machine: stays, action: reimage, config: image, calls: "PUT " + powerdown + " " + install + " PUT", on: true, atMost: 2 * time.Minute},
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

// TestActionsTakeASlot: while three machines are restarted and reimaged, only one is down at any time.
func TestActionsTakeASlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{BootTime: 30 * time.Second, ShutdownTime: 10 * time.Second}, config{"max_unavailable": 1})
		var all sync.WaitGroup
		for i, action := range []string{power, reimage, power} {
			id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
				Name: fmt.Sprintf("web%d", i), PowerOn: true, AutorebootOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}},
			})
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

// TestActionsEndWithTheFirstFailure: after an action that may have left a machine down, no other machine goes down, and
// the error says which machine comes first.
func TestActionsEndWithTheFirstFailure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{BootTime: 30 * time.Second, ShutdownTime: 10 * time.Second}, config{"max_unavailable": 1})
		add := func(name string) int64 {
			return e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
				Name: name, PowerOn: true, AutorebootOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 10240}},
			})
		}
		bad, good := add("web1"), add("web2")
		e.Inject(emulator.Fault{Status: http.StatusUnprocessableEntity, Times: 1, Match: func(r emulator.Request) bool {
			return strings.HasSuffix(r.Path, "/"+text(bad)) && strings.Contains(string(r.Body), `"power_on":true`)
		}})
		_, diags := d.Invoke(t.Context(), power, order(bad, config{"state": "restart"}))
		acctest.ExpectError(t, diags, "Cannot restart")
		e.ResetJournal()
		_, diags = d.Invoke(t.Context(), power, order(good, config{"state": "restart"}))
		acctest.ExpectError(t, diags, "Not invoked: the rollout ended with virtual machine "+text(bad)+", whose error has the cause.")
		acctest.ExpectCalls(t, e)
	})
}

// TestActionsAreValidatedAgain: Terraform validates an action before variables have values. A typo or null in a value
// must not cause another action.
func TestActionsAreValidatedAgain(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	id := text(e.AddMachine("demo", "default", emulator.Machine{Name: "web1", Discs: []emulator.Disc{{Label: "vda", Size: 1024}}}))
	for at, test := range map[string]struct {
		action string
		config config
	}{
		"state":               {power, config{"virtual_machine_id": id, "state": "sotp"}},
		"shutdown_timeout":    {power, config{"virtual_machine_id": id, "state": "stop", "shutdown_timeout": "soon"}},
		"on_shutdown_timeout": {power, config{"virtual_machine_id": id, "state": "stop", "on_shutdown_timeout": "fial"}},
		"timeouts.invoke":     {power, config{"virtual_machine_id": id, "state": "stop", "timeouts": config{"invoke": "soon"}}},
		"virtual_machine_id":  {power, config{"virtual_machine_id": nil, "state": "stop"}},
	} {
		acctest.ExpectError(t, d.PlanAction(t.Context(), test.action, test.config), "error at "+at)
		_, diags := d.InvokePlanned(t.Context(), test.action, test.config)
		acctest.ExpectError(t, diags, "error at "+at)
	}
	acctest.ExpectCalls(t, e)
}
