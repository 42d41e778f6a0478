// SPDX-License-Identifier: MPL-2.0

package rollout

import (
	"context"
	"fmt"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

// Turns makes operations of this process on the same object run one after the other, so that an update and actions on a
// machine do not undo each other's power changes. The zero value is ready for use.
type Turns struct {
	mu   sync.Mutex
	busy map[string]chan struct{} // full while an operation has the turn
}

// Take waits for its turn on an object, such as "virtual machine 7". The returned function ends the turn.
func (t *Turns) Take(ctx context.Context, object string) (end func(), err error) {
	turn := t.turn(object)
	end = func() { <-turn }
	select {
	case turn <- struct{}{}:
		return end, nil
	default:
	}
	wait := progress.Begin(ctx, fmt.Sprintf("another operation on %s to end", object))
	defer wait.End()
	wait.See("it goes on")
	select {
	case turn <- struct{}{}:
		return end, nil
	case <-ctx.Done():
		return nil, wait.Unfinished(ctx.Err())
	}
}

func (t *Turns) turn(object string) chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy == nil {
		t.busy = map[string]chan struct{}{}
	}
	if t.busy[object] == nil {
		t.busy[object] = make(chan struct{}, 1)
	}
	return t.busy[object]
}
