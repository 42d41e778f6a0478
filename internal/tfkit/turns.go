package tfkit

import (
	"context"
	"fmt"
	"sync"
)

// Turns lets operations on one object go one after the other, so that an update
// and actions on the same machine do not undo each other's power. K identifies an
// object. The zero value is ready to be used.
type Turns[K comparable] struct {
	mu   sync.Mutex
	busy map[K]chan struct{}
}

// Take waits for the turn of an operation on an object; what names its kind in
// errors. The function that it returns ends the turn.
func (t *Turns[K]) Take(ctx context.Context, what string, object K) (end func(), err error) {
	t.mu.Lock()
	turn, ok := t.busy[object]
	if !ok {
		if t.busy == nil {
			t.busy = map[K]chan struct{}{}
		}
		turn = make(chan struct{}, 1)
		t.busy[object] = turn
	}
	t.mu.Unlock()
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for another operation on %s %v: %w", what, object, ctx.Err())
	}
}
