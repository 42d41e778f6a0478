package backup_test

import (
	"net/http"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestScheduleAnswerLost: one request is sent, whatever becomes of its answer.
func TestScheduleAnswerLost(t *testing.T) {
	failed := emulator.Fault{Status: http.StatusBadGateway}
	for name, test := range map[string]struct {
		fault         emulator.Fault
		there, hidden bool // one of the same specification; the service leaves out the list of a disc without any
		created       bool
	}{
		"created":              {fault: lost(), there: true, created: true},
		"not created":          {fault: failed, there: true},
		"the first is created": {fault: lost(), hidden: true, created: true},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				ctx, d, before := w.Context(), w.d.OneRun(), 0
				if test.there {
					d.MustApply(ctx, scheduleType, nil, w.config)
					before++
				}
				if test.hidden {
					w.hideEmptyLists()
				}
				w.e.ResetJournal()
				w.fault(http.MethodPost, "/backup_schedules", test.fault)
				o, diags := d.Apply(ctx, scheduleType, d.Plan(ctx, scheduleType, nil, w.config))
				acctest.ExpectCalls(t, w.e, "POST "+w.path("/backup_schedules"))
				s := w.schedules()
				if !test.created {
					acctest.ExpectError(t, acctest.Errors(diags), "Cannot create a backup schedule of disc "+w.disc, "502", "Before you run the command again")
				} else if len(s) != before+1 || acctest.HasErrors(diags) || o.Get("id") != text(s[before].ID) {
					t.Errorf("id %v of %+v\n%s", o, s, acctest.DiagText(diags))
				}
			})
		})
	}
}
