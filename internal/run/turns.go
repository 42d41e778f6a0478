package run

import (
	"context"
	"fmt"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

// Turns lets operations on one object go one after the other, so that an update
// and actions on the same machine do not undo each other's power. The zero value is
// ready for use.
type Turns struct{ busy sync.Map } // Object → chan struct{}, full while an operation has the turn

// Take waits for the turn of an operation on an object. The function that it returns
// ends the turn.
func (t *Turns) Take(ctx context.Context, object Object) (end func(), err error) {
	known, _ := t.busy.LoadOrStore(object, make(chan struct{}, 1))
	turn := known.(chan struct{}) //nolint:errcheck,forcetypeassert // nothing else is stored
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	default:
	}
	wait := progress.Begin(ctx, fmt.Sprintf("another operation on %s to end", object))
	defer wait.End()
	wait.See("it goes on")
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, wait.Unfinished(ctx.Err())
	}
}
