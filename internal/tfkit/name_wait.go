package tfkit

import (
	"context"
	"time"
)

const (
	// nameGrace is how long it may take until another resource of this run
	// begins to give a name up: Terraform works on them concurrently.
	nameGrace = 3 * time.Second
	// nameWait is how long a name is waited for that this run gives up.
	nameWait  = 2 * time.Minute
	namePause = time.Second
)

// AwaitName makes a request that takes a name, and makes it again while the name
// is refused as taken and leaving reports that this run is about to free it. A
// name that nothing in this run gives up is asked for once.
func AwaitName(ctx context.Context, leaving func() bool, taken func(error) bool, request func() error) error {
	for began := time.Now(); ; {
		err := request()
		if !taken(err) || time.Since(began) >= nameWait {
			return err
		}
		grace := time.Now()
		for !leaving() && time.Since(grace) < nameGrace {
			if !Pause(ctx, namePause/10) {
				return err
			}
		}
		if !leaving() || !Pause(ctx, namePause) {
			return err
		}
	}
}

// Pause waits, and reports whether the context is still alive.
func Pause(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
