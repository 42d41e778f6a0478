package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

// Rollout limits how many machines are down at the same time because of operations of this process: updates that
// restart a machine or wait for one that is not ready yet, and actions that restart one. The first operation that fails
// after its stop ends the rollout: its slot stays taken, and no operation gets a slot any more. A nil rollout has no
// limit.
type Rollout struct {
	slots chan struct{} // its capacity is the number of slots; one element for each slot that is taken
	over  chan struct{} // closed by the first failure

	mu     sync.Mutex
	held   []string
	failed *RolloutError
}

// NewRollout returns a rollout with this number of slots, or nil for 0.
func NewRollout(slots int) *Rollout {
	if slots == 0 {
		return nil
	}
	return &Rollout{slots: make(chan struct{}, slots), over: make(chan struct{})}
}

// RolloutError reports that the rollout is over, and the failure that ended it.
type RolloutError struct {
	Machine string // whose operation failed
	Err     error  // the reason
}

// Error names the machine and the failure.
func (e *RolloutError) Error() string {
	return fmt.Sprintf("the operation on %s failed while it held a slot: %s", e.Machine, strings.TrimSuffix(e.Err.Error(), "."))
}

// Unwrap returns the failure.
func (e *RolloutError) Unwrap() error { return e.Err }

// Slot is a slot taken by an operation on one machine. It is nil if there is no limit.
type Slot struct {
	rollout *Rollout
	machine string
}

// Take waits for a slot for an operation on the machine. It returns a [*RolloutError] if the rollout is over, and
// another error if ctx ends first.
func (r *Rollout) Take(ctx context.Context, machine string) (*Slot, error) {
	if r == nil {
		return nil, nil
	}
	select { // a slot that is free is taken even if the context has ended
	case r.slots <- struct{}{}:
		return r.hold(machine)
	case <-r.over:
		return r.hold(machine)
	default:
	}
	wait := progress.Begin(ctx, fmt.Sprintf("a slot among max_unavailable = %d", cap(r.slots)))
	defer wait.End()
	wait.SeeFunc(r.inProgress)
	wait.Report() // now, because the wait may be long
	select {
	case r.slots <- struct{}{}:
	case <-r.over:
	case <-ctx.Done():
		return nil, wait.Unfinished(ctx.Err())
	}
	return r.hold(machine)
}

// inProgress names the machines whose operations hold a slot.
func (r *Rollout) inProgress() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return "in progress is " + strings.Join(r.held, ", ")
}

// hold records which machine has the slot, unless the rollout is over.
func (r *Rollout) hold(machine string) (*Slot, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed != nil {
		return nil, r.failed
	}
	r.held = append(r.held, machine)
	return &Slot{r, machine}, nil
}

// End returns the slot.
func (p *Slot) End() {
	if p == nil {
		return
	}
	r := p.rollout
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.Index(r.held, p.machine)
	r.held = slices.Delete(r.held, i, i+1)
	<-r.slots
}

// Stop ends the rollout, for all operations that wait or come later, with the first failure after which a machine may be
// down. The slot of that operation, if it had one, stays taken.
func (r *Rollout) Stop(machine string, failure error) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed == nil {
		r.failed = &RolloutError{Machine: machine, Err: failure}
		close(r.over)
	}
}
