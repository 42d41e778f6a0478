package backup_test

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
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

// TestScheduleThatOneAnswerLacks: an answer without schedules proves nothing while the machine, or else the disc's next
// answer, has them: nothing is dropped, and a destroy deletes.
func TestScheduleThatOneAnswerLacks(t *testing.T) {
	t.Parallel()
	lacking := func(path string, times int) emulator.Fault {
		return emulator.Fault{Times: times, Match: func(r emulator.Request) bool { return strings.HasPrefix(r.Path, path) }, Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
			at := regexp.MustCompile(`"backup_schedules":\[[^]]*\]`)
			return status, header, at.ReplaceAll(body, []byte(`"backup_schedules":[]`))
		}}
	}
	unshown := emulator.Fault{Match: func(r emulator.Request) bool { return strings.HasPrefix(r.Path, "/virtual_machines/") }, Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
		return status, header, bytes.ReplaceAll(body, []byte(`"backup_schedules"`), []byte(`"later"`))
	}}
	for name, faults := range map[string][]emulator.Fault{
		"the disc":                            {lacking("/discs/", 0)},
		"the disc once, the machine says nil": {lacking("/discs/", 1), unshown},
		"the machine is not described":        {lacking("/discs/", 1), {Match: unshown.Match, Status: http.StatusAccepted}},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				ctx := w.Context()
				o := w.d.MustApply(ctx, scheduleType, nil, w.config)
				var ends []func()
				inject := func() {
					for _, fault := range faults {
						ends = append(ends, w.e.Inject(fault))
					}
				}
				inject()
				if read, _ := w.e.NewDriver(w.T, nil).Refresh(ctx, o); read == nil {
					t.Error("dropped from the state")
				}
				for _, end := range ends {
					end()
				}
				inject()
				d := w.e.NewDriver(w.T, nil)
				left, diags := d.Apply(ctx, scheduleType, d.Plan(ctx, scheduleType, o, nil))
				if isThere := len(w.schedules()) == 1; isThere != (left != nil) || isThere != acctest.HasErrors(diags) {
					t.Errorf("the service has %v; left %v\n%s", w.schedules(), left.Get(""), acctest.DiagText(diags))
				}
			})
		})
	}
}

// TestScheduleNotFoundAndStillThere: a 404 is ignored if a read contradicts it, and reported if it lasts. The message
// does not blame the account, which is visible.
func TestScheduleNotFoundAndStillThere(t *testing.T) {
	for times, ends := range map[int]bool{1: true, 100: false} {
		t.Run(fmt.Sprint(times), func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				o := w.d.MustApply(w.Context(), scheduleType, nil, w.config)
				w.e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Method == http.MethodDelete }, Status: http.StatusNotFound, Times: times})
				kept, diags := w.d.Apply(w.Context(), scheduleType, w.d.Plan(w.Context(), scheduleType, o, nil))
				if ends != (kept == nil) || ends == acctest.HasErrors(diags) {
					t.Errorf("kept %v\n%s", kept, acctest.DiagText(diags))
				}
				if ends {
					return
				}
				acctest.ExpectError(t, diags, "Cannot delete backup schedule", "404 Not Found", "still finds it", "run the same command again")
				if strings.Contains(acctest.DiagText(diags), "does not show the account") {
					t.Errorf("diagnostics:\n%s", acctest.DiagText(diags))
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

// TestScheduleOfAShownSoftDeletedMachine: a service may still show the discs of such
// a machine, and only refuse to change them.
func TestScheduleOfAShownSoftDeletedMachine(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		o := w.d.MustApply(w.Context(), scheduleType, nil, w.config)
		w.e.Inject(emulator.Fault{
			Match:  func(r emulator.Request) bool { return r.Path == "/discs/"+w.disc },
			Status: http.StatusOK,
			Body: fmt.Sprintf(`{"id":%s,"virtual_machine_id":%s,"label":"vda","size":25600,"backup_schedules":[{"id":%s,"start_at":"2000-01-31 04:00:00","interval_seconds":604800}]}`,
				w.disc, w.machine, o.Get("id")),
		})
		w.e.SoftDelete(w.machineNow().ID)
		d := w.e.NewDriver(w.T, nil)
		left, diags := d.Apply(w.Context(), scheduleType, d.Plan(w.Context(), scheduleType, d.MustRefresh(w.Context(), o), nil))
		if text := acctest.DiagText(diags); left != nil || acctest.HasErrors(diags) || !strings.Contains(text, "is soft-deleted") {
			t.Errorf("left %v\n%s", left, text)
		}
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

// TestDeniedDeletionOfAScheduleThatItsMachineShows: the answers for the disc lack the list of schedules, those for its machine
// have it. One request to delete the schedule is denied: it is still there.
func TestDeniedDeletionOfAScheduleThatItsMachineShows(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		o := w.d.MustApply(ctx, scheduleType, nil, w.config)
		w.e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return strings.HasPrefix(r.Path, "/discs/") }, Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
			return status, header, regexp.MustCompile(`"backup_schedules":\[[^\]]*\]`).ReplaceAll(body, []byte(`"backup_schedules":null`))
		}})
		w.e.Inject(emulator.Fault{Times: 1, Status: http.StatusNotFound, Match: func(r emulator.Request) bool { return r.Method == http.MethodDelete }})
		d := w.e.NewDriver(t, nil)
		left, diags := d.Apply(ctx, scheduleType, d.Plan(ctx, scheduleType, o, nil))
		if left == nil && len(w.schedules()) > 0 {
			t.Errorf("it has left the state, and the service has %v\n%s", w.schedules(), acctest.DiagText(diags))
		}
	})
}
