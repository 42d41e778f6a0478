package run

import (
	"context"
	"fmt"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

// Turns makes operations on the same object run one after the other, so that an update and actions on a machine do not
// undo each other's power changes. The zero value is ready for use. It knows an object while an operation has the turn
// or waits for it.
type Turns struct {
	mu   sync.Mutex
	busy map[Object]*turn
}

// turn is the turn on one object.
type turn struct {
	taken chan struct{} // full while an operation has it
	users int           // operations that have it or wait for it
}

// Take waits for its turn on an object. The returned function ends the turn.
func (t *Turns) Take(ctx context.Context, object Object) (end func(), err error) {
	turn := t.use(object)
	end = func() {
		<-turn.taken
		t.leave(object)
	}
	select {
	case turn.taken <- struct{}{}:
		return end, nil
	default:
	}
	wait := progress.Begin(ctx, fmt.Sprintf("another operation on %s to end", object))
	defer wait.End()
	wait.See("it goes on")
	select {
	case turn.taken <- struct{}{}:
		return end, nil
	case <-ctx.Done():
		t.leave(object)
		return nil, wait.Unfinished(ctx.Err())
	}
}

// use returns the turn on an object for one more user.
func (t *Turns) use(object Object) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy == nil {
		t.busy = map[Object]*turn{}
	}
	if t.busy[object] == nil {
		t.busy[object] = &turn{taken: make(chan struct{}, 1)}
	}
	t.busy[object].users++
	return t.busy[object]
}

// leave notes that a user of the turn has ended, and forgets the turn after the last one.
func (t *Turns) leave(object Object) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy[object].users--; t.busy[object].users == 0 {
		delete(t.busy, object)
	}
}
