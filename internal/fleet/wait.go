package fleet

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

const (
	// listFrom is how many waits in a group make one look of all a listing.
	listFrom = 6

	// young is how long after its creation a machine may be unknown to the service.
	young = 30 * time.Second
)

// errNotListed is a look at a listing that lacks a young machine.
var errNotListed = errors.New("not in the listing of its group yet")

// watch is a wait, as its group knows it.
type watch struct {
	machine Machine
	created time.Time     // by this process; zero: it existed before
	began   time.Time     // the wait
	looked  time.Time     // when it last began to look, or heard of a listing
	byID    bool          // its own looks are by id
	after   uint64        // only what was requested later is news
	news    chan *listing // the latest listing that others requested
}

// Wait looks at the machine until done reports true, and returns it as it was
// then. It looks again after errors that may pass, and at a machine that cannot
// be described yet. A machine that does not exist, and a refusal, end the wait
// with the client's error. The end of ctx ends it with a [*WaitError].
func (f *Fleet) Wait(ctx context.Context, m Machine, done func(*cloudserver.VirtualMachine) bool) (*cloudserver.VirtualMachine, error) {
	return f.wait(ctx, &watch{machine: m}, done)
}

// WaitCreated is Wait for a machine that this process has just created. Whatever
// shows it is no older than that, so listings that were under way count too. In
// the first seconds, a machine that does not exist is one that is not there yet.
func (f *Fleet) WaitCreated(ctx context.Context, m Machine, done func(*cloudserver.VirtualMachine) bool) (*cloudserver.VirtualMachine, error) {
	return f.wait(ctx, &watch{machine: m, created: time.Now()}, done)
}

func (f *Fleet) wait(ctx context.Context, w *watch, done func(*cloudserver.VirtualMachine) bool) (*cloudserver.VirtualMachine, error) {
	f.enter(w)
	defer f.leave(w)
	unfinished := &WaitError{Machine: w.machine}
	for {
		machine, err := f.look(ctx, w)
		if ctx.Err() != nil && err != nil {
			unfinished.Waited, unfinished.Err = time.Since(w.began), ctx.Err()
			if _, ok := errors.AsType[*cloudserver.TransportError](err); ok { // the call was under way
				unfinished.LastErr = err
			}
			return nil, unfinished
		}
		isYet := w.isYoung() && cloudserver.IsNotFound(err)
		if refused := refusal(err); refused != nil && !isYet {
			return nil, refused
		}
		if err == nil && done(machine) {
			return machine, nil
		}
		if unfinished.LastErr = err; machine != nil {
			unfinished.Last = machine
		}
	}
}

// look waits until it is time to look, or a listing arrives that somebody else
// requested, and returns the machine as it is then.
func (f *Fleet) look(ctx context.Context, w *watch) (*cloudserver.VirtualMachine, error) {
	pause := cloudserver.PauseAfter(w.looked.Sub(w.began)) - time.Since(w.looked)
	timer := time.NewTimer(max(pause, cloudserver.PauseAfter(0)))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case l := <-w.news:
		<-l.done // it is told a moment before
		w.looked = time.Now()
		return f.lookAt(ctx, w, l)
	case <-timer.C:
		w.looked = time.Now()
	}
	l := f.listingForWatch(ctx, w)
	if l == nil {
		return f.api.VirtualMachine(ctx, w.machine.ID)
	}
	if err := f.awaitBriefly(ctx, l); err != nil && ctx.Err() != nil {
		return nil, err
	}
	return f.lookAt(ctx, w, l)
}

// lookAt looks for the machine in a listing. One that is young may not be listed
// yet; another that is not listed may have been moved or deleted.
func (f *Fleet) lookAt(ctx context.Context, w *watch, l *listing) (*cloudserver.VirtualMachine, error) {
	if l.isDone() && l.err == nil {
		if machine := l.machine(w.machine.ID); machine != nil {
			return machine, nil
		}
		if w.isYoung() {
			return nil, errNotListed
		}
	}
	return f.api.VirtualMachine(ctx, w.machine.ID)
}

// isYoung reports whether this process created the machine a moment ago.
func (w *watch) isYoung() bool { return !w.created.IsZero() && time.Since(w.created) < young }

// enter begins a watch, which hears of its group's listings until it leaves.
func (f *Fleet) enter(w *watch) {
	f.mu.Lock()
	defer f.mu.Unlock()
	w.began = time.Now()
	w.looked, w.after, w.news = w.began, f.tick(), make(chan *listing, 1)
	w.byID = f.goesByID(w.machine)
	f.group(w.machine.Account, w.machine.group()).watches[w] = w.byID
}

// leave ends the watch.
func (f *Fleet) leave(w *watch) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.group(w.machine.Account, w.machine.group()).watches, w)
}

// listingForWatch returns a listing for a watch whose time to look has come: one
// that is under way already, or a new one. It is nil when the machine is to be
// read by id.
func (f *Fleet) listingForWatch(ctx context.Context, w *watch) *listing {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := f.group(w.machine.Account, w.machine.group())
	others := 0
	for _, byID := range g.watches {
		if !byID {
			others++
		}
	}
	l := g.latest
	underWay := l.usable() && !l.isDone() && (l.started > w.after || w.isYoung())
	switch {
	case w.byID, others < listFrom, !underWay && !l.mayBeRepeated(len(g.watches)):
		w.after = f.tick()
		return nil
	case !underWay:
		l = f.list(ctx, g)
	}
	w.after = max(w.after, l.started)
	return l.join(w.machine.ID)
}

// tell hands an arrived listing to the watches that it is news to. It replaces an
// older one that a watch has not looked at yet. The caller holds the lock.
func (g *group) tell(l *listing) {
	for w := range g.watches {
		if !w.isNews(l) {
			continue
		}
		select {
		case <-w.news:
		default:
		}
		w.news <- l
		w.after = max(w.after, l.started)
		l.use(w.machine.ID)
	}
}

// isNews reports whether a listing that has arrived is new to the watch. One that
// was requested before the watch began may be older than what is waited for,
// unless it shows a machine that did not exist before. The caller holds the lock.
func (w *watch) isNews(l *listing) bool {
	if l.started > w.after {
		return true
	}
	_, shown := l.machines[w.machine.ID]
	return !w.created.IsZero() && shown
}

// refusal returns the error if another look would return it again, because the
// service has refused the request.
func refusal(err error) error {
	switch status := cloudserver.StatusCode(err); {
	case cloudserver.IsUnauthorized(err):
		return err
	case status == http.StatusTooManyRequests, status == http.StatusRequestTimeout:
		return nil
	case status >= 400 && status < 500:
		return err
	default:
		return nil
	}
}
