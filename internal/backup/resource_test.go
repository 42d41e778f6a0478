package backup_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestScheduleLife(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		o := w.d.MustApply(ctx, scheduleType, nil, w.config)
		acctest.ExpectCalls(t, w.e, "POST "+w.path("/backup_schedules"))
		if s := w.schedules(); len(s) != 1 || s[0].IntervalSeconds != 604800 || s[0].Capacity != 2 || o.Get("id") != text(s[0].ID) {
			t.Errorf("schedules %+v, id %v", s, o.Get("id"))
		}
		if o.GetIdentity("disc_id") != w.disc || o.GetIdentity("id") != o.Get("id") {
			t.Errorf("identity %v/%v", o.GetIdentity("disc_id"), o.GetIdentity("id"))
		}
		w.d.ExpectPlan(ctx, o, w.config, acctest.ActionNoOp)

		w.e.ResetJournal()
		before := o.Get("id")
		w.config["interval_seconds"] = 86400
		o = w.d.MustApply(ctx, scheduleType, o, w.config)
		acctest.ExpectCalls(t, w.e, "DELETE "+w.path("/backup_schedules/"+before.(string)), "POST "+w.path("/backup_schedules"))
		changes := object{"start_at": "2000-02-29 04:00:00", "capacity": 3}
		for name, value := range changes {
			changed := maps.Clone(w.config)
			changed[name] = value
			w.d.ExpectPlan(ctx, o, changed, acctest.ActionReplace)
		}
		delete(w.config, "capacity") // the service's, from then on
		w.d.ExpectPlan(ctx, o, w.config, acctest.ActionNoOp)
		w.d.MustApply(ctx, scheduleType, o, nil)
		if s := w.schedules(); len(s) != 0 {
			t.Errorf("left: %+v", s)
		}
	})
}

// TestScheduleMovesWithItsDisc: the disc and its schedules go to another machine.
func TestScheduleMovesWithItsDisc(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		o := w.d.MustApply(ctx, scheduleType, nil, w.config)
		first := w.machineNow().ID
		second := w.e.AddMachine("demo", emulator.PrivateGroup, emulator.Machine{Name: "web2", Discs: []emulator.Disc{{Label: "boot", Size: 25600}}})
		if err := w.e.MoveDisc(first, "vda", second); err != nil {
			t.Fatal(err)
		}
		d := w.e.NewDriver(w.T, nil)
		o = d.MustRefresh(ctx, o)
		if o.Get("virtual_machine_id") != text(second) {
			t.Errorf("on machine %v", o.Get("virtual_machine_id"))
		}
		w.config["virtual_machine_id"] = text(second)
		d.ExpectPlan(ctx, o, w.config, acctest.ActionNoOp)
		w.config["virtual_machine_id"] = w.machine
		// Half a move: the configuration still names the first machine. The plan of a replacement has a part that
		// creates.
		const elsewhere = "error at virtual_machine_id: Cannot create a backup schedule"
		onSecond := "is on virtual machine " + text(second) + ", not on " + w.machine
		acctest.ExpectError(t, d.Plan(ctx, scheduleType, nil, w.config).Diagnostics, elsewhere, onSecond)
		w.config["start_at"] = acctest.Unknown
		acctest.ExpectError(t, d.Plan(ctx, scheduleType, nil, w.config).Diagnostics, elsewhere, onSecond)
		w.config["start_at"] = "2026-12-01 04:00:00"
		unchecked := w.e.NewDriver(w.T, map[string]any{"plan_checks": false})
		_, diags := unchecked.Apply(ctx, scheduleType, unchecked.Plan(ctx, scheduleType, nil, w.config))
		acctest.ExpectError(t, acctest.Errors(diags), elsewhere, onSecond)
		_, diags = d.ReadData(ctx, "cloudserver_backups", object{"virtual_machine_id": w.machine, "disc_id": w.disc})
		acctest.ExpectError(t, diags, "error at virtual_machine_id: Cannot list the backups of disc "+w.disc, onSecond)
		w.e.ResetJournal()
		d.MustApply(ctx, scheduleType, o, nil)
		if calls := w.e.Calls(); len(calls) != 1 {
			t.Errorf("calls %v", calls)
		}
	})
}

func TestScheduleImport(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		id := w.d.MustApply(ctx, scheduleType, nil, w.config).Get("id").(string)
		w.e.ResetJournal()
		o, diags := w.d.ImportByIdentity(ctx, scheduleType, object{"disc_id": w.disc, "id": id})
		if acctest.HasErrors(diags) {
			t.Fatal(acctest.DiagText(diags))
		}
		w.d.ExpectPlan(ctx, o, w.config, acctest.ActionNoOp)
		for text, phrase := range map[string]string{
			"":                               `"" must be three numeric IDs`,
			id:                               "must be three numeric IDs",
			"a/b/c":                          "must be three numeric IDs",
			w.machine + "/" + w.disc + "/99": "has no such backup schedule",
			w.machine + "/99999/" + id:       "These credentials see no such machine or disc",
			"99999/" + w.disc + "/" + id:     "not on 99999",
			w.machine + "/" + w.disc + "/" + id + "/": "must be three numeric IDs",
		} {
			_, diags := w.d.Import(ctx, scheduleType, text)
			acctest.ExpectError(t, diags, phrase)
		}
		acctest.ExpectCalls(t, w.e)
	})
}

func TestScheduleRefusals(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		for name, bad := range map[string]any{"start_at": "tomorrow", "interval_seconds": 0, "capacity": 0, "disc_id": "vda", "virtual_machine_id": "web1"} {
			config := maps.Clone(w.config)
			config[name] = bad
			if diags := w.d.Validate(scheduleType, config); !acctest.HasErrors(diags) {
				t.Errorf("%s = %v is accepted", name, bad)
			}
		}
		w.config["capacity"] = 100000
		_, diags := w.d.Apply(w.Context(), scheduleType, w.d.Plan(w.Context(), scheduleType, nil, w.config))
		acctest.ExpectError(t, diags, "error at capacity", "Cannot create a backup schedule")
		w.config["disc_id"] = "99999"
		acctest.ExpectError(t, w.d.Plan(w.Context(), scheduleType, nil, w.config).Diagnostics, "error at disc_id", "Check virtual_machine_id and disc_id")
		unchecked := w.e.NewDriver(t, map[string]any{"plan_checks": false})
		_, diags = unchecked.Apply(w.Context(), scheduleType, unchecked.Plan(w.Context(), scheduleType, nil, w.config))
		acctest.ExpectError(t, diags, "error at disc_id", "Check virtual_machine_id and disc_id")
	})
}

// TestScheduleStart is sent as public clients send it, however it is spelled.
func TestScheduleStart(t *testing.T) {
	spellings := []string{"2000-01-31 04:00:00", "2000-01-31 04:00:00 UTC", "2000-01-31T04:00:00Z", "2000-01-31T09:30:00+05:30", "2000-01-30T23:00:00-05:00"}
	start := func(spelling string) func(t *testing.T, w *world) {
		return func(t *testing.T, w *world) {
			ctx := w.Context()
			w.config["start_at"] = spelling
			o := w.d.MustApply(ctx, scheduleType, nil, w.config)
			for _, r := range w.e.Journal() {
				if r.Method == "POST" && !strings.Contains(string(r.Body), `"start_at":"2000-01-31 04:00:00 UTC"`) {
					t.Errorf("%s: sent %s", spelling, r.Body)
				}
			}
			o = w.e.NewDriver(t, nil).MustRefresh(ctx, o)
			if o.Get("start_at") != spelling {
				t.Errorf("%s: read as %v", spelling, o.Get("start_at"))
			}
			imported, diags := w.d.Import(ctx, scheduleType, w.machine+"/"+w.disc+"/"+o.Get("id").(string))
			if acctest.HasErrors(diags) || imported.Get("start_at") != "2000-01-31 04:00:00 UTC" {
				t.Errorf("imported %v\n%s", imported.Get("start_at"), acctest.DiagText(diags))
			}
			for _, other := range spellings {
				w.config["start_at"] = other
				w.d.ExpectPlan(ctx, o, w.config, acctest.ActionNoOp)
				w.d.ExpectPlan(ctx, imported, w.config, acctest.ActionNoOp)
			}
			w.config["start_at"] = "2000-01-31T04:00:00+01:00"
			w.d.ExpectPlan(ctx, o, w.config, acctest.ActionReplace)
		}
	}
	for _, spelling := range spellings {
		t.Run(spelling, func(t *testing.T) { inWorld(t, start(spelling)) })
	}
}
