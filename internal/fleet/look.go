package fleet

import (
	"context"
	"errors"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// askedPerListing is how many machines that a listing lacks are read by id. Most
// of them are too young to be described, and a later listing has them. One that
// was moved or deleted is found in a few looks.
const askedPerListing = 2

// errNotListed is a look at a listing that lacks the machine.
var errNotListed = errors.New("not in the listing of its group")

// look waits until it is time to look, or somebody else's listing arrives, and
// returns the machine as it is then.
func (f *Fleet) look(ctx context.Context, w *watch, in time.Duration) (*cloudserver.VirtualMachine, error) {
	timer := time.NewTimer(in)
	defer timer.Stop()
	var l *listing
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case l := <-w.news:
			return f.lookAt(ctx, w, l)
		case <-timer.C:
		}
		var putOff time.Duration
		if l, putOff = f.listingForWatch(ctx, w); putOff <= 0 {
			break
		}
		timer.Reset(putOff)
	}
	if l == nil {
		return f.api.VirtualMachine(ctx, w.machine.ID)
	}
	switch err := f.awaitBriefly(ctx, l); {
	case errors.Is(err, errSlow):
		return f.api.VirtualMachine(ctx, w.machine.ID)
	case err != nil && ctx.Err() != nil:
		return nil, err
	}
	return f.lookAt(ctx, w, l)
}

// lookAt looks for the machine in a listing that has arrived.
func (f *Fleet) lookAt(ctx context.Context, w *watch, l *listing) (*cloudserver.VirtualMachine, error) {
	if machine := l.machine(w.machine.ID); machine != nil {
		return machine, nil
	}
	if l.failed() || f.mayAsk(l) {
		return f.api.VirtualMachine(ctx, w.machine.ID)
	}
	return nil, errNotListed
}

// mayAsk reports whether one more machine that the listing lacks is read by id.
func (f *Fleet) mayAsk(l *listing) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	l.missed++
	return l.missed <= askedPerListing
}
