package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

const (
	// firstPause and longestPause are the bounds of the pauses between two looks, which double.
	firstPause   = 100 * time.Millisecond
	longestPause = 3 * time.Second

	// listFrom is the number of waits in a group from which on they share listings.
	listFrom = 4

	// sharedFor is how long after its request a listing that has arrived serves further waits.
	sharedFor = time.Second

	// young is how long after its creation a machine may be unknown to the service.
	young = 30 * time.Second

	// finalLook limits a look after the deadline.
	finalLook = 5 * time.Second
)

// Wait polls the machine until done reports true, and returns it in that state. what describes what is waited for, such
// as "the machine to be on". If ctx ends, the error is an *Unfinished with what was last seen and answered; after a
// deadline, there was at least one look.
//
// A wait ends early only if the machine is gone (IsGone), or soft-deleted, which is a *DeletedError. Any other failure is
// remembered, and the service is asked again. In the first seconds after a creation, a 404 means that the machine is not
// known yet.
func (f *Fleet) Wait(
	ctx context.Context, m Machine, what string, done func(*cloudserver.VirtualMachine) bool,
) (*cloudserver.VirtualMachine, error) {
	w := f.enter(m)
	defer f.leave(w)
	waiting := Begin(ctx, what)
	defer waiting.End()
	for pause := w.joins; ; pause = min(max(2*pause, firstPause), longestPause) {
		vm, err := f.lookAfter(ctx, w, pause)
		switch {
		case vm != nil && vm.Deleted:
			return nil, &DeletedError{vm}
		case vm != nil && done(vm):
			return vm, nil
		case cloudserver.IsNotFound(err) && !w.isYoung():
			if err = f.checkGoneNow(ctx, m, err); IsGone(err) {
				return nil, err
			}
		}
		if vm != nil {
			w.last = vm
		}
		if !isInterrupted(ctx, err) {
			waiting.See(lastSeen(w.last, err))
		}
		if ctx.Err() != nil {
			return nil, waiting.Unfinished(ctx.Err())
		}
	}
}

// DeletedError is returned by a wait for a machine that is soft-deleted.
type DeletedError struct{ Machine *cloudserver.VirtualMachine }

// Error says so.
func (e *DeletedError) Error() string {
	return fmt.Sprintf("the virtual machine %q (ID %d) is soft-deleted", cloudserver.Shown(e.Machine.Name), e.Machine.ID)
}

// WaitFor polls anything else than a machine until look is done. seen describes what look has found, and its errors are
// remembered, as in Wait: if ctx ends, the error is an *Unfinished with the last of them. If look is done with an error,
// WaitFor returns it.
func (f *Fleet) WaitFor(
	ctx context.Context, what string, look func(context.Context) (done bool, seen string, err error),
) error {
	waiting := Begin(ctx, what)
	defer waiting.End()
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		done, seen, err := look(ctx)
		if done {
			return err
		}
		if !isInterrupted(ctx, err) {
			waiting.See(joinSeen(seen, err))
		}
		if cloudserver.Pause(ctx, pause) != nil {
			return waiting.Unfinished(ctx.Err())
		}
	}
}

// lastSeen describes what was last seen of a machine, and the failure of the last look.
func lastSeen(vm *cloudserver.VirtualMachine, err error) string {
	seen := ""
	switch {
	case vm != nil && vm.PowerOn != nil:
		seen = fmt.Sprintf("power_on is %t", *vm.PowerOn)
	case vm != nil:
		seen = "power_on was not reported"
	}
	return joinSeen(seen, err)
}

func joinSeen(seen string, err error) string {
	switch {
	case err == nil:
		return seen
	case seen == "":
		return err.Error()
	}
	return seen + "; then " + err.Error()
}

// isInterrupted reports whether a look failed only because ctx ended, so that it says nothing about the service.
func isInterrupted(ctx context.Context, err error) bool {
	return err != nil && ctx.Err() != nil && cloudserver.StatusCode(err) == 0
}

// watch is a wait as its group knows it.
type watch struct {
	machine Machine
	group   *knownGroup // nil: it looks by ID
	began   time.Time
	joins   time.Duration // pause before the first look, in which others join
	looked  bool          // there was a look
	after   uint64        // only listings that were requested later count
	last    *cloudserver.VirtualMachine
}

// isYoung reports whether this process created the machine a moment ago.
func (w *watch) isYoung() bool { return w.machine.Created && time.Since(w.began) < young }

// enter begins a watch. A look by ID is made at once, because what is waited for may have happened with the request
// before. Before the first look in a listing there is a pause, in which others join.
func (f *Fleet) enter(m Machine) *watch {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := &watch{machine: m, began: time.Now(), after: f.tick()}
	if f.goesByID(m) {
		return w
	}
	w.group = f.group(m.listed())
	w.group.waiting++
	w.joins = firstPause
	return w
}

// leave ends the watch.
func (f *Fleet) leave(w *watch) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if w.group != nil {
		w.group.waiting--
	}
}

// errNotListed is the result of looking at a listing that lacks a machine which was created a moment ago.
var errNotListed = errors.New("not in the listing of its group yet")

// lookAfter returns the machine after a pause: as a listing shows it, or read by its ID. If the deadline passes before
// the first look, it still looks once.
func (f *Fleet) lookAfter(ctx context.Context, w *watch, pause time.Duration) (*cloudserver.VirtualMachine, error) {
	if ended := cloudserver.Pause(ctx, pause); ended != nil {
		if w.looked || !errors.Is(ended, context.DeadlineExceeded) {
			return nil, ended
		}
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), finalLook)
		defer cancel()
		ctx = last
	}
	w.looked = true
	all, err := f.listingFor(ctx, w).awaitBriefly(ctx)
	if err != nil {
		return nil, err
	}
	if vm := all.withID(w.machine.ID); vm != nil {
		return vm, nil
	}
	if all != nil && w.isYoung() {
		return nil, errNotListed
	}
	return f.api.VirtualMachine(ctx, w.machine.ID, cloudserver.IncludeDeleted)
}

// listingFor returns a listing that this watch has not looked at yet: a recent one, or a new one. It returns nil if too
// few machines of the group are waited for, or if no listing is worth its cost.
func (f *Fleet) listingFor(ctx context.Context, w *watch) *listing {
	g := w.group
	if g == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	l := g.latest
	switch {
	case g.waiting < listFrom:
		return nil
	case l != nil && l.order > w.after && (!l.isDone() || time.Since(l.asked) < sharedFor):
	case l != nil && (!l.isDone() || !l.mayBeRepeated(g.waiting)):
		return nil
	default:
		l = f.list(ctx, g)
	}
	w.after, f.machine(w.machine.ID).read = l.order, f.tick()
	return l
}
