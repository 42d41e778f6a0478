// SPDX-License-Identifier: MPL-2.0

// Package rollout limits how many machines are down at the same time, and makes operations on one machine run one after
// the other.
package rollout

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

// Rollout limits how many machines are down at the same time because of operations of this process: updates that
// restart a machine or wait for one that is not ready yet, and actions that take machines down for a while. The first
// operation that fails after its stop ends the rollout: its slot stays taken, and no operation gets a slot any more. A
// nil rollout has no limit.
type Rollout struct {
	slots chan struct{} // its capacity is the number of slots; one element for each slot that is taken
	over  chan struct{} // closed by the first failure

	// collecting holds an element while one operation takes several slots, so that no two wait for each other's.
	collecting chan struct{}

	mu     sync.Mutex
	held   []string
	failed *Error
}

// New returns a rollout with this number of slots, or nil for 0.
func New(slots int) *Rollout {
	if slots == 0 {
		return nil
	}
	return &Rollout{slots: make(chan struct{}, slots), over: make(chan struct{}), collecting: make(chan struct{}, 1)}
}

// Error reports that the rollout is over, and the failure that ended it.
type Error struct {
	Machine string // whose operation failed
	Err     error  // the reason
}

// Error names the machine and the failure.
func (e *Error) Error() string {
	return fmt.Sprintf("the operation on %s failed while it held a slot: %s", e.Machine, strings.TrimSuffix(e.Err.Error(), "."))
}

// Words is the message of an operation that waited, for what was not done to its machine: "updated". The error of the
// machine that ended the rollout has the cause, and the page about rollouts what to do.
func (e *Error) Words(done string) string {
	return fmt.Sprintf("Not %s: the rollout ended with %s, whose error has the cause.", done, e.Machine)
}

// Unwrap returns the failure.
func (e *Error) Unwrap() error { return e.Err }

// Slot is what an operation has taken, for one machine or several. It is nil if there is no limit.
type Slot struct {
	rollout  *Rollout
	machines []string
	taken    int // slots
}

// Take waits for a slot for each machine of an operation, or for all that there are. It returns a [*Error] if the
// rollout is over, and another error if ctx ends first.
func (r *Rollout) Take(ctx context.Context, machines ...string) (*Slot, error) {
	if r == nil {
		return nil, nil
	}
	if len(machines) > 1 {
		if err := r.takeOne(ctx, r.collecting); err != nil {
			return nil, err
		}
		defer func() { <-r.collecting }()
	}
	slot := &Slot{rollout: r}
	for range min(len(machines), cap(r.slots)) {
		if err := r.takeOne(ctx, r.slots); err != nil {
			slot.End()
			return nil, err
		}
		slot.taken++
	}
	if err := slot.hold(machines); err != nil {
		slot.End()
		return nil, err
	}
	return slot, nil
}

// takeOne puts an element into a semaphore of the rollout, unless the rollout or ctx ends first. If there is room at
// once, it does so even if the context has ended.
func (r *Rollout) takeOne(ctx context.Context, semaphore chan struct{}) error {
	select {
	case semaphore <- struct{}{}:
		return nil
	case <-r.over:
		return r.failure()
	default:
	}
	wait := progress.Begin(ctx, fmt.Sprintf("a slot among max_unavailable = %d", cap(r.slots)))
	defer wait.End()
	wait.SeeFunc(r.inProgress)
	wait.Report() // now, because the wait may be long
	select {
	case semaphore <- struct{}{}:
		return nil
	case <-r.over:
		return r.failure()
	case <-ctx.Done():
		return wait.Unfinished(ctx.Err())
	}
}

// failure returns the failure that ended the rollout.
func (r *Rollout) failure() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

// inProgress names the machines whose operations hold a slot.
func (r *Rollout) inProgress() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return "in progress is " + strings.Join(r.held, ", ")
}

// hold records which machines have the slot, unless the rollout is over.
func (p *Slot) hold(machines []string) error {
	r := p.rollout
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed != nil {
		return r.failed
	}
	p.machines = machines
	r.held = append(r.held, machines...)
	return nil
}

// End returns the slot.
func (p *Slot) End() {
	if p == nil {
		return
	}
	r := p.rollout
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, machine := range p.machines {
		i := slices.Index(r.held, machine)
		r.held = slices.Delete(r.held, i, i+1)
	}
	for range p.taken {
		<-r.slots
	}
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
		r.failed = &Error{Machine: machine, Err: failure}
		close(r.over)
	}
}
