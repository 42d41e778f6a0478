package worldfile

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// errLocked is returned while another process holds the lock.
var errLocked = errors.New("another process has locked it")

// How to wait for the lock of another process.
const (
	firstLook   = 200 * time.Microsecond
	longestLook = 5 * time.Millisecond
	patience    = 20 * time.Second // a process holds the lock for milliseconds, unless it is suspended
)

// lock waits for the lock of a file, and returns a function that releases it.
func lock(ctx context.Context, name string) (unlock func(), err error) {
	began := time.Now()
	for wait := firstLook; ; wait = min(2*wait, longestLook) {
		unlock, err := tryLock(name)
		if err == nil || !errors.Is(err, errLocked) {
			return unlock, err
		}
		if waited := time.Since(began); waited > patience {
			return nil, fmt.Errorf(
				"another process has held the lock %s for %s: end it if it is stopped", name, waited.Round(time.Second))
		}
		if err := pause(ctx, wait/2+rand.N(wait)); err != nil {
			return nil, err
		}
	}
}

// pause waits, and returns the context's error as soon as that ends.
func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
