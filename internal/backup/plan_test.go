// SPDX-License-Identifier: MPL-2.0

package backup_test

import (
	"maps"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// addSecond adds another machine with a disc.
func (w *world) addSecond() (machine, disc string) {
	w.e.AddMachine("demo", emulator.DefaultGroup, emulator.Machine{Name: "web2", Discs: []emulator.Disc{{Label: "vda", Size: 25600}}})
	m := w.e.Machines()[1]
	return text(m.ID), text(m.Discs[0].ID)
}

// TestScheduleOfAnotherMachine: a plan that creates or replaces a schedule is refused if the disc is on another machine,
// before anything is deleted. Other plans do not ask.
func TestScheduleOfAnotherMachine(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		machine, disc := w.addSecond()
		o := w.d.MustApply(ctx, scheduleType, nil, w.config)
		w.e.ResetJournal()
		for name, prior := range map[string]*acctest.Object{"created": nil, "replaced": o} {
			config := maps.Clone(w.config)
			config["virtual_machine_id"] = machine
			plan := w.d.Plan(ctx, scheduleType, prior, config)
			if plan.Action != acctest.ActionError {
				t.Errorf("%s: %s", name, plan.Action)
			}
			expectPhrase(t, plan.Diagnostics, "error at virtual_machine_id: Cannot create a backup schedule of disc "+w.disc,
				"Disc "+w.disc+" is on virtual machine "+w.machine+", not on "+machine)
			config["disc_id"] = "99999"
			plan = w.d.Plan(ctx, scheduleType, prior, config)
			expectPhrase(t, plan.Diagnostics, "error at disc_id: Cannot create a backup schedule of disc 99999", "see no such machine or disc")
			config["disc_id"] = disc
			if plan = w.d.Plan(ctx, scheduleType, prior, config); acctest.HasErrors(plan.Diagnostics) {
				t.Errorf("%s: %s", name, acctest.DiagText(plan.Diagnostics))
			}
		}
		w.e.ResetJournal()
		w.d.Plan(ctx, scheduleType, o, w.config)
		w.d.Plan(ctx, scheduleType, o, nil)
		for _, name := range []string{"virtual_machine_id", "disc_id"} {
			config := maps.Clone(w.config)
			config[name] = acctest.Unknown
			w.d.Plan(ctx, scheduleType, nil, config)
			w.d.Plan(ctx, scheduleType, o, config)
		}
		if calls := w.e.AllCalls(); len(calls) > 0 {
			t.Errorf("requests: %v", calls)
		}
		unchecked := w.e.NewDriver(t, object{"plan_checks": false})
		config := maps.Clone(w.config)
		config["virtual_machine_id"] = machine
		plan := unchecked.Plan(ctx, scheduleType, nil, config)
		_, diags := unchecked.Apply(ctx, scheduleType, plan)
		expectPhrase(t, diags, "error at virtual_machine_id", "is on virtual machine "+w.machine)
		acctest.ExpectCalls(t, w.e)
	})
}

// TestScheduleImportOfAnotherMachine: the import says where the disc is.
func TestScheduleImportOfAnotherMachine(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		machine, _ := w.addSecond()
		id := w.d.MustApply(w.Context(), scheduleType, nil, w.config).Get("id").(string)
		_, diags := w.d.Import(w.Context(), scheduleType, machine+"/"+w.disc+"/"+id)
		acctest.ExpectError(t, diags, "Cannot import backup schedule "+id,
			"Disc "+w.disc+" is on virtual machine "+w.machine+", not on "+machine, w.machine+"/"+w.disc+"/"+id)
	})
}

// TestScheduleUnknown: an unknown ID replaces the schedule only if it may be that of a machine or disc that the same plan
// makes. Otherwise an equal value sends nothing, and with another one Terraform refuses the apply.
func TestScheduleUnknown(t *testing.T) {
	both := []string{"virtual_machine_id", "disc_id"}
	for name, test := range map[string]struct {
		unknown []string
		machine object // that the same process plans; nil: none
		want    acctest.Action
	}{
		"IDs":                       {both, nil, acctest.ActionUpdate},
		"ID of the machine":         {both[:1], nil, acctest.ActionUpdate},
		"IDs beside a new machine":  {both, newMachine("web3"), acctest.ActionReplace},
		"disc on the known machine": {both[1:], nil, acctest.ActionReplace},
		"start":                     {[]string{"start_at"}, nil, acctest.ActionReplace},
		"interval":                  {[]string{"interval_seconds"}, nil, acctest.ActionReplace},
		"capacity":                  {[]string{"capacity"}, nil, acctest.ActionReplace},
		"capacity and unknown IDs":  {append(both, "capacity"), nil, acctest.ActionReplace},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				ctx := w.Context()
				o := w.d.MustApply(ctx, scheduleType, nil, w.config)
				machine, disc := w.addSecond()
				d := w.e.NewDriver(t, nil)
				if test.machine != nil {
					d.Plan(ctx, "cloudserver_vm", nil, test.machine)
				}
				unknown := maps.Clone(w.config)
				for _, name := range test.unknown {
					unknown[name] = acctest.Unknown
				}
				plan := d.Plan(ctx, scheduleType, d.MustRefresh(ctx, o), unknown)
				if plan.Action != test.want {
					t.Fatalf("want %s, got %s of %v\n%s", test.want, plan.Action, plan.Changes(), acctest.DiagText(plan.Diagnostics))
				}
				other := maps.Clone(w.config)
				other["virtual_machine_id"], other["disc_id"] = machine, disc
				if different := w.d.Plan(ctx, scheduleType, o, other); different.Action != acctest.ActionReplace {
					t.Errorf("different: %s", different.Action)
				}
				w.e.ResetJournal()
				applied, diags := w.e.NewDriver(t, nil).ApplyWith(ctx, plan, w.config)
				if acctest.HasErrors(diags) || (len(w.e.Calls()) == 0) != (test.want == acctest.ActionUpdate) {
					t.Errorf("equal: %v\n%s", w.e.Calls(), acctest.DiagText(diags))
				}
				if s := w.schedules(); len(s) != 1 || applied.Get("id") != text(s[0].ID) {
					t.Errorf("schedules %+v, want %v", s, applied.Get("id"))
				}
			})
		})
	}
}

// newMachine is the configuration of a machine.
func newMachine(name string) object {
	return object{"name": name, "cores": 1, "memory": 1024, "disc": []object{{"label": "vda", "size": 25600}}}
}

// TestScheduleWarnings: values that are probably mistakes are told when they are sent, and not for ever.
func TestScheduleWarnings(t *testing.T) {
	for name, test := range map[string]struct {
		change object
		want   string // "": none
	}{
		"right":            {nil, ""},
		"an hour":          {object{"interval_seconds": 3600}, ""},
		"under an hour":    {object{"interval_seconds": 60}, "warning at interval_seconds: Backups every 1m0s"},
		"unknown start":    {object{"start_at": acctest.Unknown}, "warning at start_at: The start of the backup schedule is not known yet"},
		"unknown interval": {object{"interval_seconds": acctest.Unknown}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				config := maps.Clone(w.config)
				maps.Copy(config, test.change)
				for _, prior := range []*acctest.Object{nil, w.d.MustApply(w.Context(), scheduleType, nil, w.config)} {
					plan := w.d.Plan(w.Context(), scheduleType, prior, config)
					if text := acctest.DiagText(plan.Diagnostics); test.want == "" && text != "" {
						t.Error(text)
					}
					if expectPhrase(t, plan.Diagnostics, test.want); len(plan.Diagnostics) > 1 {
						t.Error(acctest.DiagText(plan.Diagnostics))
					}
				}
			})
		})
	}
	inWorld(t, func(t *testing.T, w *world) {
		w.config["interval_seconds"] = 60
		o := w.d.MustApply(w.Context(), scheduleType, nil, w.config)
		if plan := w.d.ExpectPlan(w.Context(), o, w.config, acctest.ActionNoOp); len(plan.Diagnostics) > 0 {
			t.Error(acctest.DiagText(plan.Diagnostics))
		}
	})
}
