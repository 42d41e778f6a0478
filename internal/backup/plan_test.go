package backup_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// TestUnusualTimes: there is one warning of a schedule that is probably a mistake, when it is new or changes.
func TestUnusualTimes(t *testing.T) {
	const often, late = "warning at interval_seconds: Backups are taken very often\n", "warning at start_at: The first backup is more than a year away\n"
	at := func(in time.Duration) string { return time.Now().Add(in).UTC().Format(time.DateTime) }
	inWorld(t, func(t *testing.T, w *world) {
		for _, test := range []struct {
			change   object
			warnings []string
		}{
			{object{"interval_seconds": 3600, "start_at": at(364 * 24 * time.Hour)}, nil},
			{object{"interval_seconds": 3599}, []string{often}},
			{object{"interval_seconds": 60, "start_at": at(-time.Hour)}, []string{often}},
			{object{"start_at": at(367 * 24 * time.Hour)}, []string{late}},
			{object{"start_at": "2040-01-01T00:00:00+01:00", "interval_seconds": 7}, []string{often, late}},
		} {
			config := maps.Clone(w.config)
			config["start_at"] = at(time.Hour)
			maps.Copy(config, test.change)
			plan := w.d.Plan(w.Context(), scheduleType, nil, config)
			expectWarnings(t, plan.Diagnostics, test.warnings...)
			o, _ := w.d.Apply(w.Context(), scheduleType, plan)
			other := w.e.NewDriver(t, nil)
			same, err := other.Refresh(w.Context(), o)
			expectWarnings(t, append(err, other.Plan(w.Context(), scheduleType, same, config).Diagnostics...))
			w.d.MustApply(w.Context(), scheduleType, o, nil)
		}
	})
}

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

// TestStartThatFollowsThePlan: a start from plantimestamp() differs in every plan, and each would replace the schedule.
func TestStartThatFollowsThePlan(t *testing.T) {
	const moving, gap = "warning at start_at: The start of the backups may differ in every plan\n", "warning at start_at: The backup schedule is deleted before its successor is created\n"
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		time.Sleep(time.Until(time.Date(2000, 1, 9, 15, 4, 5, 0, time.UTC))) // simulated
		w.config["start_at"] = "2000-01-08 04:00:00"
		o := w.d.MustApply(ctx, scheduleType, nil, w.config)
		for start, moves := range map[string]bool{
			"2000-01-09T15:04:01Z":      true, // plantimestamp()
			"2000-01-09T16:01:40+01:00": false,
			"2000-01-10T15:04:04Z":      true, // timeadd(plantimestamp(), "24h")
			"2000-01-09 12:04:04":       true, // timeadd(plantimestamp(), "-3h")
			"2000-01-09 15:04:00":       false,
			"2000-01-09 15:02:04":       false,
			"2000-01-09 15:04:06":       false, // later than the plan
			"2000-01-01 04:00:00":       false,
		} {
			config := maps.Clone(w.config)
			config["start_at"] = start
			create, change := []string{}, []string{gap}
			if moves {
				create, change = append(create, moving), append([]string{moving}, change...)
			}
			t.Log(start)
			expectWarnings(t, w.d.Plan(ctx, scheduleType, nil, config).Diagnostics, create...)
			expectWarnings(t, w.d.Plan(ctx, scheduleType, o, config).Diagnostics, change...)
		}
		// formatdate("YYYY-MM-DD 04:00:00", plantimestamp()) has the same hour on another day.
		for start, moves := range map[string]bool{"2000-01-09 04:00:00": true, "2000-01-10 04:00:00": true, "2000-01-11 04:00:00": false, "2000-01-09 05:00:00": false} {
			config := maps.Clone(w.config)
			config["start_at"] = start
			change := []string{gap}
			if moves {
				change = []string{moving, gap}
			}
			t.Log(start)
			expectWarnings(t, w.d.Plan(ctx, scheduleType, o, config).Diagnostics, change...)
		}
	})
}
