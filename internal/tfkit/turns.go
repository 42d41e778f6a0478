package tfkit

import (
	"context"
	"fmt"
	"sync"
)

// Turns lets operations on one object go one after the other, so that an update
// and actions on the same machine do not undo each other's power. The zero value
// is ready to be used.
type Turns struct {
	mu   sync.Mutex
	busy map[int64]chan struct{}
}

// Take waits for the turn of an operation on the object with the id; what names
// its kind in errors. The function that it returns ends the turn.
func (t *Turns) Take(ctx context.Context, what string, id int64) (end func(), err error) {
	t.mu.Lock()
	turn, ok := t.busy[id]
	if !ok {
		if t.busy == nil {
			t.busy = map[int64]chan struct{}{}
		}
		turn = make(chan struct{}, 1)
		t.busy[id] = turn
	}
	t.mu.Unlock()
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for another operation on %s %d: %w", what, id, ctx.Err())
	}
}
