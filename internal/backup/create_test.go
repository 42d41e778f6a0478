package backup_test

import (
	"bytes"
	"maps"
	"net/http"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestScheduleAnswerLost: one request, whatever becomes of its answer.
func TestScheduleAnswerLost(t *testing.T) {
	for name, test := range map[string]struct {
		fault   emulator.Fault
		created int
	}{
		"created":     {lost(), 1},
		"not created": {emulator.Fault{Status: http.StatusBadGateway}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				ctx, d := w.Context(), w.d.OneRun()
				d.MustApply(ctx, scheduleType, nil, w.config) // of the same specification
				w.e.ResetJournal()
				w.fault(http.MethodPost, "/backup_schedules", test.fault)
				o, diags := d.Apply(ctx, scheduleType, d.Plan(ctx, scheduleType, nil, w.config))
				acctest.ExpectCalls(t, w.e, "POST "+w.path("/backup_schedules"))
				s := w.schedules()
				if len(s) != 1+test.created {
					t.Fatalf("schedules %+v", s)
				}
				if test.created == 0 {
					w.expectText(acctest.DiagText(acctest.Errors(diags)), "Cannot create a backup schedule of disc "+w.disc, "502", "Before you run the command again")
					return
				}
				if acctest.HasErrors(diags) || o.Get("id") != text(s[1].ID) {
					t.Errorf("id %v of %+v\n%s", o, s, acctest.DiagText(diags))
				}
			})
		})
	}
}

// TestFirstScheduleAnswerLost: a service that leaves the schedules out of a disc
// without any has said that there were none.
func TestFirstScheduleAnswerLost(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		w.e.Inject(emulator.Fault{Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
			return status, header, bytes.ReplaceAll(body, []byte(`"backup_schedules":[]`), []byte(`"backup_schedules":null`))
		}})
		w.fault(http.MethodPost, "/backup_schedules", lost())
		o := w.d.MustApply(ctx, scheduleType, nil, w.config)
		if s := w.schedules(); len(s) != 1 || o.Get("id") != text(s[0].ID) {
			t.Errorf("id %v of %+v", o.Get("id"), s)
		}
		acctest.ExpectCalls(t, w.e, "POST "+w.path("/backup_schedules"))
	})
}

// TestScheduleThatIsThereAlready is not created a second time, unless a resource
// of the run manages it.
func TestScheduleThatIsThereAlready(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		o := w.d.MustApply(ctx, scheduleType, nil, w.config)
		w.e.ResetJournal()
		d := w.e.NewDriver(w.T, nil)
		_, diags := d.Apply(ctx, scheduleType, d.Plan(ctx, scheduleType, nil, w.config))
		id := o.Get("id").(string)
		w.expectText(acctest.DiagText(acctest.Errors(diags)), "Cannot create a backup schedule of disc "+w.disc, "already has an equal backup schedule, with the ID "+id,
			"import {\n  to = cloudserver_backup_schedule.NAME", `"`+w.machine+"/"+w.disc+"/"+id+`"`)
		acctest.ExpectCalls(t, w.e)

		other := maps.Clone(w.config)
		other["capacity"] = 5
		d.MustApply(ctx, scheduleType, nil, other)

		one := w.e.NewDriver(w.T, nil).OneRun()
		one.MustRefresh(ctx, o)
		one.MustApply(ctx, scheduleType, nil, w.config)
		if s := w.schedules(); len(s) != 3 {
			t.Errorf("schedules %+v", s)
		}
	})
}
