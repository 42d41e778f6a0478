package backup_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
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

// TestCreationThatOneAnswerMisleads: the disc has an equal schedule, which one answer for the disc lacks, while the later
// answer for its machine has it.
func TestCreationThatOneAnswerMisleads(t *testing.T) {
	t.Parallel()
	for name, shown := range map[string]string{"empty": `"backup_schedules":[]`, "not shown": `"later":[]`} {
		for _, isLost := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, lost %t", name, isLost), func(t *testing.T) {
				inWorld(t, func(t *testing.T, w *world) {
					ctx := w.Context()
					w.d.MustApply(ctx, scheduleType, nil, w.config) // another workspace's, or the result of a lost answer
					theirs := w.schedules()[0].ID
					d := w.e.NewDriver(w.T, object{"plan_checks": false})
					plan := d.Plan(ctx, scheduleType, nil, w.config)
					w.e.Inject(emulator.Fault{Times: 1, Match: func(r emulator.Request) bool { return strings.HasPrefix(r.Path, "/discs/") }, Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
						return status, header, regexp.MustCompile(`"backup_schedules":\[[^]]*\]`).ReplaceAll(body, []byte(shown))
					}})
					if isLost {
						w.fault("POST", "/backup_schedules", emulator.Fault{Status: http.StatusBadGateway})
					}
					o, diags := d.Apply(ctx, scheduleType, plan)
					if n := len(w.schedules()); n != 1 {
						t.Errorf("the disc has %d equal schedules", n)
					}
					if o != nil && o.Get("id") == text(theirs) && len(diags) == 0 {
						t.Errorf("schedule %d of somebody else is in the state without a word", theirs)
					}
				})
			})
		}
	}
}
