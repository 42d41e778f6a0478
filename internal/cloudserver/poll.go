package cloudserver

import (
	"context"
	"errors"
	"time"
)

// Poll looks after 0.1 s, after another 0.2 s, another 0.4 s, and so on, up to a pause of three seconds.
const (
	shortestPause = 100 * time.Millisecond
	longestPause  = 3 * time.Second
	finalLook     = 5 * time.Second // limit of a look after the deadline or an interrupt
)

// Pause waits. It returns the context's error as soon as the context ends, or immediately if it has ended already.
func Pause(ctx context.Context, wait time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// PauseAfter returns the pause before the next look of a wait that has lasted for waited.
func PauseAfter(waited time.Duration) time.Duration {
	return min(waited+shortestPause, longestPause)
}

// Poll calls look until it is done or returns an error. It returns the context's error when the context ends, at once
// after a cancellation. If the deadline passes before the first look, Poll still looks once.
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
