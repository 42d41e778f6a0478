package backup_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// TestReplacedSchedule: a refused schedule leaves none, unless the new one is created
// first. A start that is never known at plan replaces it each time.
func TestReplacedSchedule(t *testing.T) {
	const gap, unknown = "warning at %s: The backup schedule is deleted before its successor is created\n", "warning at start_at: The start of the backups is not known at plan\n"
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		w.config["start_at"] = "2000-01-31 04:00:00"
		o := w.d.MustApply(ctx, scheduleType, nil, w.config)
		w.e.ResetJournal()
		for change, value := range (object{"interval_seconds": 86400, "capacity": 5, "start_at": "2000-01-31 05:00:00"}) {
			config := maps.Clone(w.config)
			config[change] = value
			plan := w.d.Plan(ctx, scheduleType, o, config)
			expectWarnings(t, plan.Diagnostics, strings.Replace(gap, "%s", change, 1))
			if text := acctest.DiagText(plan.Diagnostics); !strings.Contains(text, "create_before_destroy = true") {
				t.Error(text)
			}
		}
		config := maps.Clone(w.config) // the disc is another one, too: nothing is left without a schedule
		config["virtual_machine_id"], config["disc_id"], config["interval_seconds"] = acctest.Unknown, acctest.Unknown, 86400
		expectWarnings(t, w.d.Plan(ctx, scheduleType, o, config).Diagnostics)

		config = maps.Clone(w.config)
		config["start_at"] = acctest.Unknown
		expectWarnings(t, w.d.Plan(ctx, scheduleType, nil, config).Diagnostics)
		plan := w.d.Plan(ctx, scheduleType, o, config)
		expectWarnings(t, plan.Diagnostics, strings.Replace(gap, "%s", "start_at", 1), unknown)
		if text := acctest.DiagText(plan.Diagnostics); !strings.Contains(text, "timestamp()") || plan.Action != acctest.ActionReplace {
			t.Error(plan.Action, text)
		}
	})
}

// TestEqualSchedule: a schedule that equals the new one, and that no resource read in this run manages, is taken over.
// It may be the result of a lost answer, or the one that is replaced with create_before_destroy, because a process that
// applies has read nothing. The old resource then does not delete it.
func TestEqualSchedule(t *testing.T) {
	const takesOver = "warning at disc_id: An equal backup schedule is managed from now on\n"
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		old := w.d.MustApply(ctx, scheduleType, nil, w.config)
		id := old.Get("id").(string)

		planner := w.e.NewDriver(t, nil).OneRun() // it has read the tainted one
		planner.MustRefresh(ctx, old)
		expectWarnings(t, planner.Plan(ctx, scheduleType, nil, w.config).Diagnostics)
		other := w.e.NewDriver(t, nil).OneRun() // a second resource
		other.Plan(ctx, scheduleType, other.MustRefresh(ctx, old), w.config)
		expectWarnings(t, other.Plan(ctx, scheduleType, nil, w.config).Diagnostics, "warning at disc_id: Two backup schedules of one disc have the same times\n")
		stranger := w.e.NewDriver(t, nil).Plan(ctx, scheduleType, nil, w.config)
		expectWarnings(t, stranger.Diagnostics, takesOver)
		if text := acctest.DiagText(stranger.Diagnostics); !strings.Contains(text, "(ID "+id+")") {
			t.Error(text)
		}

		w.e.ResetJournal()
		applier := w.e.NewDriver(t, object{"plan_checks": false}).OneRun()
		created, diags := applier.Apply(ctx, scheduleType, stranger)
		if expectWarnings(t, diags, takesOver); created.Get("id") != id {
			t.Errorf("created %v", created)
		}
		applier.MustApply(ctx, scheduleType, old, nil)
		acctest.ExpectCalls(t, w.e)
		if s := w.schedules(); len(s) != 1 {
			t.Errorf("schedules %+v", s)
		}
		later := w.e.NewDriver(t, nil)
		later.ExpectPlan(ctx, later.MustRefresh(ctx, created), w.config, acctest.ActionNoOp)
		applier.MustApply(ctx, scheduleType, created, nil) // the same process, as with a debugger
		acctest.ExpectCalls(t, w.e, "DELETE "+w.path("/backup_schedules/"+id))
	})
}

// TestSchedulesThatDiffer: they are not equal. Schedules of other resources of the run are not taken over.
func TestSchedulesThatDiffer(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		o := w.d.MustApply(ctx, scheduleType, nil, w.config)
		other := maps.Clone(w.config)
		other["capacity"] = 5
		w.e.NewDriver(w.T, nil).MustApply(ctx, scheduleType, nil, other)
		one := w.e.NewDriver(w.T, nil).OneRun()
		one.MustRefresh(ctx, o)
		second := one.MustApply(ctx, scheduleType, nil, w.config)
		if s := w.schedules(); len(s) != 3 {
			t.Errorf("schedules %+v", s)
		}
		_, diags := w.e.NewDriver(t, nil).Refresh(ctx, second) // two that are equal are told until one is gone
		expectWarnings(t, diags, "warning at disc_id: The disc has equal backup schedules\n")
		if text := acctest.DiagText(diags); !strings.Contains(text, o.Get("id").(string)) {
			t.Error(text)
		}
		one.MustApply(ctx, scheduleType, o, nil)
		_, diags = w.e.NewDriver(t, nil).Refresh(ctx, second)
		expectWarnings(t, diags)
	})
}

// expectWarnings expects these warnings, by their first lines, and nothing else.
func expectWarnings(t *testing.T, diags diagnostics, want ...string) {
	t.Helper()
	text := acctest.DiagText(diags)
	for _, warning := range want {
		if !strings.Contains(text, warning) {
			t.Errorf("want %q in\n%s", warning, text)
		}
	}
	if len(diags) != len(want) {
		t.Errorf("want %d, got\n%s", len(want), text)
	}
}
