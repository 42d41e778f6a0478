package progress_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

// A wait is told once in 30 seconds, at INFO and to whoever listens, with what was last seen, and not after its end.
func TestWaitIsTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var mu sync.Mutex // a wait tells from a goroutine of its own
		var told []string
		ctx := progress.Of(tflogtest.RootLogger(t.Context(), &log), `virtual machine "web1"`, func(text string) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, text)
		})
		progress.Tell(ctx, "starting the machine")
		w := progress.Begin(ctx, "the machine to be on")
		time.Sleep(29 * time.Second)
		mu.Lock()
		if len(told) != 1 {
			t.Errorf("told too early: %q", told)
		}
		mu.Unlock()
		time.Sleep(2 * time.Second)
		w.See("power_on is false")
		w.Tell()
		time.Sleep(30 * time.Second)
		later := "power_on is still false"
		w.SeeBy(func() string { return later })
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
		if fmt.Sprintf("%q", told) != fmt.Sprintf("%q", want) {
			t.Errorf("told %q", told)
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

// Who tells takes its time, or nobody listens: a wait still ends, and after that nothing is told.
func TestWaitEndsAfterWhatIsBeingTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		telling := false
		w := progress.Begin(progress.Of(t.Context(), "", func(string) {
			telling = true
			time.Sleep(5 * time.Second)
			telling = false
		}), "a slot")
		time.Sleep(31 * time.Second)
		if w.End(); telling {
			t.Error("it is told after the end")
		}
		progress.Begin(t.Context(), "a slot").End()
	})
}

// The error has the same words, and unwraps to its cause.
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
