package rollout

import (
	"context"
	"fmt"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// Turns makes operations on the same machine run one after the other, so that an update and actions on a machine do not
// undo each other's power changes. The zero value is ready for use. It knows a machine while an operation has the turn
// or waits for it.
type Turns struct {
	mu   sync.Mutex
	busy map[int64]*turn
}

// turn is the turn on one machine.
type turn struct {
	taken chan struct{} // full while an operation has it
	users int           // operations that have it or wait for it
}

// Take waits for its turn on a machine. The returned function ends the turn.
func (t *Turns) Take(ctx context.Context, machine int64) (end func(), err error) {
	turn := t.use(machine)
	end = func() {
		<-turn.taken
		t.leave(machine)
	}
	select {
	case turn.taken <- struct{}{}:
		return end, nil
	default:
	}
	wait := fleet.Begin(ctx, fmt.Sprintf("another operation on virtual machine %d to end", machine))
	defer wait.End()
	wait.See("it goes on")
	select {
	case turn.taken <- struct{}{}:
		return end, nil
	case <-ctx.Done():
		t.leave(machine)
		return nil, wait.Unfinished(ctx.Err())
	}
}

// use returns the turn on a machine for one more user.
func (t *Turns) use(machine int64) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy == nil {
		t.busy = map[int64]*turn{}
	}
	if t.busy[machine] == nil {
		t.busy[machine] = &turn{taken: make(chan struct{}, 1)}
	}
	t.busy[machine].users++
	return t.busy[machine]
}

// leave notes that a user of the turn has ended, and forgets the turn after the last one.
func (t *Turns) leave(machine int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy[machine].users--; t.busy[machine].users == 0 {
		delete(t.busy, machine)
	}
}
