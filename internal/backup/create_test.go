package backup_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestScheduleAnswerLost: one request is sent, whatever becomes of its answer.
func TestScheduleAnswerLost(t *testing.T) {
	for name, test := range map[string]struct {
		fault   emulator.Fault
		created bool
		says    string
	}{
		"created":     {fault: lost(), created: true, says: "warning at disc_id: The creation of the backup schedule was not confirmed"},
		"not created": {fault: emulator.Fault{Status: http.StatusBadGateway}, says: "502"},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.fault(http.MethodPost, "/backup_schedules", test.fault)
				o, diags := w.d.Apply(w.Context(), scheduleType, w.d.Plan(w.Context(), scheduleType, nil, w.config))
				acctest.ExpectCalls(t, w.e, "POST "+w.path("/backup_schedules"))
				if expectPhrase(t, diags, test.says); (o != nil) != test.created || acctest.HasErrors(diags) == test.created {
					t.Errorf("got %v\n%s", o.Get(""), acctest.DiagText(diags))
				}
				if s := w.schedules(); test.created && (len(s) != 1 || o.Get("id") != text(s[0].ID)) {
					t.Errorf("id %v of %+v", o.Get("id"), s)
				}
			})
		})
	}
}

// TestEqualSchedule: an equal schedule of the disc is taken over, as after a lost state or if a block was renamed without
// moved. The delete of the other resource in the same process leaves it alone, once.
func TestEqualSchedule(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		old := w.d.MustApply(ctx, scheduleType, nil, w.config)
		id := old.Get("id").(string)
		w.e.ResetJournal()
		applier := w.e.NewDriver(t, nil)
		created, diags := applier.Apply(ctx, scheduleType, applier.Plan(ctx, scheduleType, nil, w.config))
		if expectPhrase(t, diags, "warning at disc_id: An equal backup schedule is managed from now on", "(ID "+id+")"); created.Get("id") != id {
			t.Errorf("created %v", created)
		}
		applier.MustApply(ctx, scheduleType, old, nil)
		acctest.ExpectCalls(t, w.e)
		applier.ExpectPlan(ctx, created, w.config, acctest.ActionNoOp)
		applier.MustApply(ctx, scheduleType, created, nil)
		acctest.ExpectCalls(t, w.e, "DELETE "+w.path("/backup_schedules/"+id))
	})
}

// TestScheduleUnderANewKey: one is created and the other destroyed at the same time.
func TestScheduleUnderANewKey(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		old := w.d.MustApply(w.Context(), scheduleType, nil, w.config)
		applier, destroyed := w.e.NewDriver(t, nil), make(chan struct{})
		go func() {
			defer close(destroyed)
			applier.MustApply(w.Context(), scheduleType, old, nil)
		}()
		time.Sleep(time.Millisecond) // the delete has begun
		created := applier.MustApply(w.Context(), scheduleType, nil, w.config)
		<-destroyed
		if s := w.schedules(); len(s) != 1 || created.Get("id") != text(s[0].ID) {
			t.Errorf("schedules %+v", s)
		}
	})
}

// TestSchedulesThatDiffer: a schedule with another capacity is not equal.
func TestSchedulesThatDiffer(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.d.MustApply(w.Context(), scheduleType, nil, w.config)
		w.config["capacity"] = 5
		w.d.MustApply(w.Context(), scheduleType, nil, w.config)
		if s := w.schedules(); len(s) != 2 {
			t.Errorf("schedules %+v", s)
		}
	})
}
