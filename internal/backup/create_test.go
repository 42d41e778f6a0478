// SPDX-License-Identifier: MPL-2.0

package backup_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestScheduleAnswerLost: the request is sent again only after a 503 that has made nothing. After any other lost answer
// the disc is looked at, and the result reported.
func TestScheduleAnswerLost(t *testing.T) {
	const unconfirmed = "warning at disc_id: The creation of the backup schedule was not confirmed"
	unavailable := emulator.Fault{Status: http.StatusServiceUnavailable}
	unavailableAfter := unavailable
	unavailableAfter.AfterEffect = true
	for name, test := range map[string]struct {
		fault    emulator.Fault
		times    int
		created  bool
		requests int
		says     string
	}{
		"created":             {fault: lost(), times: 1, created: true, requests: 1, says: unconfirmed},
		"not created":         {fault: emulator.Fault{Status: http.StatusBadGateway}, times: 1, requests: 1, says: "502"},
		"503, not created":    {fault: unavailable, times: 3, created: true, requests: 4},
		"503, created":        {fault: unavailableAfter, times: 1, created: true, requests: 1, says: unconfirmed},
		"503 for a long time": {fault: unavailable, times: 1000, requests: 17, says: "503"},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				test.fault.Times = test.times
				w.fault(http.MethodPost, "/backup_schedules", test.fault)
				var log bytes.Buffer
				ctx := tflogtest.RootLogger(w.Context(), &log)
				o, diags := w.d.Apply(ctx, scheduleType, w.d.Plan(ctx, scheduleType, nil, w.config))
				goesOn := "waiting for a backup schedule of disc " + w.disc + " to be created, 30s so far; last seen: POST "
				if said := strings.Contains(log.String(), goesOn); said != (test.requests > 10) {
					t.Errorf("the log says %q: %t", goesOn, said)
				}
				if calls := w.e.Calls(); len(calls) != test.requests {
					t.Errorf("%d requests, want %d", len(calls), test.requests)
				}
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

// TestTwoBlocksOfASchedule: a second block of an equal schedule is an error, until the first one is destroyed.
func TestTwoBlocksOfASchedule(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		o := w.d.MustApply(ctx, scheduleType, nil, w.config)
		for range 2 {
			_, diags := w.d.Apply(ctx, scheduleType, w.d.Plan(ctx, scheduleType, nil, w.config))
			acctest.ExpectError(t, diags, "error at disc_id: Cannot create a backup schedule of disc "+w.disc, "Two blocks describe it")
		}
		w.d.MustApply(ctx, scheduleType, o, nil)
		w.d.MustApply(ctx, scheduleType, nil, w.config)
		if s := w.schedules(); len(s) != 1 {
			t.Errorf("schedules %+v", s)
		}
	})
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
