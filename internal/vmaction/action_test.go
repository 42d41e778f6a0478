package vmaction_test

import (
	"fmt"
	"net/http"
	"slices"
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

// TestMovesTakeASlotForEachMachine: two moves, each between machines that are on, and a restart beside them. With one
// slot for all, a move takes that for both of its machines.
func TestMovesTakeASlotForEachMachine(t *testing.T) {
	t.Parallel()
	for slots, most := range map[int]int{1: 2, 2: 2, 3: 3} {
		t.Run(fmt.Sprint(slots), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d, e := acctest.Drive(t, emulator.Options{BootTime: 30 * time.Second, ShutdownTime: 10 * time.Second}, config{"max_unavailable": slots})
				ids := make([]int64, 5)
				for i := range ids {
					ids[i] = e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
						Name: fmt.Sprintf("web%d", i), PowerOn: true, AutorebootOn: true,
						Discs: []emulator.Disc{{Label: "vda", Size: 10240}, {Label: fmt.Sprintf("data%d", i), Size: 10240}},
					})
				}
				var all sync.WaitGroup
				for _, pair := range [][2]int64{{ids[0], ids[1]}, {ids[2], ids[3]}} {
					from, _ := e.Machine(pair[0])
					all.Go(func() {
						d.MustInvoke(t.Context(), discMove, order(pair[0], config{"disc_id": text(from.Discs[1].ID), "to": text(pair[1]), "allow_stopping": true}))
					})
				}
				all.Go(func() { d.MustInvoke(t.Context(), power, order(ids[4], config{"state": "restart"})) })
				done := make(chan struct{})
				go func() { all.Wait(); close(done) }()
				for isDone := false; !isDone; {
					select {
					case <-done:
						isDone = true
					case <-time.After(time.Second):
					}
					var off []string
					for _, m := range e.Machines() {
						if !m.PowerOn {
							off = append(off, m.Name)
						}
					}
					if len(off) > most || slots == 1 && len(off) > 1 && slices.Contains(off, "web4") {
						t.Fatalf("down are %v", off)
					}
				}
				for i, discs := range map[int]int{0: 1, 1: 3, 2: 1, 3: 3} {
					if m, _ := e.Machine(ids[i]); len(m.Discs) != discs {
						t.Errorf("%s has discs %v", m.Name, m.Discs)
					}
				}
			})
		})
	}
}

// TestActionsEndWithTheFirstFailure: after an action that may have left a machine down, no other machine goes down, and
// the error says which machine comes first.
func TestActionsEndWithTheFirstFailure(t *testing.T) {
	t.Parallel()
	for _, moves := range []bool{false, true} {
		t.Run(fmt.Sprintf("moves a disc: %t", moves), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d, e := acctest.Drive(t, emulator.Options{BootTime: 30 * time.Second, ShutdownTime: 10 * time.Second}, config{"max_unavailable": 1})
				add := func(name string, labels ...string) int64 {
					web := emulator.Machine{Name: name, PowerOn: true, AutorebootOn: true}
					for _, label := range labels {
						web.Discs = append(web.Discs, emulator.Disc{Label: label, Size: 10240})
					}
					return e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, web)
				}
				bad, good, other := add("web1", "vda", "data"), add("web2", "vda"), add("web3", "vda")
				e.Inject(emulator.Fault{Status: http.StatusUnprocessableEntity, Times: 1, Match: func(r emulator.Request) bool {
					return strings.HasSuffix(r.Path, "/"+text(bad)) && strings.Contains(string(r.Body), `"power_on":true`)
				}})
				if moves {
					was, _ := e.Machine(bad)
					_, diags := d.Invoke(t.Context(), discMove, order(bad, config{"disc_id": text(was.Discs[1].ID), "to": text(other), "allow_stopping": true}))
					acctest.ExpectError(t, diags, "Cannot move")
				} else {
					_, diags := d.Invoke(t.Context(), power, order(bad, config{"state": "restart"}))
					acctest.ExpectError(t, diags, "Cannot restart")
				}
				e.ResetPower()
				_, diags := d.Invoke(t.Context(), power, order(good, config{"state": "restart"}))
				acctest.ExpectError(t, diags, "Not invoked: the rollout ended with virtual machine "+text(bad)+", whose error has the cause.", "Nothing was changed here")
				if changes := e.Power().Changes; len(changes) > 0 {
					t.Errorf("changes of power: %v", changes)
				}
			})
		})
	}
}

// TestNullArguments: Terraform validates a configuration before variables have values, and not again.
func TestNullArguments(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	for at, c := range map[string]config{
		"virtual_machine_id": {"virtual_machine_id": nil, "disc_id": "1", "backup_id": "1", "confirm": true},
		"disc_id":            {"virtual_machine_id": "1", "disc_id": nil, "backup_id": "1", "confirm": true},
		"backup_id":          {"virtual_machine_id": "1", "disc_id": "1", "backup_id": nil, "confirm": true},
	} {
		t.Run(at, func(t *testing.T) {
			_, diags := d.InvokePlanned(t.Context(), discRestore, c)
			acctest.ExpectError(t, diags, "Missing "+at, at+" is required, and it is null")
		})
	}
	acctest.ExpectCalls(t, e)
}

// TestActionsAreValidatedAgain: Terraform validates an action before variables have values. A typo in a value must not
// cause another action: any other state would have started the machine.
func TestActionsAreValidatedAgain(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	id := e.AddMachine("demo", "default", emulator.Machine{Name: "web1", Discs: []emulator.Disc{{Label: "vda", Size: 1024}}})
	for _, c := range []config{
		{"virtual_machine_id": fmt.Sprint(id), "state": "sotp"},
		{"virtual_machine_id": fmt.Sprint(id), "state": "stop", "shutdown_timeout": "soon"},
		{"virtual_machine_id": fmt.Sprint(id), "state": "stop", "timeouts": config{"invoke": "soon"}},
	} {
		if diags := d.PlanAction(t.Context(), "cloudserver_vm_power", c); !acctest.HasErrors(diags) {
			t.Errorf("the plan of %v is accepted", c)
		}
		if _, diags := d.InvokePlanned(t.Context(), "cloudserver_vm_power", c); !acctest.HasErrors(diags) {
			t.Errorf("%v is invoked", c)
		}
	}
	acctest.ExpectCalls(t, e)
}
