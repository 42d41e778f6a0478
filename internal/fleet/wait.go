package fleet

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Wait looks at the machine until done reports true, and returns it as it was
// then. It looks again after errors that may pass, and at a machine that cannot
// be described yet. A machine that does not exist, and a refusal, end the wait
// with the client's error. The end of ctx ends it with a [*WaitError].
func (f *Fleet) Wait(ctx context.Context, m Machine, done func(*cloudserver.VirtualMachine) bool) (*cloudserver.VirtualMachine, error) {
	return f.waitFor(ctx, f.enter(&watch{machine: m}), done)
}

// young is how long after its creation a machine may be unknown to the service.
const young = 30 * time.Second

// WaitCreated is Wait for a machine that this process has just created. Whatever
// shows it is no older than that, so listings that were under way count too. In
// the first seconds, a machine that does not exist is one that is not there yet.
func (f *Fleet) WaitCreated(ctx context.Context, m Machine, done func(*cloudserver.VirtualMachine) bool) (*cloudserver.VirtualMachine, error) {
	return f.waitFor(ctx, f.enter(&watch{machine: m, created: time.Now()}), done)
}

func (f *Fleet) waitFor(ctx context.Context, w *watch, done func(*cloudserver.VirtualMachine) bool) (*cloudserver.VirtualMachine, error) {
	defer f.leave(w)
	m, first := w.machine, true
	return f.wait(ctx, w, f.firstPace(m), func(machine *cloudserver.VirtualMachine, err error) (bool, error) {
		over := err == nil && done(machine)
		if first {
			first = false
			f.learn(m, over)
		}
		if w.isYoung() && cloudserver.IsNotFound(err) {
			return false, nil
		}
		return over, refusal(err)
	})
}

// wait looks at the pace p until the verdict is that the wait is over, or an
// error.
func (f *Fleet) wait(
	ctx context.Context, w *watch, p pace, verdict func(*cloudserver.VirtualMachine, error) (over bool, refused error),
) (*cloudserver.VirtualMachine, error) {
	began := time.Now()
	unfinished := &WaitError{Machine: w.machine}
	for {
		machine, err := f.look(ctx, w, p.untilNext(time.Since(began)))
		if ctx.Err() != nil && err != nil {
			unfinished.Waited, unfinished.Err = time.Since(began), ctx.Err()
			if _, ok := errors.AsType[*cloudserver.TransportError](err); ok { // the call was under way
				unfinished.LastErr = err
			}
			return nil, unfinished
		}
		if over, refused := verdict(machine, err); over || refused != nil {
			return machine, refused
		}
		if unfinished.LastErr = err; machine != nil {
			unfinished.Last = machine
		}
		p = p.looked(time.Since(began))
	}
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

// firstPace returns the pace that the last waits in the group have taught.
func (f *Fleet) firstPace(m Machine) pace {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.group(m.Account, m.group()).first
}

// learn takes the outcome of a wait's first look into account for the next wait.
func (f *Fleet) learn(m Machine, over bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.steady {
		return
	}
	g := f.group(m.Account, m.group())
	g.first = g.first.learned(over)
}
