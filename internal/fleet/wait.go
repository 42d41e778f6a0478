package fleet

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

const (
	// listFrom is how many waits in a group make one look of all a listing, and how
	// many that have begun since the last one make the next.
	listFrom = 4

	// young is how long after its creation a machine may be unknown to the service.
	young = 30 * time.Second

	// patience is how long a wait goes on while the service refuses all calls.
	patience = 2 * time.Minute

	// finalLook is for a look after the deadline.
	finalLook = 5 * time.Second
)

// WaitError is a wait whose context ended before the machine was as awaited. It
// unwraps to the context's error: a deadline, or a cancellation.
type WaitError struct {
	*progress.Unfinished
	Machine Machine
	Last    *cloudserver.VirtualMachine // as last seen; nil: never
}

// Error adds how to look at the machine.
func (e *WaitError) Error() string {
	return fmt.Sprintf("%s. To look at it: GET /virtual_machines/%d", e.Unfinished.Error(), e.Machine.ID)
}

// LastSeen describes what was last seen of a machine, and the error of the last
// look.
func LastSeen(vm *cloudserver.VirtualMachine, err error) string {
	var seen []string
	if vm != nil && vm.PowerOn != nil {
		seen = append(seen, fmt.Sprintf("power_on is %t", *vm.PowerOn))
	} else if vm != nil {
		seen = append(seen, "power_on was not reported")
	}
	if err != nil {
		seen = append(seen, err.Error())
	}
	return strings.Join(seen, "; then ")
}

// errNotListed is a look at a listing that lacks a young machine.
var errNotListed = errors.New("not in the listing of its group yet")

// watch is a wait, as its group knows it.
type watch struct {
	machine Machine
	group   *group
	byID    bool // its own looks are by id
	began   time.Time
	looked  time.Time // when it last began to look by id, or a listing arrived
	after   uint64    // only what was requested later is news
}

// Wait looks at the machine until done reports true, and returns it as it was
// then. What says what for, such as "the machine to be on". The end of ctx ends it with a
// [*WaitError], after one look at least if it is a deadline.
//
// It looks again after errors that may pass, and at a machine that cannot be described
// yet. A refusal may be a matter of seconds, too: it ends the wait with the client's error
// after two minutes in which the client had no accepted answer, or at once where no later
// attempt can mend it. A machine that is known to be gone, or soft-deleted, ends the wait
// with the client's not-found error.
//
// Whatever shows a machine that was created by this process is no older than that, so
// listings that were under way count too. In the first seconds, when it does not exist,
// it is not there yet.
func (f *Fleet) Wait(ctx context.Context, m Machine, what string, done func(*cloudserver.VirtualMachine) bool) (*cloudserver.VirtualMachine, error) {
	w, pause := f.enter(m)
	defer f.leave(w)
	wait := progress.Begin(ctx, what)
	defer wait.End()
	var last *cloudserver.VirtualMachine
	for {
		machine, err := f.look(ctx, w, pause)
		if errors.Is(err, context.DeadlineExceeded) && w.looked.IsZero() { // it was over before the first look
			machine, err = f.lookOnce(ctx, w)
		}
		if err == nil && done(machine) {
			return machine, nil
		}
		if machine != nil {
			last = machine
		}
		if ctx.Err() != nil {
			if _, underWay := errors.AsType[*cloudserver.TransportError](err); underWay || err == nil {
				wait.See(LastSeen(last, err))
			} else if held := f.api.Throttled(); held != nil {
				wait.See(LastSeen(last, held))
			}
			return nil, &WaitError{wait.Unfinished(ctx.Err()), m, last}
		}
		if f.isOver(ctx, w, err) {
			return nil, err
		}
		wait.See(LastSeen(last, err))
		pause = max(cloudserver.PauseAfter(w.looked.Sub(w.began))-time.Since(w.looked), cloudserver.PauseAfter(0))
	}
}

// lookOnce reads the machine by its ID although the time of the wait is over.
func (f *Fleet) lookOnce(ctx context.Context, w *watch) (*cloudserver.VirtualMachine, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finalLook)
	defer cancel()
	w.looked = time.Now()
	return f.api.VirtualMachine(ctx, w.machine.ID)
}

// isOver reports whether the wait ends with the error of a look.
func (f *Fleet) isOver(ctx context.Context, w *watch, err error) bool {
	switch {
	case !isRefusal(err), cloudserver.IsNotFound(err) && w.isYoung():
		return false
	case cloudserver.IsFinal(err), cloudserver.IsNotFound(err) && f.isGone(ctx, w.machine):
		return true
	}
	since := w.began
	if accepted := f.api.LastAccepted(); accepted.After(since) {
		since = accepted
	}
	return time.Since(since) >= patience
}

// isGone reports whether a machine that was denied is known to be gone, or soft-deleted:
// its account is shown after that, and the machine is denied again.
func (f *Fleet) isGone(ctx context.Context, m Machine) bool {
	if f.Directory.Prove(ctx, m.Account) != nil {
		return false
	}
	vm, err := f.api.VirtualMachine(ctx, m.ID, cloudserver.IncludeDeleted)
	return cloudserver.IsNotFound(err) || err == nil && vm.Deleted
}

// enter begins a watch, and returns the pause before its first look. There is none where
// enough have begun since the last listing: all of them learn from the next.
func (f *Fleet) enter(m Machine) (w *watch, pause time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	w = &watch{machine: m, began: time.Now(), byID: f.goesByID(m), group: f.group(groupKey{m.Account, m.group(), false})}
	if !m.Created {
		w.after = f.tick()
	}
	if !w.byID {
		w.group.waiting++
		w.group.begun++
		if w.group.begun >= listFrom && w.group.mayListForWaits() {
			return w, 0
		}
	}
	return w, cloudserver.PauseAfter(0)
}

// leave ends the watch.
func (f *Fleet) leave(w *watch) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !w.byID {
		w.group.waiting--
	}
}

// look waits until it is time to look, or a listing arrives that somebody else
// requested, and returns the machine as it is then.
func (f *Fleet) look(ctx context.Context, w *watch, pause time.Duration) (*cloudserver.VirtualMachine, error) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for isDue := false; ; {
		l, news := f.listingForWatch(ctx, w, isDue)
		if l != nil || isDue {
			w.looked = time.Now()
			machine, err := f.from(ctx, l, w.machine.ID, w.isYoung())
			if l != nil { // for all waits, the look is its arrival
				w.looked = time.Now()
			}
			return machine, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-news:
		case <-timer.C:
			isDue = true
		}
	}
}

// isYoung reports whether this process created the machine a moment ago.
func (w *watch) isYoung() bool { return w.machine.Created && time.Since(w.began) < young }

// listingForWatch returns the listing that has arrived since the last look, or, for a
// watch whose time to look has come, one that is under way or a new one. Where it is
// nil, a watch that is due reads its machine by id, and news tells another one of the
// next listing. A listing that was requested before the watch began may be older than
// what is waited for, unless it shows a machine that did not exist before.
func (f *Fleet) listingForWatch(ctx context.Context, w *watch, isDue bool) (l *listing, news <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	k, g := f.machine(w.machine.ID), w.group
	l = g.latest
	switch arrived := g.arrived; {
	case arrived != nil && arrived.order > w.after && (arrived.order > k.written || arrived.value.byID[w.machine.ID].ID != 0):
		l = arrived
	case !isDue:
		return nil, g.news
	case !w.byID && g.waiting >= listFrom && l != nil && !l.isDone() && l.order > w.after:
	case !w.byID && g.mayListForWaits():
		l = f.list(ctx, g)
	default:
		return nil, nil
	}
	w.after, k.read = l.order, f.tick()
	return l, nil
}

// mayListForWaits reports whether another listing is worth its cost to those who
// wait. The caller holds the lock.
func (g *group) mayListForWaits() bool {
	l := g.latest
	return g.waiting >= listFrom && (l == nil || l.isDone() && l.mayBeRepeated(g.waiting))
}

// isRefusal reports whether another look would return the error again, because the
// service has refused the request.
func isRefusal(err error) bool {
	status := cloudserver.StatusCode(err)
	return cloudserver.IsUnauthorized(err) ||
		status >= 400 && status < 500 && status != http.StatusTooManyRequests && status != http.StatusRequestTimeout
}
