package backup_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestScheduleGone: it is removed from the state where it is known to be gone.
func TestScheduleGone(t *testing.T) {
	for name, change := range map[string]func(w *world){
		"schedule deleted": func(w *world) {
			_ = w.e.Change(w.machineNow().ID, func(m *emulator.Machine) { m.Discs[0].Backups = nil })
		},
		"machine purged": func(w *world) { w.e.Purge(w.machineNow().ID) },
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				o := w.d.MustApply(w.Context(), scheduleType, nil, w.config)
				change(w)
				if read := w.e.NewDriver(w.T, nil).MustRefresh(w.Context(), o); read != nil {
					t.Errorf("still there: %v", read)
				}
			})
		})
	}
}

// TestScheduleGoneWithoutAList: the service reports null for a disc without schedules. That does not prove that the
// schedule is gone, but a 404 for it does.
func TestScheduleGoneWithoutAList(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		o := w.d.MustApply(w.Context(), scheduleType, nil, w.config)
		_ = w.e.Change(w.machineNow().ID, func(m *emulator.Machine) { m.Discs[0].Backups = nil })
		w.hideEmptyLists()
		other := w.e.NewDriver(w.T, nil)
		if read := other.MustRefresh(w.Context(), o); read == nil {
			t.Error("removed from the state although the service says nothing of schedules")
		}
		other.MustApply(w.Context(), scheduleType, o, nil)
	})
}

// TestScheduleOfASoftDeletedMachine: it stays in the state, because after an undelete it exists again, and a second one
// would double it.
func TestScheduleOfASoftDeletedMachine(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		o := w.d.MustApply(ctx, scheduleType, nil, w.config)
		w.e.SoftDelete(w.machineNow().ID)
		d := w.e.NewDriver(w.T, nil)
		o = d.MustRefresh(ctx, o)
		if o == nil {
			t.Fatal("removed from the state")
		}
		_ = w.e.Change(w.machineNow().ID, func(m *emulator.Machine) { m.Deleted = false })
		d.ExpectPlan(ctx, d.MustRefresh(ctx, o), w.config, acctest.ActionNoOp)

		w.e.SoftDelete(w.machineNow().ID)
		w.e.ResetJournal()
		left, diags := d.Apply(ctx, scheduleType, d.Plan(ctx, scheduleType, o, nil))
		if text := acctest.DiagText(diags); left != nil || acctest.HasErrors(diags) || !strings.Contains(text, "is soft-deleted") || !strings.Contains(text, "removed from the state") {
			t.Errorf("left %v\n%s", left, text)
		}
		acctest.ExpectCalls(t, w.e)
	})
}

// TestScheduleInAnotherAccount: the visibility of that account matters, not that of the provider's.
func TestScheduleInAnotherAccount(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		w.e.AddAccount("other", false)
		w.e.AddGroup("other", "default", false)
		id := w.e.AddMachine("other", "default", emulator.Machine{Name: "db1", Discs: []emulator.Disc{{Label: "vda", Size: 25600}}})
		machine, _ := w.e.Machine(id)
		w.config["virtual_machine_id"], w.config["disc_id"] = text(id), text(machine.Discs[0].ID)
		created := w.d.MustApply(ctx, scheduleType, nil, w.config)
		imported := w.d.MustImport(ctx, scheduleType, text(id)+"/"+text(machine.Discs[0].ID)+"/"+created.Get("id").(string))
		for name, o := range map[string]*acctest.Object{"created": created, "imported": imported} {
			hidden := w.e.Inject(emulator.Fault{Status: http.StatusNotFound, Match: func(r emulator.Request) bool {
				return r.Path != "/accounts/demo" && r.Path != "/accounts"
			}})
			d := w.e.NewDriver(w.T, nil)
			read, diags := d.Refresh(ctx, o)
			if read == nil {
				t.Errorf("%s: removed from the state", name)
			}
			acctest.ExpectError(t, acctest.Errors(diags), "Cannot read backup schedule", `does not show the account "other"`, "The state is unchanged")
			w.e.ResetJournal()
			_, diags = d.Apply(ctx, scheduleType, d.Plan(ctx, scheduleType, o, nil))
			acctest.ExpectError(t, acctest.Errors(diags), "Cannot delete backup schedule")
			acctest.ExpectCalls(t, w.e)
			hidden()
		}
		w.e.Purge(id)
		if read := w.e.NewDriver(w.T, nil).MustRefresh(ctx, created); read != nil {
			t.Error("its machine was purged, but it is still there")
		}
	})
}

// TestScheduleDestroyedWithItsMachine: if the configuration has literal IDs, both are destroyed at the same time.
func TestScheduleDestroyedWithItsMachine(t *testing.T) {
	for name, when := range map[string]func(r *http.Request) bool{
		"before the disc is found":       func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/discs/") },
		"before the machine is found":    func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/virtual_machines/") },
		"before the schedule is deleted": func(r *http.Request) bool { return r.Method == http.MethodDelete },
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				ctx := w.Context()
				o := w.d.MustApply(ctx, scheduleType, nil, w.config)
				d := w.e.NewProcess(w.T, &interfering{service: w.e.Transport(), when: when, do: func() { w.e.Purge(w.machineNow().ID) }}, nil)
				left, diags := d.Apply(ctx, scheduleType, d.Plan(ctx, scheduleType, o, nil))
				if left != nil || len(diags) > 0 {
					t.Errorf("left %v\n%s", left, acctest.DiagText(diags))
				}
			})
		})
	}
}
