package vm

import (
	"context"
	"fmt"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// locks lets one operation at a time change a machine, so that an update and
// actions on the same machine do not undo each other's power.
var locks = struct {
	mu   sync.Mutex
	held map[lockKey]*lock
}{held: map[lockKey]*lock{}}

type lockKey struct {
	client *cloudserver.Client
	id     int64
}

type lock struct {
	turn  chan struct{}
	users int
}

// lockMachine waits for the machine's turn, and returns what ends it.
func lockMachine(ctx context.Context, client *cloudserver.Client, id int64) (unlock func(), err error) {
	key := lockKey{client, id}
	locks.mu.Lock()
	l, ok := locks.held[key]
	if !ok {
		l = &lock{turn: make(chan struct{}, 1)}
		locks.held[key] = l
	}
	l.users++
	locks.mu.Unlock()

	leave := func() {
		locks.mu.Lock()
		defer locks.mu.Unlock()
		if l.users--; l.users == 0 {
			delete(locks.held, key)
		}
	}
	select {
	case l.turn <- struct{}{}:
		return func() { <-l.turn; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, fmt.Errorf("waiting for another operation on virtual machine %d: %w", id, ctx.Err())
	}
}
