package fleet

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

const (
	// listFrom is the number of waits in a group from which on they look with one listing, and the number of new waits
	// since the last listing that request the next one at once.
	listFrom = 4

	// joining is the pause before the first look of a wait that may look with others. Where many processes share the
	// cores, each creates its machines one by one rather than ten at a time, and in this time the next ones join the
	// wait.
	joining = 200 * time.Millisecond

	// young is how long after its creation a machine may be unknown to the service.
	young = 30 * time.Second

	// patience is how long a wait continues while the service refuses all calls.
	patience = 2 * time.Minute

	// finalLook limits a look after the deadline.
	finalLook = 5 * time.Second
)

// WaitError is returned if the context of a wait ended too early. It unwraps to the context's error.
type WaitError struct {
	*progress.Unfinished
	Machine Machine
	Last    *cloudserver.VirtualMachine // as last seen; nil: never seen
}

// Error also has the command that shows the machine as it is now.
func (e *WaitError) Error() string {
	return fmt.Sprintf("%s. To look at the machine: `%s`", e.Unfinished.Error(), fmt.Sprintf(lookCommand, e.Machine.ID))
}

// lookCommand reads a machine, with a token and an endpoint from the environment.
const lookCommand = `curl -sS -H "Authorization: Bearer $CLOUDSERVER_TOKEN" "$CLOUDSERVER_ENDPOINT/virtual_machines/%d?view=overview"`

// LastSeen describes what was last seen of a machine, and the error of the last look.
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

// errNotListed is the result of looking at a listing that lacks a young machine.
var errNotListed = errors.New("not in the listing of its group yet")

// watch is a wait as its group knows it.
type watch struct {
	machine Machine
	group   *knownGroup
	byID    bool // it looks by ID
	began   time.Time
	ahead   time.Duration // a pause that counts as gone before it began: without it, its looks would be too close
	looked  time.Time     // when it last started to look by ID, or a listing arrived
	after   uint64        // only what was requested later counts
	strange time.Time     // since when all answers describe another service's machine; zero: the last one does not

	toWrite bool            // it looks at the path of writes
	ref     cloudserver.Ref // that path, if the last look was there; zero: it was not
}

// Wait polls the machine until done reports true, and returns it in that state. what describes what is waited for, such
// as "the machine to be on". If ctx ends, the error is a [*WaitError]; after a deadline, there was at least one look.
//
// Wait continues after errors that may pass, and while the machine cannot be described yet. A refusal may also pass
// within seconds: it ends the wait with the client's error if the client had no accepted answer for two minutes, or at
// once if no later attempt can succeed. If the machine is known to be gone, or is soft-deleted, the error is the
// client's not-found error. Answers about another service's machine count as refusals, and end the wait if there was no
// other for two minutes: the address of the service may lead to another one for a while.
//
// For a machine that this process has just created, listings that were already under way count as well, because nothing
// that shows the machine can be older than the creation. In the first seconds, a 404 means that the machine is not
// known yet.
func (f *Fleet) Wait(
	ctx context.Context, m Machine, what string, done func(*cloudserver.VirtualMachine) bool,
) (*cloudserver.VirtualMachine, error) {
	w, pause := f.enter(m)
	return f.wait(ctx, w, pause, what, done)
}

// WaitToWrite is [Fleet.Wait] before a write. It also returns the address for the write if the answer that ended the wait
// has proved it (see [Fleet.Ref]), and otherwise a zero address.
func (f *Fleet) WaitToWrite(
	ctx context.Context, m Machine, what string, done func(*cloudserver.VirtualMachine) bool,
) (*cloudserver.VirtualMachine, cloudserver.Ref, error) {
	w, pause := f.enter(m)
	w.toWrite = true
	vm, err := f.wait(ctx, w, pause, what, done)
	return vm, w.ref, err
}

func (f *Fleet) wait(
	ctx context.Context, w *watch, pause time.Duration, what string, done func(*cloudserver.VirtualMachine) bool,
) (*cloudserver.VirtualMachine, error) {
	defer f.leave(w)
	wait := progress.Begin(ctx, what)
	defer wait.End()
	var last *cloudserver.VirtualMachine
	for {
		machine, err := f.look(ctx, w, pause)
		if errors.Is(err, context.DeadlineExceeded) && w.looked.IsZero() { // the deadline passed before the first look
			machine, err = f.lookOnce(ctx, w)
		}
		machine, gone, err := f.reconsider(ctx, w, machine, err)
		if err == nil && done(machine) {
			return machine, nil
		}
		if machine != nil {
			last = machine
		}
		w.note(err)
		if ctx.Err() != nil {
			if _, underWay := errors.AsType[*cloudserver.TransportError](err); underWay || err == nil {
				wait.See(LastSeen(last, err))
			} else if held := f.api.Throttled(); held != nil {
				wait.See(LastSeen(last, held))
			}
			return nil, &WaitError{wait.Unfinished(ctx.Err()), w.machine, last}
		}
		if over := f.isOver(w, gone, err); over != nil {
			return nil, over
		}
		wait.See(LastSeen(last, err))
		pause = max(cloudserver.PauseAfter(w.ahead+w.looked.Sub(w.began))-time.Since(w.looked), cloudserver.PauseAfter(0))
	}
}

// lookOnce reads the machine by its ID after the deadline of the wait.
func (f *Fleet) lookOnce(ctx context.Context, w *watch) (*cloudserver.VirtualMachine, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finalLook)
	defer cancel()
	w.looked = time.Now()
	return f.Look(ctx, w.machine)
}

// reconsider finds out what a look with a 404 means. If the path with the machine's group shows it, it returns the
// machine, as if the look had. If another service denies it, the error is an [origin.Error]. gone reports whether the
// machine is known to be gone, or is soft-deleted.
func (f *Fleet) reconsider(
	ctx context.Context, w *watch, vm *cloudserver.VirtualMachine, err error,
) (_ *cloudserver.VirtualMachine, gone bool, _ error) {
	if !cloudserver.IsNotFound(err) || w.isYoung() || ctx.Err() != nil {
		return vm, false, err
	}
	vm, why := Reconsider(ctx, f.Directory, w.machine.Account, err, func(ctx context.Context) (*cloudserver.VirtualMachine, error) {
		return f.Look(ctx, w.machine, cloudserver.IncludeDeleted)
	}, f.Directory.SecondMachine(w.machine, w.machine.Origin.Domain()))
	switch {
	case why == nil && !vm.Deleted:
		return vm, false, nil
	case why == nil, IsGone(why):
		return nil, true, err
	case origin.IsOther(why):
		return nil, false, why
	}
	return nil, false, err
}

// isOver returns the error that ends the wait, or nil if the error of a look does not end it.
func (f *Fleet) isOver(w *watch, gone bool, err error) error {
	switch {
	case origin.IsOther(err) && time.Since(w.strange) >= patience:
		return err
	case !isRefusal(err), cloudserver.IsNotFound(err) && w.isYoung():
		return nil
	case cloudserver.IsFinal(err), gone:
		return err
	}
	since := w.began
	if accepted := f.api.LastAccepted(); accepted.After(since) {
		since = accepted
	}
	switch {
	case time.Since(since) < patience:
		return nil
	case cloudserver.IsNotFound(err):
		return &UnprovedError{err, errUnknown}
	}
	return err
}

// errUnknown is why a wait ends for which the service denies the machine for so long.
var errUnknown = errors.New("it is unknown whether the machine still exists")

// enter begins a watch, and returns the pause before its first look. By ID there is none, because what is waited for
// may have happened with the request before. There is none either if the group is too large to be listed, or if enough
// watches have begun since the last listing: all of them learn from the next one.
func (f *Fleet) enter(m Machine) (w *watch, pause time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	w = &watch{
		machine: m, began: time.Now(), byID: f.goesByID(m), group: f.group(groupKey{m.Account, m.group(), false}),
	}
	if !m.Created {
		w.after = f.tick()
	}
	if !w.byID {
		w.group.waiting++
		w.group.begun++
		w.group.most = max(w.group.most, w.group.waiting)
	}
	if w.byID || w.group.isTooLarge() {
		w.ahead = cloudserver.PauseAfter(0)
		return w, 0
	}
	if w.group.begun >= listFrom && w.group.mayListForWaits() {
		return w, 0
	}
	return w, joining
}

// leave ends the watch.
func (f *Fleet) leave(w *watch) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !w.byID {
		w.group.waiting--
	}
}

// look waits until it is time to look, or until a listing requested by another watch arrives. It returns the machine at
// that moment.
func (f *Fleet) look(ctx context.Context, w *watch, pause time.Duration) (*cloudserver.VirtualMachine, error) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for isDue := false; ; {
		l, news := f.listingForWatch(ctx, w, isDue)
		if l != nil || isDue {
			w.looked, w.ref = time.Now(), cloudserver.Ref{}
			if l == nil && w.toWrite {
				return f.lookAtPath(ctx, w)
			}
			machine, err := f.from(ctx, l, w.machine, w.isYoung())
			if l != nil { // the arrival counts as a look of every wait
				w.looked = time.Now()
			}
			return machine, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-news:
		case <-timer.C:
			if ctx.Err() != nil { // both had come
				return nil, ctx.Err()
			}
			isDue = true
		}
	}
}

// lookAtPath reads the machine at the path of writes, and by its ID if the path does not show it.
func (f *Fleet) lookAtPath(ctx context.Context, w *watch) (*cloudserver.VirtualMachine, error) {
	ref, vm, err := f.at(ctx, w.machine)
	if _, unsafe := errors.AsType[*UnsafeError](err); unsafe || err == nil && vm.Deleted {
		w.toWrite = false
		return f.Look(ctx, w.machine)
	}
	if err == nil {
		w.ref = ref
	}
	return vm, err
}

// note records since when the answers are another service's.
func (w *watch) note(err error) {
	switch {
	case err == nil:
		w.strange = time.Time{}
	case origin.IsOther(err) && w.strange.IsZero():
		w.strange = time.Now()
	}
}

// isYoung reports whether this process created the machine a moment ago.
func (w *watch) isYoung() bool { return w.machine.Created && time.Since(w.began) < young }

// listingForWatch returns the listing that has arrived since the last look. If it is time to look, it returns the
// listing under way or a new one. If the result is nil, a watch that is due reads its machine by ID, and any other
// waits for news of the next listing. A listing that was requested before the watch began may be too old, unless it
// shows a machine that did not exist before.
func (f *Fleet) listingForWatch(ctx context.Context, w *watch, isDue bool) (l *listing, news <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	k, g := f.machine(w.machine.ID), w.group
	l = g.latest
	switch arrived := g.arrived; {
	case arrived != nil && arrived.order > w.after &&
		(arrived.order > k.written || arrived.value.byID[w.machine.ID].ID != 0):
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

// mayListForWaits reports whether another listing is worth its cost to the waits. The caller holds the lock.
func (g *knownGroup) mayListForWaits() bool {
	l := g.latest
	return g.waiting >= listFrom && (l == nil || l.isDone() && l.mayBeRepeated(g.waiting))
}

// isTooLarge reports whether the group is not listed for waits, however many there are, so that each looks by ID. The
// caller holds the lock.
func (g *knownGroup) isTooLarge() bool {
	l := g.latest
	return l != nil && l.isDone() && l.err == nil && l.size() > wellUsed*max(g.most, listFrom)
}

// isRefusal reports whether the service has refused the request, so that another look would return the same error.
func isRefusal(err error) bool {
	status := cloudserver.StatusCode(err)
	return cloudserver.IsUnauthorized(err) ||
		status >= 400 && status < 500 && status != http.StatusTooManyRequests && status != http.StatusRequestTimeout
}
