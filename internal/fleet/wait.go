package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// young is how long after its creation a machine may be unknown to the service.
const young = 30 * time.Second

// Wait polls the machine until done reports true, and returns it in that state. what describes what is waited for, such
// as "the machine to be on". If ctx ends, the error is an *Unfinished with what was last seen and answered; after a
// deadline, there was at least one look.
//
// A wait ends early only if the machine is gone (IsGone), or soft-deleted, which is a *DeletedError. Any other failure is
// remembered, and the service is asked again. In the first seconds after a creation, a 404 means that the machine is not
// known yet.
func (f *Fleet) Wait(
	ctx context.Context, at Location, what string, done func(*cloudserver.VirtualMachine) bool,
) (*cloudserver.VirtualMachine, error) {
	w := f.enter(at)
	defer f.leave(w)
	waiting := Begin(ctx, what)
	defer waiting.End()
	for {
		vm, err := f.lookWith(ctx, w)
		switch {
		case vm != nil && vm.Deleted:
			return nil, &DeletedError{vm}
		case vm != nil && done(vm):
			return vm, nil
		case cloudserver.IsNotFound(err) && !w.isYoung():
			if err = f.checkGoneNow(ctx, at, err); IsGone(err) {
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

// WaitFor polls anything else than a machine until look is done. seen describes what look has found, and its errors are
// remembered, as in Wait: if ctx ends, the error is an *Unfinished with the last of them. If look is done with an error,
// WaitFor returns it.
func (f *Fleet) WaitFor(
	ctx context.Context, what string, look func(context.Context) (done bool, seen string, err error),
) error {
	waiting := Begin(ctx, what)
	defer waiting.End()
	for pause := cloudserver.FirstPause; ; pause = min(2*pause, cloudserver.LongestPause) {
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
	at     Location
	group  *knownGroup // nil: it looks by ID
	began  time.Time
	pause  time.Duration // before the next look
	looked bool          // there was a look
	after  uint64        // only listings that were requested later count
	last   *cloudserver.VirtualMachine
}

// isYoung reports whether this process created the machine a moment ago.
func (w *watch) isYoung() bool { return w.at.Created && time.Since(w.began) < young }

// enter begins a watch. A look by ID is made at once, because what is waited for may have happened with the request
// before. Before the first look in a listing, there is a pause in which others join; the fourth that joins does not wait
// for more.
//
// Nothing that shows a new machine can be older than its creation, so listings that were already under way count for it.
func (f *Fleet) enter(at Location) *watch {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := &watch{at: at, began: time.Now()}
	if !at.Created {
		w.after = f.tick()
	}
	if f.claimsByID(at) {
		return w
	}
	w.group = f.group(at.listingKey())
	w.group.waiting++
	w.group.begun++
	listsNow := w.group.begun >= listFrom && w.group.mayListForWaits()
	if !listsNow && !w.group.isTooLarge() {
		w.pause = cloudserver.FirstPause
	}
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

// lookWith waits until it is time to look, or until a listing that another watch has requested arrives, and returns the
// machine as it is then.
func (f *Fleet) lookWith(ctx context.Context, w *watch) (*cloudserver.VirtualMachine, error) {
	timer := time.NewTimer(w.pause)
	defer timer.Stop()
	isDue := false
	for ctx.Err() == nil {
		l, news := f.listingForWait(ctx, w, isDue)
		if l != nil || isDue {
			return f.lookAt(ctx, w, l)
		}
		select {
		case <-news:
		case <-timer.C:
			isDue = true
		case <-ctx.Done():
		}
	}
	if w.looked || errors.Is(ctx.Err(), context.Canceled) {
		return nil, ctx.Err()
	}
	return f.lookOnce(ctx, w)
}

// errNotListed is the result of looking at a listing that lacks a machine which was created a moment ago.
var errNotListed = errors.New("not in the listing of its group yet")

// lookAt returns the machine as the listing shows it, or reads it by ID.
func (f *Fleet) lookAt(ctx context.Context, w *watch, l *listing) (*cloudserver.VirtualMachine, error) {
	w.looked = true
	w.pause = min(max(2*w.pause, cloudserver.FirstPause), cloudserver.LongestPause)
	all, err := l.awaitBriefly(ctx)
	if err != nil {
		return nil, err
	}
	if vm := all.withID(w.at.ID); vm != nil {
		return vm, nil
	}
	if all != nil && w.isYoung() {
		return nil, errNotListed
	}
	return f.api.VirtualMachine(ctx, w.at.ID, cloudserver.IncludeDeleted)
}

// lookOnce reads the machine by its ID after the deadline of the wait.
func (f *Fleet) lookOnce(ctx context.Context, w *watch) (*cloudserver.VirtualMachine, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cloudserver.FinalLook)
	defer cancel()
	return f.lookAt(ctx, w, nil)
}

// listingForWait returns the listing that has arrived since the last look. If it is time to look, it returns the
// listing under way or a new one. If the result is nil, a watch that is due reads its machine by ID, and any other
// waits for the next listing.
func (f *Fleet) listingForWait(ctx context.Context, w *watch, isDue bool) (l *listing, news <-chan struct{}) {
	g := w.group
	if g == nil {
		return nil, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	k := f.machine(w.at.ID)
	arrived, latest := g.arrived, g.latest
	switch {
	case arrived != nil && arrived.order > w.after && (arrived.order > k.written || arrived.value[w.at.ID] != nil):
		l = arrived
	case !isDue:
		return nil, g.news
	case g.waiting >= listFrom && latest != nil && !latest.isDone() && latest.order > w.after:
		l = latest
	case g.mayListForWaits():
		l = f.requestListing(ctx, g)
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

// isTooLarge reports whether the group is not listed for waits, however many there are. The caller holds the lock.
func (g *knownGroup) isTooLarge() bool {
	l := g.latest
	return l != nil && l.isDone() && l.err == nil && !l.mayBeRepeated(max(g.waiting, listFrom))
}
