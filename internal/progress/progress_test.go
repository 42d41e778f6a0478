// SPDX-License-Identifier: MPL-2.0

package progress_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

// A wait is reported every 30 seconds, at INFO and to notify, with what was last seen, and not after its end.
func TestWaitIsReported(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var mu sync.Mutex // a wait tells from a goroutine of its own
		var reported []string
		ctx := progress.NewContext(tflogtest.RootLogger(t.Context(), &log), `virtual machine "web1"`, func(text string) {
			mu.Lock()
			defer mu.Unlock()
			reported = append(reported, text)
		})
		progress.Report(ctx, "starting the machine")
		w := progress.Begin(ctx, "the machine to be on")
		time.Sleep(29 * time.Second)
		mu.Lock()
		if len(reported) != 1 {
			t.Errorf("reported too early: %q", reported)
		}
		mu.Unlock()
		time.Sleep(2 * time.Second)
		w.See("power_on is false")
		w.Report()
		time.Sleep(30 * time.Second)
		later := "power_on is still false"
		w.SeeFunc(func() string { return later })
		time.Sleep(30 * time.Second)
		w.End()
		time.Sleep(time.Hour)
		want := []string{
			"starting the machine",
			"waiting for the machine to be on, 30s so far; last seen: nothing yet",
			"waiting for the machine to be on, 31s so far; last seen: power_on is false",
			"waiting for the machine to be on, 1m0s so far; last seen: power_on is false",
			"waiting for the machine to be on, 1m30s so far; last seen: power_on is still false",
		}
		if fmt.Sprintf("%q", reported) != fmt.Sprintf("%q", want) {
			t.Errorf("reported %q", reported)
		}
		entries, err := tflogtest.MultilineJSONDecode(&log)
		if err != nil || len(entries) != len(want) {
			t.Fatalf("logged %v, %v", entries, err)
		}
		for i, entry := range entries {
			if entry["@level"] != "info" || entry["@message"] != `virtual machine "web1": `+want[i] {
				t.Errorf("logged %v", entry)
			}
		}
	})
}

// An operation on several objects names the one that it works on.
func TestNaming(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	var reported []string
	ctx := tflogtest.RootLogger(t.Context(), &log)
	both := progress.NewContext(ctx, "machine 1", func(text string) { reported = append(reported, text) })
	progress.Report(progress.Naming(both, "machine 2"), "starting the machine")
	progress.Report(both, "moving the disc")
	progress.Report(progress.Naming(ctx, "machine 3"), "starting the machine")
	if want := []string{"machine 2: starting the machine", "moving the disc"}; !slices.Equal(reported, want) {
		t.Errorf("reported %q, want %q", reported, want)
	}
	entries, err := tflogtest.MultilineJSONDecode(&log)
	if err != nil || len(entries) != 3 || entries[0]["@message"] != "machine 2: starting the machine" ||
		entries[1]["@message"] != "machine 1: moving the disc" || entries[2]["@message"] != "machine 3: starting the machine" {
		t.Errorf("logged %v, %v", entries, err)
	}
}

// End waits for a slow notify, and nothing is reported after it. Without notify a wait ends as well.
func TestEndWaitsForNotify(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		telling := false
		w := progress.Begin(progress.NewContext(t.Context(), "", func(string) {
			telling = true
			time.Sleep(5 * time.Second)
			telling = false
		}), "a slot")
		time.Sleep(31 * time.Second)
		if w.End(); telling {
			t.Error("it is reported after the end")
		}
		progress.Begin(t.Context(), "a slot").End()
	})
}

// The error uses the same words, and unwraps to its cause.
func TestUnfinished(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	for want, err := range map[string]error{
		"waited 1m30s for a slot: timed out; last seen: web1":   context.DeadlineExceeded,
		"waited 1m30s for a slot: interrupted; last seen: web1": fmt.Errorf("waiting: %w", context.Canceled),
		"waited 1m30s for a slot: gave up; last seen: web1":     refused,
	} {
		synctest.Test(t, func(t *testing.T) {
			w := progress.Begin(t.Context(), "a slot")
			defer w.End()
			w.See("web1")
			time.Sleep(90*time.Second + 300*time.Millisecond)
			if got := w.Unfinished(err); got.Error() != want || !errors.Is(got, err) || !strings.HasPrefix(want, got.Outcome()) {
				t.Errorf("got %q, %v", got, got.Err)
			}
		})
	}
}
