package backup_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestScheduleGone: a schedule that the service does not show is removed from the state, and its delete is no error.
func TestScheduleGone(t *testing.T) {
	for name, change := range map[string]func(w *world){
		"schedule deleted": func(w *world) {
			_ = w.e.Change(w.machineNow().ID, func(m *emulator.Machine) { m.Discs[0].Backups = nil })
		},
		"machine purged":       func(w *world) { w.e.Purge(w.machineNow().ID) },
		"machine soft-deleted": func(w *world) { w.e.SoftDelete(w.machineNow().ID) },
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				o := w.d.MustApply(w.Context(), scheduleType, nil, w.config)
				change(w)
				other := w.e.NewDriver(w.T, nil)
				if read := other.MustRefresh(w.Context(), o); read != nil {
					t.Errorf("still there: %v", read)
				}
				other.MustApply(w.Context(), scheduleType, o, nil)
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
