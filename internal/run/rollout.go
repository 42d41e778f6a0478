package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

// Rollout lets only so many machines be down at the same time because operations of
// this process take them down: updates that restart, or that owe a ready machine, and
// actions that restart. The first that fails after its stop ends the rollout:
// its slot stays taken, and nobody gets one any more. A nil rollout has no limit.
type Rollout struct {
	slots chan struct{} // full: none is free
	over  chan struct{} // closed with the first failure

	mu     sync.Mutex
	held   []string
	failed *RolloutError
}

// NewRollout returns a rollout with so many slots, nil for 0.
func NewRollout(slots int) *Rollout {
	if slots == 0 {
		return nil
	}
	return &Rollout{slots: make(chan struct{}, slots), over: make(chan struct{})}
}

// RolloutError reports that the rollout is over, and why.
type RolloutError struct {
	Machine string // whose operation failed
	Err     error  // the reason
}

// Error returns what happened to which machine.
func (e *RolloutError) Error() string {
	return fmt.Sprintf("the operation on %s failed while it held a slot: %s", e.Machine, strings.TrimSuffix(e.Err.Error(), "."))
}

// Unwrap returns the reason.
func (e *RolloutError) Unwrap() error { return e.Err }

// Slot is one of the slots, taken by an operation on one machine. A nil slot
// is one without a limit.
type Slot struct {
	rollout *Rollout
	machine string
}

// Take waits for a slot for an operation on the machine. It ends with a
// [*RolloutError] when the rollout is over, and with ctx.
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
	wait.SeeBy(r.inProgress)
	wait.Tell() // for it may be long
	select {
	case r.slots <- struct{}{}:
	case <-r.over:
	case <-ctx.Done():
		return nil, wait.Unfinished(ctx.Err())
	}
	return r.hold(machine)
}

// inProgress names the machines of the operations that hold a slot.
func (r *Rollout) inProgress() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return "in progress is " + strings.Join(r.held, ", ")
}

// hold notes who has a slot, unless the rollout is over.
func (r *Rollout) hold(machine string) (*Slot, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed != nil {
		return nil, r.failed
	}
	r.held = append(r.held, machine)
	return &Slot{r, machine}, nil
}

// End returns the slot. After an operation that failed, it keeps the slot, and
// ends the rollout for all that wait or come later.
func (p *Slot) End(failure error) {
	if p == nil {
		return
	}
	r := p.rollout
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case failure == nil:
		i := slices.Index(r.held, p.machine)
		r.held = slices.Delete(r.held, i, i+1)
		<-r.slots
	case r.failed == nil:
		r.failed = &RolloutError{Machine: p.machine, Err: failure}
		close(r.over)
	}
}
