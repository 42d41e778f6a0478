package fleet

import (
	"context"
	"fmt"
	"strings"
	"sync"
)

// Rollout lets at most Places machines be down at the same time because
// operations of this process take them down. The first that fails after its
// stop ends the rollout: its place stays taken, and nobody gets one any more. The
// zero value has no limit.
type Rollout struct {
	Places int // 0: as many as there are operations

	mu      sync.Mutex
	held    []string
	waiting []*applicant // the one that has waited longest first
	failed  *RolloutError
}

// applicant is an operation that waits for a place.
type applicant struct {
	machine string
	turn    chan error // gets one value: nil with the place
}

// RolloutError reports that the rollout is over, and why.
type RolloutError struct {
	Machine string // whose operation failed
	Err     error  // the reason
}

// Error returns what happened to which machine.
func (e *RolloutError) Error() string {
	return fmt.Sprintf("the operation on %s failed while it held a place: %s", e.Machine, strings.TrimSuffix(e.Err.Error(), "."))
}

// Unwrap returns the reason.
func (e *RolloutError) Unwrap() error { return e.Err }

// Place is one of the places, taken by an operation on one machine. A nil place
// is one without a limit.
type Place struct {
	rollout *Rollout
	machine string
}

// Take waits for a place for an operation on the machine, and says so if none is
// free. It ends with a [*RolloutError] when the rollout is over, and with ctx.
func (r *Rollout) Take(ctx context.Context, machine string, say func(string)) (*Place, error) {
	if r.Places == 0 {
		return nil, nil
	}
	a := r.apply(machine)
	select { // a place that is free is taken even if the context has ended
	case err := <-a.turn:
		return r.place(machine, err)
	default:
	}
	say(r.queue())
	select {
	case err := <-a.turn:
		return r.place(machine, err)
	case <-ctx.Done():
		r.withdraw(a)
		return nil, fmt.Errorf("waiting for a place among max_unavailable = %d: %w", r.Places, ctx.Err())
	}
}

func (r *Rollout) place(machine string, err error) (*Place, error) {
	if err != nil {
		return nil, err
	}
	return &Place{r, machine}, nil
}

// apply takes a place that is free, or queues for one.
func (r *Rollout) apply(machine string) *applicant {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := &applicant{machine: machine, turn: make(chan error, 1)}
	switch {
	case r.failed != nil:
		a.turn <- r.failed
	case len(r.held) < r.Places:
		r.held = append(r.held, machine)
		a.turn <- nil
	default:
		r.waiting = append(r.waiting, a)
	}
	return a
}

// withdraw leaves the queue, and returns a place that came too late.
func (r *Rollout) withdraw(a *applicant) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, other := range r.waiting {
		if other == a {
			r.waiting = append(r.waiting[:i:i], r.waiting[i+1:]...)
			return
		}
	}
	if err := <-a.turn; err == nil {
		r.free(a.machine)
	}
}

// free passes a place on. The caller holds the lock.
func (r *Rollout) free(machine string) {
	for i, held := range r.held {
		if held == machine {
			r.held = append(r.held[:i:i], r.held[i+1:]...)
			break
		}
	}
	if len(r.waiting) > 0 && r.failed == nil {
		next := r.waiting[0]
		r.waiting = r.waiting[1:]
		r.held = append(r.held, next.machine)
		next.turn <- nil
	}
}

// queue says how many wait, and for which machines.
func (r *Rollout) queue() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fmt.Sprintf("waiting for a place, %d in the queue: max_unavailable is %d, and in progress is %s",
		len(r.waiting), r.Places, strings.Join(r.held, ", "))
}

// End returns the place. After an operation that failed, it keeps the place, and
// ends the rollout for all that wait or come later.
func (p *Place) End(failure error) {
	if p == nil {
		return
	}
	r := p.rollout
	r.mu.Lock()
	defer r.mu.Unlock()
	if failure == nil {
		r.free(p.machine)
		return
	}
	if r.failed == nil {
		r.failed = &RolloutError{Machine: p.machine, Err: failure}
	}
	for _, a := range r.waiting {
		a.turn <- r.failed
	}
	r.waiting = nil
}
