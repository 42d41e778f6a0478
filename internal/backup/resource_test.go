// SPDX-License-Identifier: MPL-2.0

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
		first := w.machineNow()
		second := w.e.AddMachine("demo", emulator.PrivateGroup, emulator.Machine{
			Name: "web2", Discs: append([]emulator.Disc{{Label: "boot", Size: 25600}}, first.Discs...),
		})
		if err := w.e.Change(first.ID, func(m *emulator.Machine) { m.Discs = nil }); err != nil {
			t.Fatal(err)
		}
		d := w.e.NewDriver(w.T, nil)
		o = d.MustRefresh(ctx, o)
		if o.Get("virtual_machine_id") != text(second) {
			t.Errorf("on machine %v", o.Get("virtual_machine_id"))
		}
		w.config["virtual_machine_id"] = text(second)
		d.ExpectPlan(ctx, o, w.config, acctest.ActionNoOp)
		w.config["virtual_machine_id"], w.config["start_at"] = w.machine, "2026-12-01 04:00:00" // half a move
		expectPhrase(t, d.Plan(ctx, scheduleType, nil, w.config).Diagnostics, "error at virtual_machine_id", "is on virtual machine "+text(second))
		_, diags := d.ReadData(ctx, "cloudserver_backups", object{"virtual_machine_id": w.machine, "disc_id": w.disc})
		acctest.ExpectError(t, diags, "error at virtual_machine_id: Cannot list the backups of disc "+w.disc, "is on virtual machine "+text(second))
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
		for name, test := range map[string]struct {
			bad  any
			says string
		}{
			"start_at":           {"tomorrow", "2030-01-31T04:00:00Z"},
			"interval_seconds":   {0, "got: 0. It is in seconds: a day has 86400."},
			"capacity":           {0, "got: 0. To let the service choose"},
			"disc_id":            {"vda", `such as cloudserver_vm.web.disc_ids["vda"], got: "vda"`},
			"virtual_machine_id": {"web1", `such as cloudserver_vm.web.id, got: "web1"`},
		} {
			config := maps.Clone(w.config)
			config[name] = test.bad
			acctest.ExpectError(t, w.d.Validate(scheduleType, config), "error at "+name, test.says)
		}
		same := object{"virtual_machine_id": w.machine, "disc_id": w.machine}
		_, diags := w.d.ReadData(w.Context(), "cloudserver_backups", same)
		acctest.ExpectError(t, diags, "error at disc_id: Invalid ID of a disc", w.machine+" is the ID of the machine")
		maps.Copy(same, object{"start_at": w.config["start_at"], "interval_seconds": 86400})
		acctest.ExpectError(t, w.d.Plan(w.Context(), scheduleType, nil, same).Diagnostics, "error at disc_id: Invalid ID of a disc")
		w.config["capacity"] = 100000
		_, diags = w.d.Apply(w.Context(), scheduleType, w.d.Plan(w.Context(), scheduleType, nil, w.config))
		acctest.ExpectError(t, diags, "error at capacity", "Cannot create a backup schedule")
		_, diags = w.d.ReadData(w.Context(), "cloudserver_backups", object{"virtual_machine_id": w.machine, "disc_id": "99999"})
		acctest.ExpectError(t, diags, "error at disc_id", "check virtual_machine_id and disc_id")
	})
}

// TestScheduleStart: another spelling of the same time is no change, and all are sent in the same form.
func TestScheduleStart(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		const spelling = "2000-01-31T09:30:00+05:30"
		w.config["start_at"] = spelling
		o := w.d.MustApply(ctx, scheduleType, nil, w.config)
		for _, r := range w.e.Journal() {
			if r.Method == "POST" && !strings.Contains(string(r.Body), `"start_at":"2000-01-31 04:00:00 UTC"`) {
				t.Errorf("sent %s", r.Body)
			}
		}
		if o = w.d.MustRefresh(ctx, o); o.Get("start_at") != spelling {
			t.Errorf("read as %v", o.Get("start_at"))
		}
		imported := w.d.MustImport(ctx, scheduleType, w.machine+"/"+w.disc+"/"+o.Get("id").(string))
		if imported.Get("start_at") != "2000-01-31T04:00:00Z" {
			t.Errorf("imported %v", imported.Get("start_at"))
		}
		for _, other := range []string{spelling, "2000-01-31 04:00:00", "2000-01-31 04:00:00 UTC", "2000-01-31T04:00:00Z"} {
			w.config["start_at"] = other
			w.d.ExpectPlan(ctx, o, w.config, acctest.ActionNoOp)
			w.d.ExpectPlan(ctx, imported, w.config, acctest.ActionNoOp)
		}
		w.config["start_at"] = "2000-01-31T04:00:00+01:00"
		w.d.ExpectPlan(ctx, o, w.config, acctest.ActionReplace)
	})
}
