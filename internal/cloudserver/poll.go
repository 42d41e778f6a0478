package cloudserver

import (
	"context"
	"errors"
	"time"
)

// A wait looks after 0.1 s, after 0.2 s more, after 0.4 s more, and so on, and in
// the end every three seconds.
const (
	shortestPause = 100 * time.Millisecond
	longestPause  = 3 * time.Second
	finalLook     = 5 * time.Second // for a look after the deadline, or an interrupt
)

// PauseAfter returns how long a wait that has gone on for so long pauses before
// its next look.
func PauseAfter(waited time.Duration) time.Duration {
	return min(waited+shortestPause, longestPause)
}

// Poll looks until look reports that it is done, or an error. The end of the
// context ends it with the context's error, a cancellation at once. Where the
// deadline comes before the first look, it looks once all the same.
func Poll(ctx context.Context, look func(context.Context) (done bool, err error)) error {
	began, looked := time.Now(), false
	for {
		ended := Pause(ctx, PauseAfter(time.Since(began)))
		if ended != nil && (looked || !errors.Is(ended, context.DeadlineExceeded)) {
			return ended
		}
		if ended != nil {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), finalLook)
			defer cancel()
		}
		if done, err := look(ctx); done || err != nil {
			return err
		}
		if ended != nil {
			return ended
		}
		looked = true
	}
}
