// SPDX-License-Identifier: MPL-2.0

package worldfile

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// errLocked is returned while another process holds the lock.
var errLocked = errors.New("another process has locked it")

// How to wait for the lock of another process.
const (
	lookEvery = time.Millisecond
	patience  = 20 * time.Second // a process holds the lock for milliseconds, unless it is suspended
)

// lock waits for the lock of a file, and returns a function that releases it.
func lock(ctx context.Context, name string) (unlock func(), err error) {
	began := time.Now()
	for {
		unlock, err := tryLock(name)
		if !errors.Is(err, errLocked) {
			return unlock, err
		}
		if waited := time.Since(began); waited > patience {
			return nil, fmt.Errorf(
				"another process has held the lock %s for %s: end it if it is stopped", name, waited.Round(time.Second))
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lookEvery):
		}
	}
}
