// SPDX-License-Identifier: MPL-2.0

package vmaction_test

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const discMove = "cloudserver_disc_move"

// TestDiscOutlivesItsMachine: the data moves to a new machine, the block from one
// configuration to the other, and the old machine is destroyed.
func TestDiscOutlivesItsMachine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		ctx := t.Context()
		boot, data := map[string]any{"label": "vda", "size": 25600}, map[string]any{"label": "data", "size": 10240}
		with := func(name string, discs ...map[string]any) map[string]any {
			return map[string]any{"name": name, "disc": discs}
		}
		before := d.MustApply(ctx, vmType, nil, with("old", boot, data))
		after := d.MustApply(ctx, vmType, nil, with("new", boot))
		disc := before.Get("disc.1.id")
		d.MustInvoke(ctx, discMove, map[string]any{
			"virtual_machine_id": before.Get("id"), "disc_id": disc, "to": after.Get("id"), "allow_stopping": true,
		})
		for _, machine := range e.Machines() {
			if !machine.PowerOn || !machine.AutorebootOn {
				t.Errorf("%s has not its power back", machine.Name)
			}
		}

		e.ResetJournal()
		d = e.NewDriver(t, nil)
		before = d.MustApply(ctx, vmType, d.MustRefresh(ctx, before), with("old", boot))
		after = d.MustApply(ctx, vmType, d.MustRefresh(ctx, after), with("new", boot, data))
		acctest.ExpectCalls(t, e)
		if after.Get("disc.1.id") != disc {
			t.Errorf("the disc is %v, not %v", after.Get("disc.1.id"), disc)
		}
		d = e.NewDriver(t, nil)
		before, after = d.MustRefresh(ctx, before), d.MustRefresh(ctx, after)
		d.ExpectPlan(ctx, before, with("old", boot), acctest.ActionNoOp)
		d.ExpectPlan(ctx, after, with("new", boot, data), acctest.ActionNoOp)
		d.MustApply(ctx, vmType, before, nil)
		if left := e.Machines(); len(left) != 1 || len(left[0].Discs) != 2 || text(left[0].Discs[1].ID) != disc {
			t.Errorf("left: %+v", left)
		}
	})
}

// TestDiscMove checks the requests, the refusals before anything is sent, and the power of both machines in the end.
func TestDiscMove(t *testing.T) {
	t.Parallel()
	const sata = "sata"
	discs := []emulator.Disc{{Label: "vda", Size: 25600, StorageGrade: sata}, {Label: "data", Size: 10240, StorageGrade: sata}}
	for name, test := range map[string]struct {
		on     bool
		config map[string]any
		label  string // of the second machine's other disc
		fault  *emulator.Fault
		moved  bool
		sent   string // the disc's own requests, after the first look
		want   string
	}{
		"both off":                  {moved: true, sent: "PUT"},
		"both on":                   {on: true, config: map[string]any{"allow_stopping": true}, moved: true, sent: "PUT"},
		"on, and not to be stopped": {on: true, want: "Set allow_stopping = true"},
		"the boot disc":             {config: map[string]any{"disc_id": "0"}, want: `("old") boots from disc "vda"`},
		"a label that is taken":     {label: "data", want: `has a disc "data" already`},
		"to itself":                 {config: map[string]any{"to": "self"}, want: "error at to: Invalid target of a disc"},
		"no such machine":           {config: map[string]any{"to": "99999"}, want: "Check to"},
		"no such disc":              {config: map[string]any{"disc_id": "99999"}, want: "Check disc_id"},
		"an answer that is lost":    {fault: &emulator.Fault{AfterEffect: true, Status: http.StatusBadGateway}, moved: true, sent: "PUT GET"},
		"a request that is lost":    {fault: &emulator.Fault{Status: http.StatusBadGateway}, sent: "PUT GET", want: "502"},
		"refused": {
			on: true, config: map[string]any{"allow_stopping": true}, sent: "PUT",
			fault: &emulator.Fault{Status: http.StatusBadRequest, Body: `{"virtual_machine_id":["is full"]}`}, want: "error at to: Cannot move disc",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d, e := acctest.Drive(t, emulator.Options{BootTime: 30 * time.Second, ShutdownTime: 10 * time.Second}, map[string]any{"plan_checks": false})
				from := e.AddMachine("demo", "default", emulator.Machine{Name: "old", PowerOn: test.on, AutorebootOn: test.on, Discs: discs})
				label := test.label
				if label == "" {
					label = "more"
				}
				to := e.AddMachine("demo", "private", emulator.Machine{Name: "new", PowerOn: test.on, Discs: []emulator.Disc{discs[0], {Label: label, Size: 100, StorageGrade: sata}}})
				machine, _ := e.Machine(from)
				config := map[string]any{"virtual_machine_id": text(from), "disc_id": text(machine.Discs[1].ID), "to": text(to)}
				maps.Copy(config, test.config)
				if config["to"] == "self" {
					config["to"] = text(from)
				}
				if config["disc_id"] == "0" {
					config["disc_id"] = text(machine.Discs[0].ID)
				}
				isDisc := func(r emulator.Request) bool { return strings.Contains(r.Path, "/discs/") }
				if test.fault != nil {
					test.fault.Match, test.fault.Times = func(r emulator.Request) bool { return r.Method == http.MethodPut && isDisc(r) }, 1
					e.Inject(*test.fault)
				}
				e.ResetJournal()
				progress, diags := d.Invoke(t.Context(), discMove, config)
				for _, id := range []int64{from, to} {
					for _, step := range []string{"asking the guest to shut down", "starting the machine"} {
						if said := slices.Contains(progress, "virtual machine "+text(id)+": "+step); said != (test.on && test.sent != "") {
							t.Errorf("%q of %d: %t, in %q", step, id, said, progress)
						}
					}
				}
				if got := acctest.DiagText(diags); !strings.Contains(got, test.want) || test.want == "" && got != "" {
					t.Errorf("want %q, got:\n%s", test.want, got)
				}
				var sent []string
				for _, r := range e.Journal() {
					if isDisc(r) {
						sent = append(sent, r.Method)
					}
				}
				if got := strings.TrimPrefix(strings.TrimPrefix(strings.Join(sent, " "), http.MethodGet), " "); got != test.sent {
					t.Errorf("sent %q, want %q", got, test.sent)
				}
				if test.sent == "" {
					acctest.ExpectCalls(t, e)
				}
				machine, _ = e.Machine(to)
				if moved := len(machine.Discs) == 3; moved != test.moved || machine.PowerOn != test.on || machine.AutorebootOn {
					t.Errorf("moved %t, then %+v", moved, machine)
				}
				if machine, _ = e.Machine(from); machine.PowerOn != test.on || machine.AutorebootOn != test.on {
					t.Errorf("the first: %+v", machine)
				}
				if test.moved { // once more does nothing
					e.ResetJournal()
					d.MustInvoke(t.Context(), discMove, config)
					acctest.ExpectCalls(t, e)
				}
			})
		})
	}
}

// TestInterruptedMoveRestoresBothMachines: after an interrupt there are 20 seconds for each machine to get its power back.
func TestInterruptedMoveRestoresBothMachines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{BootTime: 15 * time.Second}, nil)
		boot, data := map[string]any{"label": "vda", "size": 25600}, map[string]any{"label": "data", "size": 10240}
		before := d.MustApply(t.Context(), vmType, nil, map[string]any{"name": "old", "disc": []map[string]any{boot, data}})
		after := d.MustApply(t.Context(), vmType, nil, map[string]any{"name": "new", "disc": []map[string]any{boot}})
		ctx, interrupt := context.WithCancel(t.Context())
		defer interrupt()
		var interrupted time.Time
		e.Inject(emulator.Fault{Status: http.StatusServiceUnavailable, Match: func(r emulator.Request) bool {
			isMove := r.Method == http.MethodPut && strings.Contains(r.Path, "/discs/")
			if isMove {
				interrupted = time.Now()
				interrupt()
			}
			return isMove
		}})
		_, diags := d.Invoke(ctx, discMove, map[string]any{
			"virtual_machine_id": before.Get("id"), "disc_id": before.Get("disc.1.id"), "to": after.Get("id"), "allow_stopping": true,
		})
		if text := acctest.DiagText(diags); !acctest.HasErrors(diags) || strings.Contains(text, "Cannot restore the power") {
			t.Error(text)
		}
		if took := time.Since(interrupted); took > 40*time.Second {
			t.Errorf("it took %s", took)
		}
		for _, machine := range e.Machines() {
			if !machine.PowerOn || !machine.AutorebootOn {
				t.Errorf("%s has not its power back", machine.Name)
			}
		}
	})
}
