// SPDX-License-Identifier: MPL-2.0

package backup_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
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

// TestScheduleOfAHiddenAccount: the account of the schedule is asked for, although the provider's is visible.
func TestScheduleOfAHiddenAccount(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.e.AddAccount("other", false)
		w.e.AddGroup("other", "team", false)
		machine := w.e.AddMachine("other", "team", emulator.Machine{Name: "web2", Discs: []emulator.Disc{{Label: "vda", Size: 25600}}})
		added, _ := w.e.Machine(machine)
		w.config["virtual_machine_id"], w.config["disc_id"] = text(machine), text(added.Discs[0].ID)
		o := w.d.MustApply(w.Context(), scheduleType, nil, w.config)
		w.e.CloseAccount("other", true)
		d := w.e.NewDriver(t, nil)
		read, diags := d.Refresh(w.Context(), o)
		if acctest.ExpectError(t, diags, "Cannot read backup schedule", `cannot see account "other"`); read == nil {
			t.Error("removed from the state")
		}
		left, diags := d.Apply(w.Context(), scheduleType, d.Plan(w.Context(), scheduleType, o, nil))
		if acctest.ExpectError(t, diags, "Cannot delete backup schedule", `cannot see account "other"`); left == nil {
			t.Error("removed from the state by the delete")
		}
	})
}
